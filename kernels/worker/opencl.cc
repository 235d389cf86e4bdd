// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernels/worker/opencl.h"

#include <array>
#include <cstdint>
#include <vector>

#include "kernels/worker/library.h"
#include "kernels/worker/lines.h"

namespace gpuharden::kernels {
namespace {

constexpr std::uint32_t kMost = 64;
constexpr std::uint64_t kAll = 0xFFFFFFFFU;
constexpr std::uint64_t kCpu = 2;
constexpr std::uint64_t kGpu = 4;
constexpr std::uint32_t kType = 0x1000;
constexpr std::uint32_t kName = 0x102B;
constexpr int kNoDevice = -1;
constexpr int kNoPlatform = -1001;

struct Calls {
  int (*platforms)(std::uint32_t, void**, std::uint32_t*) = nullptr;
  int (*devices)(void*, std::uint64_t, std::uint32_t, void**, std::uint32_t*) = nullptr;
  int (*info)(void*, std::uint32_t, std::size_t, void*, std::size_t*) = nullptr;
};

Problem refused(const char* call, int code) { return {"error", call, code < 0 ? -code : code, "OpenCL"}; }

Failure list_devices(const Calls& calls, void* platform, std::uint64_t* index) {
  std::array<void*, kMost> devices{};
  std::uint32_t count = 0;
  const int code = calls.devices(platform, kAll, kMost, devices.data(), &count);
  if (code == kNoDevice) return std::nullopt;
  if (code != 0) return refused("clGetDeviceIDs", code);
  for (std::uint32_t i = 0; i < count && i < kMost; ++i) {
    std::uint64_t type = 0;
    std::array<char, 256> name{};
    if (const int asked = calls.info(devices.at(i), kType, sizeof type, &type, nullptr); asked != 0)
      return refused("clGetDeviceInfo", asked);
    if (const int asked = calls.info(devices.at(i), kName, name.size() - 1, name.data(), nullptr); asked != 0)
      return refused("clGetDeviceInfo", asked);
    const char* word = (type & kGpu) != 0 ? "gpu" : (type & kCpu) != 0 ? "cpu" : "other";
    Line("device").number("index", (*index)++).text("name", name.data()).text("type", word).send();
  }
  return std::nullopt;
}

}  // namespace

Failure list_opencl(const std::string& path) {
  const bool chosen = !path.empty();
  Library library;
  GH_TRY(
      library.open(chosen ? std::vector<std::string>{path} : find_libraries("libOpenCL.so"), "libOpenCL.so", !chosen));
  Calls calls;
  calls.platforms = reinterpret_cast<decltype(calls.platforms)>(library.symbol("clGetPlatformIDs"));
  calls.devices = reinterpret_cast<decltype(calls.devices)>(library.symbol("clGetDeviceIDs"));
  calls.info = reinterpret_cast<decltype(calls.info)>(library.symbol("clGetDeviceInfo"));
  if (calls.platforms == nullptr || calls.devices == nullptr || calls.info == nullptr)
    return Problem{"stub-library", "dlsym", 0, library.path() + " lacks functions"};
  std::array<void*, kMost> platforms{};
  std::uint32_t count = 0;
  const int code = calls.platforms(kMost, platforms.data(), &count);
  if (code != 0 && code != kNoPlatform) return refused("clGetPlatformIDs", code);
  Line("driver").text("vendor", "opencl").text("library", library.path()).send();
  std::uint64_t index = 0;
  for (std::uint32_t i = 0; i < count && i < kMost && code == 0; ++i)
    GH_TRY(list_devices(calls, platforms.at(i), &index));
  return std::nullopt;
}

}  // namespace gpuharden::kernels
