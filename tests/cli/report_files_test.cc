// SPDX-License-Identifier: GPL-2.0-or-later
// Reports as files: several at once, waivers, baselines, comparisons and merges, as a pipeline uses them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

#include "engine/base/text.h"
#include "tests/support/capture.h"
#include "tests/support/program.h"

namespace gpuharden::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;

void write_file(const std::string& path, std::string_view text) { std::ofstream(path, std::ios::binary) << text; }

constexpr std::array kFiles = {"json", "sarif", "junit", "html", "csv", "navigator", "prometheus"};

// A host whose only source is not bound to a key, under some name.
class BadHost {
 public:
  explicit BadHost(const std::string& name = "gpu-07") {
    capture_
        .file("/etc/apt/sources.list.d/cuda.list",
              "deb https://developer.download.nvidia.com/compute/cuda/repos/debian12/x86_64/ /\n")
        .file("/etc/os-release", "ID=debian\nVERSION_ID=12\n")
        .yaml("kernel: {nodename: " + name + ", release: 6.1.0, machine: x86_64}");
    capture_.save();
  }
  ProgramRun audit(std::vector<std::string> more) const {
    std::vector<std::string> words = {"audit", "--capture", capture_.path(), "--check", "apt.signed-by"};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(words);
  }

  const std::string& path() const { return capture_.path(); }

 private:
  Capture capture_;
};

std::string waiver(const std::string& expires, const std::string& more = "") {
  return "waivers:\n  - {rule: apt.signed-by, reason: mirror, owner: alice, expires: " + expires + more + "}\n";
}

TEST(Reports, AllFormatsComeFromOneRun) {
  const BadHost host;
  const TemporaryFolder folder;
  std::vector<std::string> words;
  for (const auto* format : kFiles) {
    words.emplace_back("--report");
    words.push_back(concat({format, "=", folder.path(), "/", format}));
  }
  ::umask(077);
  const auto run = host.audit(words);
  ::umask(022);
  EXPECT_EQ(run.exit_code, 2) << run.err;
  EXPECT_THAT(run.out, HasSubstr("apt.signed-by"));
  for (const auto* format : {"json", "sarif", "junit", "html", "csv", "navigator"})
    EXPECT_THAT(read_file(folder.path() + "/" + format), HasSubstr("apt.signed-by")) << format;
  struct stat stat {};
  ASSERT_EQ(::stat((folder.path() + "/prometheus").c_str(), &stat), 0);
  EXPECT_EQ(stat.st_mode & 0777U, 0644U) << "the exporter is another user";
  ASSERT_EQ(::stat((folder.path() + "/json").c_str(), &stat), 0);
  EXPECT_EQ(stat.st_mode & 0777U, 0600U) << "findings are nobody else's business";
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 7) << "no temporary file";
}

TEST(Reports, TwoOfOneFileAreAMistake) {
  const BadHost host;
  EXPECT_EQ(host.audit({"--report", "json=/tmp/x", "--report", "csv=/tmp/x"}).exit_code, 64);
  EXPECT_EQ(host.audit({"--report", "pdf=/tmp/x"}).exit_code, 64);
  EXPECT_EQ(host.audit({"--sarif-omit", "fail"}).exit_code, 64) << "a fail is never left out";
  EXPECT_EQ(host.audit({"--fail-on-expiring", "soon"}).exit_code, 64);
}

TEST(WaiverOption, WaivesUntilItExpires) {
  const BadHost host;
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/w.yaml";
  write_file(file, waiver("2999-01-31"));
  const auto waived = host.audit({"--waivers", file, "--format", "json"});
  EXPECT_EQ(waived.exit_code, 0) << waived.err;
  const Json report = Json::parse(waived.out);
  EXPECT_EQ(report["rules"][0]["outcome"], "waived");
  EXPECT_EQ(report["rules"][0]["horizons"][0]["rows"][0]["waiver"]["owner"], "alice");
  EXPECT_EQ(report["waivers"][0]["state"], "active");
  EXPECT_THAT(report["warnings"].dump(), HasSubstr("an option names it"));
  EXPECT_EQ(host.audit({"--waivers", file, "--fail-on-expiring", "14d"}).exit_code, 0);
  write_file(file, waiver("2020-01-31"));
  const auto expired = host.audit({"--waivers", file});
  EXPECT_EQ(expired.exit_code, 2);
  EXPECT_THAT(expired.out, HasSubstr("what it covered counts again"));
}

TEST(WaiverOption, ABrokenFileIsNoVerdict) {
  const BadHost host;
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/w.yaml";
  write_file(file, waiver("2999-01-31", ", hosts: x"));
  const auto run = host.audit({"--waivers", file});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.out, IsEmpty());
  EXPECT_THAT(run.err, HasSubstr("w.yaml:2:"));
  EXPECT_EQ(host.audit({"--waivers", "/nowhere.yaml"}).exit_code, 1);
}

TEST(BaselineOption, GatesOnWhatIsNew) {
  const BadHost host;
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/before.json";
  EXPECT_EQ(host.audit({"-f", "json", "-o", file}).exit_code, 2);
  const auto run = host.audit({"--baseline", file, "--format", "json"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(Json::parse(run.out)["rules"][0]["outcome"], "fail") << "it stays what it is";
  Json other = Json::parse(read_file(file));
  other["rules"][0]["horizons"][0]["rows"][0]["fingerprint"] = std::string(32, 'f');
  write_file(file, other.dump());
  EXPECT_EQ(host.audit({"--baseline", file}).exit_code, 2);
  EXPECT_EQ(host.audit({"--baseline", "/nowhere.json"}).exit_code, 1);
  write_file(file, "{}");
  EXPECT_EQ(host.audit({"--baseline", file}).exit_code, 1);
}

TEST(DiffCommand, ExitsByWhatIsNew) {
  const BadHost host;
  const TemporaryFolder folder;
  const std::string bad = folder.path() + "/bad.json";
  const std::string good = folder.path() + "/good.json";
  host.audit({"-f", "json", "-o", bad});
  const std::string file = folder.path() + "/w.yaml";
  write_file(file, waiver("2999-01-31"));
  host.audit({"-f", "json", "-o", good, "--waivers", file});
  EXPECT_EQ(run_program({"diff", bad, bad}).exit_code, 0);
  EXPECT_EQ(run_program({"diff", bad, good}).exit_code, 0);
  const auto worse = run_program({"diff", "--format", "json", good, bad});
  EXPECT_EQ(worse.exit_code, 2);
  EXPECT_EQ(Json::parse(worse.out)["counts"]["worse"], 1);
  EXPECT_EQ(run_program({"diff", bad, "/nowhere"}).exit_code, 1);
  EXPECT_EQ(run_program({"diff", bad}).exit_code, 64);
  EXPECT_EQ(run_program({"diff", bad, "/dev/zero"}).exit_code, 1);
}

TEST(MergeCommand, HasEachFindingOnceWithItsHosts) {
  const TemporaryFolder folder;
  std::vector<std::string> files;
  for (const auto* name : {"gpu-01", "gpu-02", "gpu-03"}) {
    files.push_back(concat({folder.path(), "/", name, ".json"}));
    BadHost(name).audit({"-f", "json", "-o", files.back()});
  }
  std::vector<std::string> words = {"merge"};
  words.insert(words.end(), files.begin(), files.end());
  const auto run = run_program(words);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const Json fleet = Json::parse(run.out);
  ASSERT_EQ(fleet["findings"].size(), 1U);
  EXPECT_EQ(fleet["findings"][0]["hosts"]["fail"], (Json{0, 1, 2}));
  EXPECT_EQ(fleet["hosts"][1]["name"], "gpu-02");
  EXPECT_EQ(fleet["rules"][0]["hosts"]["fail"], 3);
  write_file(folder.path() + "/list", join(files, "\n") + "\n");
  EXPECT_EQ(run_program({"merge", "--files-from", folder.path() + "/list"}).out, run.out);
}

TEST(MergeCommand, LosesNothingSilently) {
  const TemporaryFolder folder;
  const std::string good = folder.path() + "/good.json";
  const std::string bad = folder.path() + "/bad.json";
  BadHost().audit({"-f", "json", "-o", good});
  write_file(bad, "{");
  EXPECT_EQ(run_program({"merge", good, bad}).exit_code, 1);
  const auto run = run_program({"merge", "--skip-bad", good, bad});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_THAT(Json::parse(run.out)["warnings"].dump(), HasSubstr("left out: "));
  EXPECT_EQ(run_program({"merge"}).exit_code, 64);
  EXPECT_EQ(run_program({"merge", "--format", "pdf", good}).exit_code, 64);
  const std::string out = folder.path() + "/out.json";
  write_file(out, "before");
  EXPECT_EQ(run_program({"merge", "-o", out, good, bad}).exit_code, 1);
  EXPECT_EQ(read_file(out), "before");
  EXPECT_FALSE(fs::exists(out + ".new"));
}

TEST(ExplainCommand, TellsAFindingByTheFingerprintOfAnyReport) {
  const BadHost host;
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/report.json";
  host.audit({"-f", "json", "-o", file, "--report", concat({"sarif=", file, ".sarif"})});
  const Json report = Json::parse(read_file(file));
  const std::string fingerprint = report["rules"][0]["horizons"][0]["rows"][0]["fingerprint"];
  const Json sarif = Json::parse(read_file(file + ".sarif"));
  const std::string hash = sarif["runs"][0]["results"][0]["partialFingerprints"]["primaryLocationLineHash"];
  for (const auto& digits : {fingerprint, fingerprint.substr(0, 8), hash}) {
    const auto told = run_program({"explain", digits, "--report", file});
    ASSERT_EQ(told.exit_code, 0) << told.err;
    EXPECT_THAT(told.out, HasSubstr("fail now on gpu-07, 20"));
    EXPECT_THAT(told.out, HasSubstr("/etc/apt/sources.list.d/cuda.list:1\n"));
    EXPECT_THAT(told.out, HasSubstr("apt.signed-by   high")) << "the rule comes with it";
  }
}

TEST(ExplainCommand, LooksAtTheMachineWhereNoReportIsNamed) {
  const BadHost host;
  const Json report = Json::parse(host.audit({"-f", "json"}).out);
  const std::string fingerprint = report["rules"][0]["horizons"][0]["rows"][0]["fingerprint"];
  const auto told = run_program({"explain", fingerprint, "--capture", host.path()});
  EXPECT_THAT(told.out, HasSubstr("/etc/apt/sources.list.d/cuda.list:1\n")) << told.err;
  const auto gone = run_program({"explain", std::string(32, '0'), "--capture", host.path()});
  EXPECT_EQ(gone.exit_code, 1);
  EXPECT_THAT(gone.err, HasSubstr("--report FILE"));
  EXPECT_EQ(run_program({"explain", "0123456", "--capture", host.path()}).exit_code, 64) << "too short for anything";
  EXPECT_EQ(run_program({"explain", fingerprint, "--report", "/nowhere"}).exit_code, 1);
}

// Without what tells when, and how long it took.
std::string without_times(const std::string& report) {
  static const std::regex times(
      R"re(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d|"duration_us": \d+| time="\d+\.\d+"| +\d+ ms\n|_seconds [\d.]+\n)re");
  return std::regex_replace(report, times, "TIME");
}

TEST(Reports, OfTwoRunsDifferOnlyInTimes) {
  const TemporaryFolder first, second;
  for (const auto* folder : {&first, &second}) {
    std::vector<std::string> words = {
        "audit", "--capture", source_path("tests/hosts/nvidia-bad"), "-f", "text", "-o", folder->path() + "/text"};
    for (const auto* format : kFiles) {
      words.emplace_back("--report");
      words.push_back(concat({format, "=", folder->path(), "/", format}));
    }
    ASSERT_EQ(run_program(words).exit_code, 2);
  }
  for (const auto& file : fs::directory_iterator(first.path())) {
    const std::string name = file.path().filename();
    const std::string report = read_file(file.path());
    EXPECT_TRUE(without_times(report) == without_times(read_file(second.path() + "/" + name))) << name;
    EXPECT_EQ(without_times(report) == report, name == "csv") << name << ": only CSV tells no time";
  }
}

}  // namespace
}  // namespace gpuharden::test
