// SPDX-License-Identifier: GPL-2.0-or-later
// The talk with a service manager, against one that works, fails, lies, hangs and dies.
#include "engine/native/systemd_bus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/native/fake_systemd.h"
#include "tests/support/capture.h"

namespace gpuharden::test {
namespace {
using testing::HasSubstr;

constexpr auto kPatience = std::chrono::minutes(1);
constexpr auto kImpatience = std::chrono::milliseconds(200);

class SystemdBusTest : public testing::Test {
 protected:
  SystemdBus& connect(Behaviour behaviour, std::chrono::milliseconds patience = kPatience) {
    manager_ = std::make_unique<FakeSystemd>(folder_.path(), behaviour);
    auto bus = SystemdBus::open_at(manager_->address(), patience, SystemdBus::Peer::kManager);
    if (!bus) throw std::runtime_error(bus.error().message);
    bus_ = std::move(bus).value();
    return *bus_;
  }
  TemporaryFolder folder_;
  std::unique_ptr<FakeSystemd> manager_;
  std::unique_ptr<SystemdBus> bus_;
};

TEST_F(SystemdBusTest, KnowsWhatAUnitIs) {
  auto& bus = connect(Behaviour::kWorks);
  const auto auditd = bus.unit("auditd.service");
  ASSERT_TRUE(auditd) << auditd.error().message;
  EXPECT_TRUE(auditd->is_loaded && auditd->is_active && auditd->refuses_stop);
  EXPECT_FALSE(auditd->needs_reload || auditd->refuses_start);
  const auto ollama = bus.unit("ollama.service");
  ASSERT_TRUE(ollama) << ollama.error().message;
  EXPECT_TRUE(ollama->needs_reload);
  EXPECT_FALSE(ollama->is_active || ollama->refuses_stop);
}

TEST_F(SystemdBusTest, TellsAndWaits) {
  auto& bus = connect(Behaviour::kWorks);
  EXPECT_TRUE(bus.reload());
  EXPECT_TRUE(bus.restart("ollama.service"));
  EXPECT_TRUE(bus.restart("ollama.service"));
  EXPECT_TRUE(bus.stop("gpuharden-revert.timer"));
  EXPECT_TRUE(bus.stop("gone.timer"));
  EXPECT_EQ(manager_->told(),
            "Reload\nRestartUnit ollama.service replace\nRestartUnit ollama.service replace\n"
            "StopUnit gpuharden-revert.timer replace\nStopUnit gone.timer replace\n");
}

TEST_F(SystemdBusTest, StartsATimerOfAProgramWithItsArguments) {
  auto& bus = connect(Behaviour::kWorks);
  const auto started =
      bus.start_timer("gpuharden-revert", std::chrono::seconds(300), "/run/gpuharden/revert", {"recover", "--due now"});
  EXPECT_TRUE(started) << started.error().message;
  EXPECT_EQ(manager_->told(),
            "StartTransientUnit gpuharden-revert.timer fail OnActiveSec=300000000 gpuharden-revert.service oneshot "
            "/run/gpuharden/revert: /run/gpuharden/revert recover --due now\n");
}

TEST_F(SystemdBusTest, AJobThatFailsIsAnError) {
  const auto failed = connect(Behaviour::kJobFails).restart("ollama.service");
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().message, HasSubstr("restarting ollama.service: the job ended as \"failed\""));
  const auto unknown = bus_->restart("gone.service");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::kNotFound);
  EXPECT_FALSE(bus_->start_timer("gpuharden-revert", std::chrono::seconds(1), "/x", {}));
}

TEST_F(SystemdBusTest, AJobThatDoesNotEndIsLeft) {
  EXPECT_EQ(connect(Behaviour::kJobHangs, kImpatience).restart("ollama.service").error().code, ErrorCode::kTimeout);
}

TEST_F(SystemdBusTest, ASilentManagerIsLeft) {
  auto& bus = connect(Behaviour::kNeverAnswers, kImpatience);
  EXPECT_EQ(bus.reload().error().code, ErrorCode::kTimeout);
  EXPECT_EQ(bus.unit("ollama.service").error().code, ErrorCode::kTimeout);
}

TEST_F(SystemdBusTest, AManagerThatDoesNotGreetIsLeft) {
  const FakeSystemd silent(folder_.path(), Behaviour::kNeverGreets);
  const auto bus = SystemdBus::open_at(silent.address(), kImpatience, SystemdBus::Peer::kManager);
  ASSERT_FALSE(bus);
  EXPECT_EQ(bus.error().code, ErrorCode::kTimeout);
}

TEST_F(SystemdBusTest, AManagerThatHangsUpIsAnError) {
  EXPECT_FALSE(connect(Behaviour::kDies).reload());
  EXPECT_FALSE(bus_->restart("ollama.service"));
}

TEST_F(SystemdBusTest, NobodyThereIsAnError) {
  EXPECT_FALSE(SystemdBus::open_at("unix:path=" + folder_.path() + "/none", kPatience, SystemdBus::Peer::kManager));
}

TEST(SystemdBusOfThisMachine, IsUnsupportedWithoutSystemd) {
  if (::access("/run/systemd/system", F_OK) == 0) GTEST_SKIP() << "systemd runs here";
  EXPECT_EQ(SystemdBus::open().error().code, ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace gpuharden::test
