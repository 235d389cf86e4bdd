// SPDX-License-Identifier: GPL-2.0-or-later
// `gpuharden gpu` as a user runs it, over a driver that computes on the processor and that can fail, hang and lie.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "tests/support/capture.h"
#include "tests/support/program.h"

namespace gpuharden::test {
namespace {
namespace fs = std::filesystem;
using nlohmann::json;
using testing::Contains;
using testing::HasSubstr;

// The test driver under a name, which is how it is told what to do.
class Drivers {
 public:
  std::string named(const std::string& manner) const {
    const fs::path link = fs::path(folder_.path()) / (manner + ".so");
    fs::create_symlink(fs::path(program_path()).parent_path() / "tests/gpu_driver/libtest_gpu_driver.so", link);
    return link;
  }
  // With the vendors' libraries of matrix products beside it.
  std::string with_matrix_library(const std::string& manner) const {
    const std::string library = named(manner);
    for (const auto* name : {"libcublasLt.so.1", "libhipblaslt.so.1"})
      fs::create_symlink(library, fs::path(folder_.path()) / name);
    return library;
  }
  // With NVIDIA's management library beside it.
  std::string managed(const std::string& manner) const {
    const std::string library = named(manner);
    fs::create_symlink(library, fs::path(folder_.path()) / "libnvidia-ml.so.1");
    return library;
  }

 private:
  TemporaryFolder folder_;
};

struct GpuRunResult {
  int exit_code = -1;
  json report;
  const json& device(std::size_t index = 0) const { return report.at("devices").at(index); }
  std::string reason() const { return device().at("reason"); }
};

GpuRunResult run_gpu(const std::string& library, const std::string& vendor = "cuda",
                     const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments = {"gpu", "--tiny", "--format", "json", "--vendor", vendor, "--library", library};
  // Slow machines get more time than the level's own.
  if (std::find(more.begin(), more.end(), "--timeout") == more.end())
    arguments.insert(arguments.end(), {"--timeout", "120"});
  arguments.insert(arguments.end(), more.begin(), more.end());
  const auto run = run_program(arguments);
  return {run.exit_code, json::parse(run.out, nullptr, false)};
}

// The processes whose command line names this library.
std::vector<pid_t> processes_with(const std::string& library) {
  std::vector<pid_t> found;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::ifstream in(entry.path() / "cmdline");
    const std::string line((std::istreambuf_iterator<char>(in)), {});
    if (line.find(library) != std::string::npos) found.push_back(std::stoi(name));
  }
  return found;
}

TEST(GpuCommand, PassesADeviceThatComputes) {
  for (const auto* vendor : {"cuda", "hip"}) {
    const auto run = run_gpu(Drivers().named("good"), vendor);
    EXPECT_EQ(run.exit_code, 0) << run.report.dump(1);
    EXPECT_EQ(run.device().at("outcome"), "pass");
    EXPECT_EQ(run.device().at("checks").size(), 10U);
    EXPECT_THAT(run.device().at("not_covered"), Contains("fp8"));
  }
}

struct Manner {
  const char* name;
  int exit_code;
  const char* reason;
  const char* words;  // that the sentence holds
};
std::string name_of(const testing::TestParamInfo<Manner>& info) {
  std::string name = info.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

void expect_outcome(const GpuRunResult& run, const Manner& manner) {
  EXPECT_EQ(run.exit_code, manner.exit_code) << run.report.dump(1);
  EXPECT_EQ(run.reason(), manner.reason);
  EXPECT_THAT(std::string(run.device().at("sentence")), HasSubstr(manner.words));
}

class Manners : public testing::TestWithParam<Manner> {};

TEST_P(Manners, HaveTheirOutcome) {
  const auto run = run_gpu(Drivers().named(GetParam().name));
  expect_outcome(run, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Drivers, Manners,
                         testing::Values(
                             // Lies.
                             Manner{"flip", 2, "mismatch", "1 rows and 1 columns"},
                             Manner{"writes-nothing", 2, "mismatch", "nothing was written"},
                             Manner{"previous", 2, "mismatch", "fp64"}, Manner{"other-seed", 2, "mismatch", "256 rows"},
                             // Ends.
                             Manner{"crash-init", 2, "crashed", "signal 6), at init"},
                             Manner{"crash-launch", 2, "crashed", "signal 6), at product fp64"},
                             Manner{"finish-214", 2, "device-error", "214"},
                             Manner{"finish-719", 2, "device-error", "719"},
                             // Nothing to examine.
                             Manner{"no-device", 1, "no-device", "no device"},
                             Manner{"init-100", 1, "no-device", "100"}, Manner{"stub", 1, "stub-library", "stub"},
                             Manner{"init-802", 1, "fabric", "nvidia-fabricmanager"},
                             Manner{"init-803", 1, "driver-mismatch", "reload the module or reboot"},
                             Manner{"init-304", 1, "permission", "304"}, Manner{"init-999", 1, "error", "999"},
                             // C152, C157: not a hardware failure.
                             Manner{"load-222", 1, "old-driver", "222"}, Manner{"load-209", 1, "no-code", "209"},
                             Manner{"context-46", 1, "busy", "46"}, Manner{"context-101", 1, "busy", "101"},
                             Manner{"full", 1, "out-of-memory", "allocate: 2"}),
                         &name_of);

std::vector<std::string> checks_by_library(const GpuRunResult& run) {
  std::vector<std::string> names;
  for (const auto& check : run.device().at("checks")) {
    if (const std::string name = check.at("name"); name.find(" by ") != std::string::npos) names.push_back(name);
  }
  return names;
}

TEST(MatrixLibrary, MakesTheProductsOnceMore) {
  for (const auto* vendor : {"cuda", "hip"}) {
    const Drivers drivers;
    const auto run = run_gpu(drivers.with_matrix_library("good"), vendor);
    EXPECT_EQ(run.exit_code, 0) << run.report.dump(1);
    const std::string name = vendor == std::string("cuda") ? "cuBLASLt" : "hipBLASLt";
    EXPECT_EQ(run.device().at("matrix_library").at("name"), name);
    EXPECT_THAT(checks_by_library(run), testing::ElementsAre("fp64 by " + name, "fp32 by " + name, "tf32 by " + name,
                                                             "bf16 by " + name, "fp16 by " + name, "int8 by " + name));
  }
}

TEST(MatrixLibrary, IsNotMissed) {
  const auto run = run_gpu(Drivers().named("good"));
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_THAT(std::string(run.device().at("matrix_library").at("why_not")), HasSubstr("libcublasLt"));
  const Drivers drivers;
  const auto refused = run_gpu(drivers.with_matrix_library("library-create-1"));
  EXPECT_EQ(refused.exit_code, 0);
  EXPECT_THAT(std::string(refused.device().at("matrix_library").at("why_not")), HasSubstr("refused"));
}

TEST(MatrixLibrary, NeedNotHaveEveryProduct) {
  const Drivers drivers;
  const auto run = run_gpu(drivers.with_matrix_library("library-refuses"), "hip");
  EXPECT_EQ(run.exit_code, 0) << run.report.dump(1);
  EXPECT_EQ(checks_by_library(run).size(), 5U);
  EXPECT_THAT(std::string(run.device().at("matrix_library").at("refused").at(0)), HasSubstr("fp64"));
}

class LyingLibrary : public testing::TestWithParam<Manner> {};
TEST_P(LyingLibrary, IsFound) {
  const Drivers drivers;
  expect_outcome(run_gpu(drivers.with_matrix_library(GetParam().name), "cuda", {"--timeout", "20"}), GetParam());
}
INSTANTIATE_TEST_SUITE_P(Drivers, LyingLibrary,
                         testing::Values(Manner{"library-flip", 2, "mismatch",
                                                "columns have wrong sums, the first at 0,1"},
                                         Manner{"library-nothing", 2, "mismatch", "65536 elements are no result"},
                                         Manner{"crash-library", 2, "crashed", "at product fp64 by cuBLASLt"},
                                         Manner{"hang-library", 2, "unresponsive", "at product fp64 by cuBLASLt"}),
                         &name_of);

TEST(MatrixLibrary, IsCheckedItself) {
  const Drivers drivers;
  const auto run = run_gpu(drivers.with_matrix_library("good"), "cuda", {"--inject", "flip-library"});
  expect_outcome(
      run, {"", 2, "mismatch",
            "fp64 by cuBLASLt: 1 elements are no result; 1 rows and 1 columns have wrong sums, the first at 128,85"});
}

class Memory : public testing::TestWithParam<Manner> {};
TEST_P(Memory, CountsBesideTheSums) {
  const Drivers drivers;
  const auto run = run_gpu(drivers.managed(GetParam().name), "cuda", {"--timeout", "20"});
  expect_outcome(run, GetParam());
}
INSTANTIATE_TEST_SUITE_P(Managed, Memory,
                         testing::Values(Manner{"good", 0, "pass", ""},
                                         Manner{"ecc-2", 2, "device-error", "2 memory errors that could not be"},
                                         Manner{"corrected-3", 0, "pass", "3 memory errors were corrected"},
                                         Manner{"remap-failed", 2, "device-error", "no spare row is left"},
                                         Manner{"remap-pending", 0, "pass", "until the next reset"},
                                         // C156: what is not kept is neither healthy nor broken; an error is told.
                                         Manner{"ecc-off", 0, "pass", ""}, Manner{"nvml-18", 0, "pass", ""},
                                         Manner{"lost-15", 0, "pass", "nvmlDeviceGetTotalEccErrors: 15 test error"},
                                         // A wrong sum stays what it is.
                                         Manner{"flip", 2, "mismatch", "1 rows"}),
                         &name_of);

TEST(GpuCommand, TellsWhatTheMemoryWentThrough) {
  const Drivers drivers;
  const auto known = run_gpu(drivers.managed("good")).device();
  EXPECT_EQ(known.at("memory_health"), json::parse(R"({"ecc": true, "corrected_errors": 5, "uncorrected_errors": 5,
    "remapped_rows": 3, "reset_pending": false, "remap_failed": false})"));
  EXPECT_EQ(known.at("not_covered"), json::parse(R"(["fp8"])"));
  const auto unknown = run_gpu(Drivers().named("good")).device();
  EXPECT_FALSE(unknown.contains("memory_health"));
  EXPECT_THAT(unknown.at("not_covered"), Contains("memory errors"));
  EXPECT_FALSE(run_gpu(Drivers().managed("ecc-off")).device().contains("memory_health"));
  EXPECT_EQ(run_gpu(Drivers().managed("lost-15")).device().at("memory_health").at("trouble"),
            "nvmlDeviceGetTotalEccErrors: 15 test error");
}

TEST(GpuCommand, AManagementLibraryThatHangsCostsItsDeadline) {
  const auto run = run_gpu(Drivers().managed("hang-nvml"), "cuda", {"--timeout", "1"});
  EXPECT_EQ(run.exit_code, 2) << run.report.dump(1);
  EXPECT_EQ(run.reason(), "unresponsive");
  EXPECT_THAT(std::string(run.device().at("sentence")), HasSubstr("at nvml"));
}

// C158.
TEST(GpuCommand, ExaminesEachInstanceOfMig) {
  const Drivers drivers;
  const std::string library = drivers.managed("mig-3");
  const auto run = run_gpu(library);
  EXPECT_EQ(run.exit_code, 0) << run.report.dump(1);
  ASSERT_EQ(run.report.at("devices").size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string uuid = "MIG-" + std::to_string(i);
    EXPECT_EQ(run.device(i).at("uuid"), uuid);
    EXPECT_EQ(run.device(i).at("index"), i);
    EXPECT_EQ(run.device(i).at("name"), "Test GPU " + uuid) << "its worker saw another";
    EXPECT_EQ(run.device(i).at("pci"), "0000:33:00.0");
  }
  const auto one = run_gpu(library, "cuda", {"--device", "1"});
  ASSERT_EQ(one.report.at("devices").size(), 1U);
  EXPECT_EQ(one.device().at("uuid"), "MIG-1");
  // Who chose already is not asked for more.
  ::setenv("CUDA_VISIBLE_DEVICES", "MIG-2", 1);
  const auto chosen = run_gpu(library);
  ::unsetenv("CUDA_VISIBLE_DEVICES");
  ASSERT_EQ(chosen.report.at("devices").size(), 1U);
  EXPECT_EQ(chosen.device().at("name"), "Test GPU MIG-2");
  EXPECT_FALSE(chosen.device().contains("uuid"));
}

// Without the management library its sisters are not known.
TEST(GpuCommand, OneInstanceOfMigAloneIsNoPass) {
  const auto run = run_gpu(Drivers().named("mig-3"));
  EXPECT_EQ(run.exit_code, 1) << run.report.dump(1);
  EXPECT_EQ(run.device().at("outcome"), "pass");
  EXPECT_THAT(run.report.at("notes"), Contains("0000:33:00.0: only one instance of MIG was seen"));
}

// The worst reading would be that nothing is wrong.
TEST(GpuCommand, MigWithoutAnInstanceIsNoPass) {
  const auto run = run_gpu(Drivers().managed("mig-0"));
  EXPECT_EQ(run.exit_code, 1) << run.report.dump(1);
  EXPECT_EQ(run.reason(), "mig");
  EXPECT_EQ(run.device().at("pci"), "0000:33:00.0");
}

class Faults : public testing::TestWithParam<Manner> {};
TEST_P(Faults, ArePlantedAndFound) {
  const auto run = run_gpu(Drivers().named("good"), "hip", {"--inject", GetParam().name});
  expect_outcome(run, GetParam());
}
INSTANTIATE_TEST_SUITE_P(Planted, Faults,
                         testing::Values(Manner{"flip-product", 2, "mismatch", "the first at 128,85"},
                                         Manner{"skip-product", 2, "mismatch", "no result"},
                                         Manner{"stale-product", 2, "mismatch", "fp64"},
                                         Manner{"flip-data", 2, "mismatch", "permutation: 1 of 4096"},
                                         Manner{"lost-addition", 2, "mismatch", "atomics"},
                                         Manner{"flip-pattern", 2, "mismatch", "the first at byte 304"},
                                         Manner{"flip-pinned", 2, "mismatch", "pinned: 1 of 4096"},
                                         Manner{"crash", 2, "crashed", "at load"},
                                         Manner{"silent", 1, "incomplete", "before it was done"}),
                         &name_of);

// Each costs its deadline and no more, and says where it stands.
TEST(GpuCommand, LeavesADriverThatHangsBehind) {
  for (const auto& [manner, place] : {std::pair{"hang-init", "at init"}, {"hang-launch", "at product fp64"}}) {
    const auto run = run_gpu(Drivers().named(manner), "cuda", {"--timeout", "1"});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(run.reason(), "unresponsive");
    EXPECT_THAT(std::string(run.device().at("sentence")), HasSubstr(place));
  }
}

// C155: what nobody can end is left behind, and no second one is put beside it.
TEST(GpuCommand, StartsNoSecondWorkerBesideOneThatHangs) {
  const Drivers drivers;
  const auto library = drivers.named("stuck-init");
  const auto first = run_gpu(library, "cuda", {"--timeout", "1"});
  EXPECT_EQ(first.reason(), "unresponsive");
  EXPECT_EQ(processes_with(library).size(), 1U);
  const auto second = run_gpu(library, "cuda", {"--timeout", "1"});
  EXPECT_EQ(second.exit_code, 1);
  EXPECT_EQ(second.reason(), "busy");
  EXPECT_THAT(std::string(second.device().at("sentence")), HasSubstr("hangs in it"));
  const auto left = processes_with(library);
  EXPECT_EQ(left.size(), 1U);
  for (const auto pid : left) ::kill(pid, SIGKILL);
  // With it the claim is gone.
  EXPECT_EQ(run_gpu(library, "cuda", {"--timeout", "1"}).reason(), "unresponsive");
  for (const auto pid : processes_with(library)) ::kill(pid, SIGKILL);
}

TEST(GpuCommand, FallsBackToPtxThatAnOldDriverKnows) {
  const auto run = run_gpu(Drivers().named("old-driver"));
  if (run.exit_code == 1 && run.reason() == "old-driver") GTEST_SKIP() << "this build has no PTX";
  EXPECT_EQ(run.exit_code, 0) << run.report.dump(1);
  EXPECT_THAT(std::string(run.device().at("code")), HasSubstr("PTX"));
}

TEST(GpuCommand, ExaminesEveryDevice) {
  const auto run = run_gpu(Drivers().named("devices-3"), "hip", {"--expect-gpus", "3"});
  EXPECT_EQ(run.exit_code, 0) << run.report.dump(1);
  ASSERT_EQ(run.report.at("devices").size(), 3U);
  EXPECT_EQ(run.device(2).at("pci"), "0000:35:00.0");
}

TEST(GpuCommand, FailsWhenThereAreFewerThanExpected) {
  const auto run = run_gpu(Drivers().named("devices-2"), "hip", {"--expect-gpus", "3"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.report.at("notes").dump(), HasSubstr("3 GPUs are expected, 2 are there"));
}

TEST(GpuCommand, MayTakeABusyDeviceForGood) {
  const auto run = run_gpu(Drivers().named("context-46"), "cuda", {"--ok-if", "busy,in-use"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.device().at("outcome"), "not evaluated");
  EXPECT_EQ(run_gpu(Drivers().named("full"), "cuda", {"--ok-if", "busy"}).exit_code, 1);
}

TEST(GpuCommand, ExaminesTheDeviceThatWasNamed) {
  const auto run = run_gpu(Drivers().named("devices-3"), "hip", {"--device", "1"});
  ASSERT_EQ(run.report.at("devices").size(), 1U);
  EXPECT_EQ(run.device().at("index"), 1);
}

TEST(GpuCommand, NamesAProcessorThatStandsInForAGpu) {
  const auto run = run_gpu(Drivers().named("opencl-cpu"), "opencl");
  if (run.reason() == "permission") GTEST_SKIP() << "no mount namespace can be had here";
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.reason(), "cpu-fallback");
  EXPECT_EQ(run_gpu(Drivers().named("opencl-gpu"), "opencl").exit_code, 1);
  EXPECT_EQ(run_gpu(Drivers().named("opencl-none"), "opencl").exit_code, 1);
}

// As root the real libraries make /dev/nvidiactl and run a setuid program.
TEST(GpuCommand, GivesTheLibraryNeitherNodesNorPrograms) {
  const TemporaryFolder folder;
  if (::mknod((folder.path() + "/node").c_str(), S_IFCHR | 0600, makedev(1, 3)) != 0)
    GTEST_SKIP() << "who runs the tests may make no nodes either";
  EXPECT_EQ(run_gpu(Drivers().named("escape")).exit_code, 0);
}

TEST(GpuCommand, SaysWhatIsMissingWithoutAGpu) {
  if (fs::exists("/dev/kfd") || fs::exists("/proc/driver/nvidia")) GTEST_SKIP() << "this machine has a GPU";
  const auto run = run_program({"gpu"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.out, HasSubstr("not evaluated"));
  EXPECT_EQ(run_program({"gpu", "--expect-gpus", "1"}).exit_code, 2);
}

// The toolkit's own stub, where one is: a real library that is no driver.
TEST(GpuCommand, KnowsTheToolkitsStub) {
  for (const auto* stub : {"/usr/local/cuda/lib64/stubs/libcuda.so", "/usr/lib/x86_64-linux-gnu/stubs/libcuda.so"}) {
    if (!fs::exists(stub)) continue;
    const auto run = run_gpu(stub);
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_EQ(run.reason(), "stub-library");
    return;
  }
  GTEST_SKIP() << "no CUDA toolkit is here";
}

// Vendors' libraries are the worker's alone, and that one opens them by itself.
TEST(GpuCommand, NeitherProgramIsLinkedToAVendor) {
  for (const auto& program : {program_path(), fs::path(program_path()).parent_path().string() + "/gpu-worker"}) {
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(("ldd " + program).c_str(), "r"), &::pclose);
    ASSERT_NE(pipe, nullptr);
    std::string text(65536, '\0');
    text.resize(std::fread(text.data(), 1, text.size(), pipe.get()));
    EXPECT_THAT(text, HasSubstr("libc.so"));
    for (const auto* vendor : {"cuda", "nvidia", "hip", "hsa", "OpenCL"})
      EXPECT_THAT(text, testing::Not(HasSubstr(vendor))) << program;
  }
}

// A program in the worker's place.
std::string scripted_worker(const TemporaryFolder& folder, const std::string& script) {
  const std::string worker = folder.path() + "/worker";
  std::ofstream(worker) << "#!/bin/sh\n" << script;
  ::chmod(worker.c_str(), 0755);
  return worker;
}

constexpr const char* kSaysADevice =
    "echo '{\"kind\":\"driver\",\"vendor\":\"cuda\",\"version\":1,\"devices\":1}'\n"
    "echo '{\"kind\":\"device\",\"index\":0,\"name\":\"x\",\"pci\":\"0000:33:00.0\"}'\n";

// A worker that is not ours can claim what it likes.
TEST(GpuCommand, BelievesNoWorkerThatOnlyClaims) {
  const TemporaryFolder folder;
  const auto worker = scripted_worker(folder, std::string(kSaysADevice) + "echo '{\"kind\":\"end\"}'\n");
  auto run = run_gpu("/none", "cuda", {"--worker", worker});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(run.reason(), "incomplete");
  run = run_gpu("/none", "cuda", {"--worker", folder.path() + "/none"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(std::string(run.device().at("sentence")), HasSubstr("could not be started"));
}

TEST(MatrixLibrary, HasOneOfTwoNames) {
  const TemporaryFolder folder;
  const auto worker =
      scripted_worker(folder, std::string(kSaysADevice) +
                                  "echo '{\"kind\":\"library\",\"name\":\"\\u001b[2J\"}'\necho '{\"kind\":\"end\"}'\n");
  const auto run = run_gpu("/none", "cuda", {"--worker", worker});
  EXPECT_EQ(run.reason(), "incomplete");
  EXPECT_EQ(checks_by_library(run).size(), 0U);
  EXPECT_THAT(std::string(run.device().at("sentence")), HasSubstr("a library that is known"));
}

TEST(GpuCommand, SurvivesAWorkerThatSaysNonsense) {
  const TemporaryFolder folder;
  const auto worker = scripted_worker(folder, "while true; do echo '{\"kind\":\"device\",\"index\":0}'; done\n");
  auto run = run_gpu("/none", "cuda", {"--worker", worker});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(std::string(run.device().at("sentence")), HasSubstr("says too much"));
  scripted_worker(folder, "while true; do printf 0123456789abcdef; done\n");
  run = run_gpu("/none", "cuda", {"--worker", worker});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(std::string(run.device().at("sentence")), HasSubstr("too long"));
}

}  // namespace
}  // namespace gpuharden::test
