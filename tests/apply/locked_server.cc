// SPDX-License-Identifier: GPL-2.0-or-later
// The server tests/hosts/nvidia-bad as a real tree, and what the policy `locked` would do to it.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "engine/apply/plan.h"
#include "engine/base/text.h"
#include "engine/rules/selection.h"
#include "engine/scan/audit.h"
#include "tests/apply/machine.h"
#include "tests/support/case_file.h"
#include "tests/support/real_tree.h"
#include "tests/support/rule_tables.h"

namespace gpuharden::test {
namespace fs = std::filesystem;
namespace {

std::string capture_folder() { return source_path("tests/hosts/nvidia-bad"); }

void fill(const std::string& root) {
  fs::copy(capture_folder() + "/root", root, fs::copy_options::recursive | fs::copy_options::copy_symlinks);
  make_real(capture_folder(), root);
  // As every installed system has them.
  std::ofstream(root + "/etc/.pwd.lock").flush();
  fs::create_directories(root + "/var/lib/dpkg");
  std::ofstream(root + "/var/lib/dpkg/lock-frontend").flush();
  std::vector<std::string> paths;
  for (const auto& entry : fs::recursive_directory_iterator(root)) paths.push_back(entry.path());
  for (const auto& path : paths) make_old(path);
}

// Its settings as /proc/sys of the capture says them.
std::string kernel(const std::string& root) {
  auto state = nlohmann::json::parse(FileKernel::initial_state());
  const std::string settings = root + "/proc/sys/";
  for (const auto& entry : fs::recursive_directory_iterator(settings)) {
    if (!entry.is_regular_file()) continue;
    std::string name = entry.path().string().substr(settings.size());
    std::replace(name.begin(), name.end(), '/', '.');
    std::ifstream in(entry.path());
    std::string value;
    std::getline(in, value);
    state["sysctl"][name] = value;
  }
  return state.dump();
}

std::vector<Step> plan(const Machine& machine) {
  SelectionOptions options;
  options.profile = "locked";
  auto selection = select_rules(shipped_catalog(), options);
  if (!selection) throw std::runtime_error(selection.error().message);
  const auto host = open_capture_host(capture_folder());
  if (!host) throw std::runtime_error(host.error().message);
  RuleTables tables(**host);
  Report report;
  run_audit(*std::move(selection), shipped_catalog().techniques, {{Severity::kInfo, false}, true, false}, tables,
            report);
  const auto tree = TreeWriter::open(machine.root(), system_write_calls());
  Faults none;
  FileKernel kernel_control(machine.kernel_file(), none);
  std::vector<AcceptedRisk> accepted;
  for (const auto risk : {Risk::kRestart, Risk::kReboot, Risk::kGpuLoss, Risk::kLockout})
    accepted.push_back({risk, "*"});
  return make_plan(report, **host, **tree, kernel_control, accepted).steps;
}

}  // namespace

const MachineKind kLockedServer = {&fill, &kernel, &plan};

}  // namespace gpuharden::test
