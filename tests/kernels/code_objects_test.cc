// SPDX-License-Identifier: GPL-2.0-or-later
// What the build compiled for GPUs, without one: every kernel is there, with the parameters that the worker passes, for
// the architecture that the object is named after.
#include "kernels/worker/code_objects.h"

#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>

#include "kernels/host/host_kernels.h"
#include "tests/support/capture.h"
#include "tests/support/program.h"

namespace gpuharden::test {
namespace {
namespace fs = std::filesystem;
using kernels::CodeKind;
using kernels::CodeObject;
using testing::HasSubstr;
using Parameters = std::map<std::string, std::vector<std::size_t>>;

Parameters expected_parameters() {
  Parameters expected;
  for (const auto name : kernels::host_kernel_names())
    expected[std::string(name)] = kernels::host_kernel_parameters(name);
  return expected;
}

std::string bytes_of(const CodeObject& object) { return {object.bytes.begin(), object.bytes.end()}; }

std::vector<CodeObject> objects_of(CodeKind kind) {
  std::vector<CodeObject> found;
  for (const auto& object : kernels::code_objects()) {
    if (object.kind == kind) found.push_back(object);
  }
  return found;
}

std::vector<std::size_t> sizes_in_ptx(const std::string& list) {
  static const std::regex parameter(R"(\.param \.[a-z](\d+))");
  std::vector<std::size_t> sizes;
  for (auto it = std::sregex_iterator(list.begin(), list.end(), parameter); it != std::sregex_iterator(); ++it)
    sizes.push_back(std::stoul((*it)[1]) / 8);
  return sizes;
}

Parameters parameters_in_ptx(const std::string& text) {
  Parameters found;
  const std::string mark = ".visible .entry ";
  for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1)) {
    const auto open = text.find('(', at);
    const auto close = text.find(')', open);
    found[text.substr(at + mark.size(), open - at - mark.size())] = sizes_in_ptx(text.substr(open, close - open));
  }
  return found;
}

TEST(CodeObjects, PtxHoldsEveryKernelForItsArchitecture) {
  const auto objects = objects_of(CodeKind::kPtx);
  if (objects.empty()) GTEST_SKIP() << "no clang that writes PTX was here when this was built";
  for (const auto& object : objects) {
    const std::string text = bytes_of(object);
    EXPECT_EQ(text.back(), '\0');
    EXPECT_THAT(text, HasSubstr(std::string(".target ") + object.architecture));
    EXPECT_EQ(parameters_in_ptx(text), expected_parameters()) << object.architecture;
  }
}

// The message pack in the note of type 32 that AMD's loader reads.
nlohmann::json amd_metadata(const std::string& bytes) {
  Elf64_Ehdr header;
  std::memcpy(&header, bytes.data(), sizeof header);
  for (int i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section;
    std::memcpy(&section, bytes.data() + header.e_shoff + static_cast<std::size_t>(i) * header.e_shentsize,
                sizeof section);
    if (section.sh_type != SHT_NOTE) continue;
    Elf64_Nhdr note;
    std::memcpy(&note, bytes.data() + section.sh_offset, sizeof note);
    const auto from = section.sh_offset + sizeof note + (note.n_namesz + 3) / 4 * 4;
    if (note.n_type == 32) return nlohmann::json::from_msgpack(bytes.substr(from, note.n_descsz));
  }
  return {};
}

// EF_AMDGPU_MACH, as LLVM's "User Guide for AMDGPU Backend" lists it.
std::uint32_t machine_of(const std::string& architecture) {
  static const std::map<std::string, std::uint32_t> machines = {
      {"gfx900", 0x2c},  {"gfx906", 0x2f},  {"gfx908", 0x30},  {"gfx90a", 0x3f},  {"gfx942", 0x4c},  {"gfx950", 0x4f},
      {"gfx1030", 0x36}, {"gfx1100", 0x41}, {"gfx1101", 0x46}, {"gfx1102", 0x47}, {"gfx1200", 0x48}, {"gfx1201", 0x4e}};
  return machines.at(architecture);
}

void expect_kernels_of_amd(const std::string& bytes, const std::string& architecture) {
  Elf64_Ehdr header;
  ASSERT_GT(bytes.size(), sizeof header);
  std::memcpy(&header, bytes.data(), sizeof header);
  EXPECT_EQ(header.e_machine, 0xe0);
  EXPECT_EQ(header.e_flags & 0xffU, machine_of(architecture)) << architecture;
  Parameters found;
  const auto metadata = amd_metadata(bytes);
  for (const auto& kernel : metadata.at("amdhsa.kernels")) {
    std::vector<std::size_t> sizes;
    for (const auto& argument : kernel.value(".args", nlohmann::json::array())) {
      if (!argument.at(".value_kind").get<std::string>().starts_with("hidden")) sizes.push_back(argument.at(".size"));
    }
    found[kernel.at(".name")] = sizes;
    EXPECT_EQ(kernel.at(".max_flat_workgroup_size"), 256);
    EXPECT_LE(kernel.at(".group_segment_fixed_size"), 65536);
  }
  EXPECT_EQ(found, expected_parameters()) << architecture;
}

TEST(CodeObjects, OfAmdHoldEveryKernelForTheirArchitecture) {
  const auto objects = objects_of(CodeKind::kAmd);
  if (objects.empty()) GTEST_SKIP() << "neither clang with lld nor hipcc was here when this was built";
  for (const auto& object : objects) expect_kernels_of_amd(bytes_of(object), object.architecture);
}

// Debian's hipcc, unpacked with its clang where ./dev test put it, started as the build would.
std::vector<std::string> unpacked_hipcc(const fs::path& folder) {
  const std::string hip = folder / "hip/usr";
  const std::string llvm = folder / "pocl/usr/lib";
  return {"/usr/bin/env",
          "LD_LIBRARY_PATH=" + llvm + "/x86_64-linux-gnu:" + llvm + "/llvm-15/lib",
          "HIP_CLANG_PATH=" + hip + "/lib/llvm-15/bin",
          "ROCM_PATH=" + hip,
          "HIP_PATH=" + hip,
          "HIP_PLATFORM=amd",
          "HIP_RUNTIME=rocclr",
          "/usr/bin/perl",
          hip + "/bin/hipcc"};
}

TEST(CodeObjects, HipccMakesTheSameKernels) {
  const char* folder = std::getenv("GPUHARDEN_REAL_DRIVERS");
  if (folder == nullptr || !fs::exists(fs::path(folder) / "hip/usr/bin/hipcc")) GTEST_SKIP() << "hipcc was not fetched";
  const TemporaryFolder out;
  for (const std::string architecture : {"gfx900", "gfx90a", "gfx1030"}) {
    const std::string object = fs::path(out.path()) / architecture;
    auto command = unpacked_hipcc(folder);
    for (const auto& word : {"--genco", "-std=c++17", "--no-gpu-bundle-output", "-nogpulib", "-nogpuinc",
                             "-mcode-object-version=4", "-O1"})
      command.emplace_back(word);
    command.insert(command.end(), {"--offload-arch=" + architecture, "-I" + source_path(""),
                                   source_path("kernels/device/kernels.cc"), "-o", object});
    const auto run = run_command(command);
    ASSERT_EQ(run.exit_code, 0) << run.out << run.err;
    expect_kernels_of_amd(read_file(object), architecture);
  }
}

TEST(CodeObjects, OfNvccAreAFatBinary) {
  const auto objects = objects_of(CodeKind::kFatBinary);
  if (objects.empty()) GTEST_SKIP() << "no nvcc was here when this was built";
  constexpr std::string_view kMagic = "\x50\xed\x55\xba";
  for (const auto& object : objects) {
    const std::string bytes = bytes_of(object);
    EXPECT_EQ(bytes.substr(0, 4), kMagic);
    for (const auto name : kernels::host_kernel_names()) EXPECT_THAT(bytes, HasSubstr(std::string(name)));
  }
}

}  // namespace
}  // namespace gpuharden::test
