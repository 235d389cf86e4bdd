// SPDX-License-Identifier: GPL-2.0-or-later
// What the actions for audit rules and for the packet filter put into a plan.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/base/text.h"
#include "remediations/audit_rules.h"
#include "remediations/nft_guard.h"
#include "tests/apply/drafted_machine.h"

namespace gpuharden::test {
namespace {
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

class KernelActions : public testing::Test, public DraftedMachine {
 protected:
  // A machine with auditd, nftables and Docker, whose second Docker-like bridge has the network card in it.
  KernelActions() {
    for (const auto* path :
         {"/usr/sbin/nft", "/usr/sbin/auditd", "/etc/group", "/etc/profile", "/etc/docker/daemon.json"})
      capture_.file(path, "");
    for (const auto* path : {"/etc/audit/rules.d", "/sys/class/net/docker0/brif/veth1", "/sys/class/net/veth1",
                             "/sys/class/net/br-0123456789ab/brif/veth2", "/sys/class/net/br-ffffffffffff/brif/eth0",
                             "/sys/class/net/eth0/device", "/sys/class/net/br-lan/brif"})
      capture_.folder(path);
  }
  template <typename Kind>
  std::vector<Kind> steps() const {
    std::vector<Kind> found;
    for (const auto& step : draft_->steps()) {
      if (const auto* body = std::get_if<Kind>(&step.body)) found.push_back(*body);
    }
    return found;
  }
  std::map<std::string, FileState> files() const {
    std::map<std::string, FileState> found;
    for (const auto& step : steps<FileStep>()) found[step.path] = step.after;
    return found;
  }
};

TEST_F(KernelActions, TwoPortsAreOneTableAndOneUnit) {
  ASSERT_TRUE(plan("nft_guard", {{"port", "8000"}}));
  const auto second = plan("nft_guard", {{"port", "11434"}, {"peers", "10.0.0.0/8 fd00::7"}});
  ASSERT_TRUE(second) << second.error().message;
  const GuardPlan expected{{8000, 11434}, {"10.0.0.0/8", "fd00::7"}, {"docker0", "br-0123456789ab"}};
  const auto made = files();
  EXPECT_EQ(made.at(std::string(kGuardFile)).bytes, guard_file(expected).value());
  EXPECT_EQ(made.at(std::string(kGuardUnitFile)).bytes, guard_unit());
  for (const auto link : kGuardUnitLinks)
    EXPECT_EQ(made.at(concat({"/etc/systemd/system/", link})).bytes, kGuardUnitFile);
  ASSERT_EQ(steps<TableStep>().size(), 1U);
  EXPECT_EQ(steps<TableStep>()[0].after, guard_table(expected).value());
  const auto units = steps<UnitStep>();
  ASSERT_EQ(units.size(), 2U);
  EXPECT_EQ(units[1].verb, UnitStep::Verb::kStart);
  EXPECT_EQ(units[1].unit, kGuardUnit);
  EXPECT_THAT(draft_->reasons(), Contains(HasSubstr("containers on docker0, br-0123456789ab, 10.0.0.0/8")));
}

// C173: a reload of systemd that cuts GPUs out of containers is a risk that somebody has to take.
TEST_F(KernelActions, AReloadThatTakesGpusFromContainersIsARisk) {
  auto state = nlohmann::json::parse(FileKernel::initial_state());
  state["victims"] = {"python3 (pid 4711)"};
  std::ofstream(folder_.path() + "/kernel") << state.dump();
  ASSERT_TRUE(plan("nft_guard", {{"port", "8000"}}));
  EXPECT_THAT(draft_->risks(), Contains(Risk::kGpuLoss));
  EXPECT_THAT(draft_->reasons(), Contains(HasSubstr("takes the GPUs from python3 (pid 4711)")));
}

TEST_F(KernelActions, PortsOfEarlierRunsStayGuarded) {
  capture_.file(kGuardFile, guard_file({{9000}, {}, {"docker0", "br-0123456789ab"}}).value());
  capture_.link("/etc/systemd/system/sysinit.target.wants/gpuharden-guard.service", kGuardUnitFile);
  capture_.file(kGuardUnitFile, guard_unit());
  ASSERT_TRUE(plan("nft_guard", {{"port", "8000"}}));
  EXPECT_THAT(files().at(std::string(kGuardFile)).bytes, HasSubstr("elements = { 8000, 9000 }"));
  // A link that is there must not be written through.
  EXPECT_FALSE(files().contains(std::string(kGuardUnitFile)));
}

TEST_F(KernelActions, AGuardThatIsChangedByHandIsNotOverwritten) {
  capture_.file(kGuardFile, guard_file({{9000}, {}, {}}).value() + "# mine\n");
  EXPECT_EQ(plan("nft_guard", {{"port", "8000"}}).error().code, ErrorCode::kMalformed);
  EXPECT_THAT(draft_->steps(), IsEmpty());
}

TEST_F(KernelActions, SomePortsAreNotGuarded) {
  EXPECT_EQ(plan("nft_guard", {{"port", "22"}}).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(plan("nft_guard", {{"port", "0"}}).error().code, ErrorCode::kMalformed);
  EXPECT_EQ(plan("nft_guard", {{"port", "65536"}}).error().code, ErrorCode::kMalformed);
  EXPECT_EQ(plan("nft_guard", {{"port", "8000"}, {"peers", "0.0.0.0/0"}}).error().code, ErrorCode::kMalformed);
  EXPECT_THAT(draft_->steps(), IsEmpty());
}

TEST_F(KernelActions, NeedsAreOneFileAndLoadedAtOnce) {
  ASSERT_TRUE(plan("audit_rules", {{"need", "account-files"}}));
  ASSERT_TRUE(plan("audit_rules", {{"need", "shell-profiles"}}));
  ASSERT_TRUE(plan("audit_rules", {{"need", "shell-profiles"}}));
  const auto file = files().at(std::string(kAuditRulesFile));
  EXPECT_EQ(file.mode, 0640U);
  const std::vector<std::string> lines = {"-w /etc/group -p wa -k gpuharden-accounts",
                                          "-w /etc/profile -p wa -k gpuharden-profiles"};
  EXPECT_THAT(file.bytes, HasSubstr(concat({"\n", lines[0], "\n", lines[1], "\n"})));
  ASSERT_EQ(steps<AuditStep>().size(), 1U);
  EXPECT_EQ(steps<AuditStep>()[0].missing, lines);
}

TEST_F(KernelActions, WhatLoadsThemAtBootMustBeThere) {
  std::filesystem::remove(capture_.root() + "/usr/sbin/auditd");
  std::filesystem::remove(capture_.root() + "/usr/sbin/nft");
  EXPECT_EQ(plan("audit_rules", {{"need", "account-files"}}).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(plan("nft_guard", {{"port", "8000"}}).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(plan("audit_rules", {{"need", "everything"}}).error().code, ErrorCode::kMalformed);
}

}  // namespace
}  // namespace gpuharden::test
