// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernels/worker/driver.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "kernels/device/target.h"
#include "kernels/worker/amd_architecture.h"
#include "kernels/worker/code_objects.h"

namespace gpuharden::kernels {
namespace {

constexpr int kComputeMajor = 75;
constexpr int kComputeMinor = 76;
constexpr int kMultiprocessors = 16;
constexpr int kClockKhz = 13;

// Codes that a load gives when the code object does not fit the driver or the chip.
bool does_not_fit(const Problem& problem) { return problem.reason == "no-code" || problem.reason == "old-driver"; }

int number_of(std::string_view architecture) {
  int number = 0;
  const auto digits = architecture.substr(std::min<std::size_t>(3, architecture.size()));
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

// Fat binaries first; PTX for an older architecture is compiled by the driver; newest first.
bool may_fit(const CodeObject& object, const DeviceFacts& facts, Vendor vendor) {
  if (vendor == Vendor::kHip)
    return object.kind == CodeKind::kAmd && (facts.architecture.empty() || facts.architecture == object.architecture);
  if (object.kind == CodeKind::kFatBinary) return true;
  return object.kind == CodeKind::kPtx && number_of(object.architecture) <= number_of(facts.architecture);
}

}  // namespace

std::string_view to_string(Vendor vendor) { return vendor == Vendor::kCuda ? "cuda" : "hip"; }

template <typename Function, typename... Arguments>
Failure Driver::call(const char* name, Function function, Arguments... arguments) const {
  return checked(name, function(arguments...));
}

Failure Driver::checked(const char* name, int code) const {
  if (code == 0) return std::nullopt;
  const char* text = nullptr;
  if (calls_.error_name != nullptr) calls_.error_name(code, &text);
  if (calls_.error_text != nullptr) text = calls_.error_text(code);
  return Problem{reason_of(vendor_, code), name, code, text == nullptr ? "" : text};
}

Failure Driver::open(const std::string& library) {
  const std::string stem = vendor_ == Vendor::kCuda ? "libcuda.so" : "libamdhip64.so";
  const bool chosen = !library.empty();
  GH_TRY(library_.open(chosen ? std::vector<std::string>{library} : find_libraries(stem), stem, !chosen));
  return resolve();
}

Failure Driver::start(int* devices) {
  GH_TRY(call("init", calls_.init, 0U));
  GH_TRY(call("driver version", calls_.version, &version_));
  GH_TRY(call("device count", calls_.count, devices));
  if (*devices <= 0) return Problem{"no-device", "device count", 0, "the driver shows no device"};
  return std::nullopt;
}

Failure Driver::describe(int device, DeviceFacts* facts) {
  int handle = 0;
  GH_TRY(call("device", calls_.device, &handle, device));
  std::array<char, 256> text{};
  GH_TRY(call("device name", calls_.name, text.data(), static_cast<int>(text.size() - 1), handle));
  facts->name = text.data();
  text = {};
  GH_TRY(call("PCI address", calls_.pci, text.data(), static_cast<int>(text.size() - 1), handle));
  facts->pci = text.data();
  std::transform(facts->pci.begin(), facts->pci.end(), facts->pci.begin(),
                 [](char c) { return c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c; });
  std::size_t total = 0;
  GH_TRY(call("total memory", calls_.total, &total, handle));
  facts->memory = total;
  if (vendor_ == Vendor::kHip) {
    const auto amd = amd_architecture_of(facts->pci);
    facts->architecture = amd.architecture;
    facts->units = amd.units;
    facts->clock_mhz = amd.clock_mhz;
    return std::nullopt;
  }
  std::array<int, 4> values{};
  constexpr std::array<int, 4> kAttributes = {kComputeMajor, kComputeMinor, kMultiprocessors, kClockKhz};
  for (std::size_t i = 0; i < values.size(); ++i)
    GH_TRY(call("device attribute", calls_.attribute, &values.at(i), kAttributes.at(i), handle));
  facts->architecture = "sm_" + std::to_string(values[0]) + std::to_string(values[1]);
  facts->units = static_cast<std::uint32_t>(std::max(values[2], 0));
  facts->clock_mhz = static_cast<std::uint32_t>(std::max(values[3], 0)) / 1000;
  return std::nullopt;
}

Failure Driver::use(int device) {
  if (vendor_ == Vendor::kHip) {
    GH_TRY(call("set device", calls_.set_device, device));
  } else {
    int handle = 0;
    void* context = nullptr;
    GH_TRY(call("device", calls_.device, &handle, device));
    GH_TRY(call("context", calls_.retain, &context, handle));
    GH_TRY(call("current context", calls_.make_current, context));
  }
  for (auto& event : events_) {
    if (event == nullptr) GH_TRY(call("new event", calls_.new_event, &event, 0U));
  }
  return std::nullopt;
}

Failure Driver::load_kernels(const DeviceFacts& facts, std::string* loaded) {
  Failure last = Problem{"no-code", "", 0, "this build has no kernels for " + facts.architecture};
  for (const auto& object : code_objects()) {
    if (!may_fit(object, facts, vendor_)) continue;
    last = call("load module", calls_.load, &module_, static_cast<const void*>(object.bytes.data()));
    if (!last) {
      constexpr std::array<const char*, 3> kKinds = {"fat binary", "PTX", "code object"};
      *loaded = std::string(kKinds.at(static_cast<std::size_t>(object.kind))) + " " + object.architecture;
      return std::nullopt;
    }
    if (!does_not_fit(*last)) return last;
  }
  return last;
}

Failure Driver::free_memory(std::uint64_t* bytes) {
  std::size_t available = 0;
  std::size_t total = 0;
  GH_TRY(call("free memory", calls_.memory, &available, &total));
  *bytes = available;
  return std::nullopt;
}

Failure Driver::allocate(std::uint64_t bytes, Address* address) {
  return call("allocate", calls_.allocate, address, static_cast<std::size_t>(bytes));
}
Failure Driver::release(Address address) { return call("release", calls_.release, address); }
Failure Driver::pinned(std::uint64_t bytes, void** memory) {
  return call("allocate pinned", calls_.pinned, memory, static_cast<std::size_t>(bytes), 0U);
}
Failure Driver::upload(Address to, std::span<const std::byte> from) {
  return call("copy to device", calls_.upload, to, static_cast<const void*>(from.data()), from.size());
}
Failure Driver::download(std::span<std::byte> to, Address from) {
  return call("copy to host", calls_.download, static_cast<void*>(to.data()), from, to.size());
}
Failure Driver::copy(Address to, Address from, std::uint64_t bytes) {
  return call("copy on device", calls_.copy, to, from, static_cast<std::size_t>(bytes));
}

Failure Driver::launch(const std::string& kernel, std::uint32_t blocks_x, std::uint32_t blocks_y, void** arguments) {
  void* function = nullptr;
  GH_TRY(call("get function", calls_.function, &function, module_, kernel.c_str()));
  return call("launch", calls_.launch, function, blocks_x, blocks_y, 1U, kBlockThreads, 1U, 1U, 0U,
              static_cast<void*>(nullptr), arguments, static_cast<void**>(nullptr));
}

// An error of a kernel that was launched before shows here.
Failure Driver::finish() { return call("finish", calls_.finish); }

Failure Driver::start_clock() { return call("record event", calls_.record, events_[0], static_cast<void*>(nullptr)); }

Failure Driver::stop_clock(double* microseconds) {
  GH_TRY(call("record event", calls_.record, events_[1], static_cast<void*>(nullptr)));
  GH_TRY(call("wait for event", calls_.wait, events_[1]));
  float milliseconds = 0;
  GH_TRY(call("elapsed time", calls_.elapsed, &milliseconds, events_[0], events_[1]));
  *microseconds = static_cast<double>(milliseconds) * 1000;
  return std::nullopt;
}

}  // namespace gpuharden::kernels
