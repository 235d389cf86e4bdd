// SPDX-License-Identifier: GPL-2.0-or-later
// deploy/ci/ is run as far as it can be without the services: the steps' own commands, with the real program on a host
// that fails. Reports are kept and the verdict comes last.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

#include "engine/base/text.h"
#include "engine/native/yaml.h"
#include "tests/support/capture.h"
#include "tests/support/program.h"

namespace gpuharden::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

YamlNode pipeline(const std::string& file) {
  std::vector<YamlError> errors;
  YamlNode node = parse_yaml(read_source("deploy/ci/" + file), errors);
  for (const auto& error : errors) ADD_FAILURE() << file << ":" << error.place.line << ": " << error.sentence;
  return node;
}

const YamlNode& at(const YamlNode& node, std::initializer_list<std::string_view> keys) {
  const YamlNode* each = &node;
  for (const auto key : keys) {
    each = each->find(key);
    if (each == nullptr) throw std::runtime_error(concat({"there is no ", key}));
  }
  return *each;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (auto found = text.find(from); found != std::string::npos; found = text.find(from, found + to.size()))
    text.replace(found, from.size(), to);
  return text;
}

// A runner's work folder, where gpuharden audits a host that fails and sudo is what we are anyway.
class Runner {
 public:
  Runner() {
    fs::create_directory(folder_.path() + "/bin");
    program("gpuharden", concat({"command=$1; shift; exec ", program_path(), " \"$command\" --capture ",
                                 source_path("tests/hosts/nvidia-bad"), " \"$@\""}));
    program("sudo", "exec \"$@\"");
  }
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  bool has(const std::string& name) const { return fs::exists(path(name)); }
  // By a shell that ends at the first command that fails, as the runners' do.
  ProgramRun run(const std::string& script, const std::string& shell = "/bin/bash") const {
    std::ofstream(path("step.sh")) << script;
    if (is_program("/usr/bin/shellcheck")) {
      const auto looked = run_command({"/usr/bin/shellcheck", "--shell", fs::path(shell).filename(), path("step.sh")});
      EXPECT_EQ(looked.exit_code, 0) << looked.out;
    }
    return run_command({"/bin/bash", "-c",
                        concat({"cd \"$0\" && PATH=\"$0/bin:$PATH\" GITHUB_OUTPUT=\"$0/outputs\" HOME=\"$0\" exec ",
                                shell, " -e step.sh"}),
                        folder_.path()});
  }

 private:
  void program(const std::string& name, const std::string& script) const {
    std::ofstream(path("bin/" + name)) << "#!/bin/bash\n" << script << "\n";
    ::chmod(path("bin/" + name).c_str(), 0755);
  }
  TemporaryFolder folder_;
};

TEST(GitHubSteps, KeepTheReportsAndFailLast) {
  const YamlNode workflow = pipeline("github.yml");
  const auto& steps = at(workflow, {"jobs", "audit", "steps"}).items;
  ASSERT_EQ(steps.size(), 4U);
  const Runner runner;
  const auto audit = runner.run(at(steps[0], {"run"}).scalar);
  EXPECT_EQ(audit.exit_code, 0) << "the upload comes after it: " << audit.err;
  EXPECT_EQ(read_file(runner.path("outputs")), "code=2\n");
  for (const auto& [step, key] : std::vector<std::pair<int, std::string>>{{1, "sarif_file"}, {2, "path"}}) {
    EXPECT_THAT(at(steps[static_cast<std::size_t>(step)], {"if"}).scalar, HasSubstr("always()"));
    EXPECT_TRUE(runner.has(replaced(at(steps[static_cast<std::size_t>(step)], {"with", key}).scalar, "*", "json")));
  }
  const auto log = nlohmann::json::parse(read_file(runner.path("gpuharden.sarif")));
  for (const auto& result : log["runs"][0]["results"]) EXPECT_NE(result["kind"], "pass");
  const std::string verdict = at(steps[3], {"run"}).scalar;
  const std::string said = "${{ steps.audit.outputs.code || '1' }}";
  ASSERT_THAT(verdict, HasSubstr(said));
  EXPECT_EQ(runner.run(replaced(verdict, said, "2")).exit_code, 2);
}

TEST(GitLabJob, KeepsTheReportsOfAJobThatFails) {
  const YamlNode job = at(pipeline("gitlab.yml"), {"gpuharden"});
  std::string script;
  for (const auto& line : at(job, {"script"}).items) script += line.scalar + "\n";
  const Runner runner;
  EXPECT_EQ(runner.run(script).exit_code, 2);
  EXPECT_EQ(at(job, {"artifacts", "when"}).scalar, "always");
  EXPECT_TRUE(runner.has(at(job, {"artifacts", "reports", "junit"}).scalar));
  for (const auto& path : at(job, {"artifacts", "paths"}).items) EXPECT_TRUE(runner.has(path.scalar)) << path.scalar;
}

// The lists `inline = [ "…", ]` of the file, each as one script.
std::vector<std::string> inline_scripts(const std::string& hcl) {
  static const std::regex list(R"(inline = \[\n([^\]]*)\n\s*\])");
  static const std::regex line(R"re("((?:[^"\\]|\\.)*)",?)re");
  std::vector<std::string> scripts;
  for (auto it = std::sregex_iterator(hcl.begin(), hcl.end(), list); it != std::sregex_iterator(); ++it) {
    const std::string lines = (*it)[1];
    scripts.emplace_back();
    for (auto each = std::sregex_iterator(lines.begin(), lines.end(), line); each != std::sregex_iterator(); ++each)
      scripts.back() += replaced((*each)[1].str(), "\\\"", "\"") + "\n";
  }
  return scripts;
}

TEST(PackerProvisioners, BringTheReportBackAndFailLast) {
  const Runner runner;
  std::string hcl = replaced(read_source("deploy/ci/packer.pkr.hcl"), "/tmp/", runner.path(""));
  EXPECT_EQ(std::count(hcl.begin(), hcl.end(), '{'), std::count(hcl.begin(), hcl.end(), '}'));
  const auto scripts = inline_scripts(replaced(hcl, "${var.profile}", "server"));
  ASSERT_EQ(scripts.size(), 2U);
  const auto audit = runner.run(scripts[0], "/bin/sh");
  EXPECT_EQ(audit.exit_code, 0) << audit.err;
  for (const auto* file : {"gpuharden.json", "gpuharden.html"}) {
    EXPECT_THAT(hcl, HasSubstr(concat({"\"", runner.path(file), "\""}))) << "it is downloaded";
    EXPECT_TRUE(runner.has(file)) << file;
  }
  EXPECT_EQ(runner.run(scripts[1], "/bin/sh").exit_code, 2);
  EXPECT_FALSE(runner.has("gpuharden.json")) << "it is no part of the image";
}

TEST(AnsiblePlay, FetchesTheReportOfAHostThatFails) {
  const YamlNode plays = pipeline("ansible.yml");
  ASSERT_EQ(plays.items.size(), 1U);
  if (!is_program("/usr/bin/ansible-playbook")) GTEST_SKIP() << "no ansible-playbook (package ansible-core)";
  const Runner runner;
  const auto run =
      runner.run(concat({"ansible-playbook -i localhost, -c local -e ansible_become=false \\\n  -e "
                         "ansible_python_interpreter=/usr/bin/python3 \\\n  -e gpuharden_file=",
                         runner.path("on-host.json"), " -e gpuharden_reports=", runner.path("reports"), " ",
                         source_path("deploy/ci/ansible.yml"), "\n"}));
  EXPECT_EQ(run.exit_code, 2) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("gpuharden: something fails"));
  EXPECT_THAT(read_file(runner.path("reports/localhost.json")), HasSubstr("gpuharden.report/1"));
  EXPECT_FALSE(runner.has("on-host.json"));
}

}  // namespace
}  // namespace gpuharden::test
