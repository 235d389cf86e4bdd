// SPDX-License-Identifier: GPL-2.0-or-later
// What the build compiled for GPUs, without one: every kernel is there, with the parameters that the worker passes, for
// the architecture that the object is named after.
#include "kernels/worker/code_objects.h"

#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>

#include "kernels/host/host_kernels.h"

namespace gpuharden::test {
namespace {
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

TEST(CodeObjects, OfAmdHoldEveryKernelForTheirArchitecture) {
  const auto objects = objects_of(CodeKind::kAmd);
  if (objects.empty()) GTEST_SKIP() << "no clang with lld was here when this was built";
  for (const auto& object : objects) {
    const std::string bytes = bytes_of(object);
    Elf64_Ehdr header;
    ASSERT_GT(bytes.size(), sizeof header);
    std::memcpy(&header, bytes.data(), sizeof header);
    EXPECT_EQ(header.e_machine, 0xe0);
    EXPECT_EQ(header.e_flags & 0xffU, machine_of(object.architecture)) << object.architecture;
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
    EXPECT_EQ(found, expected_parameters()) << object.architecture;
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
