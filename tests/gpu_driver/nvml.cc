// SPDX-License-Identifier: GPL-2.0-or-later
// NVIDIA's management library, as far as the worker calls it: "mig-3.so" has three instances, "ecc-2.so" loses data
// twice while a device is examined.
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "tests/gpu_driver/manner.h"

namespace gpuharden::test {
namespace {

constexpr int kNotSupported = 3;
constexpr int kNotFound = 6;

void* device(std::uintptr_t number) { return reinterpret_cast<void*>(number + 1); }
std::uintptr_t number_of(void* handle) { return reinterpret_cast<std::uintptr_t>(handle) - 1; }

bool has_mig() { return manner().rfind("mig-", 0) == 0; }

struct PciInfo {
  char short_address[16];
  std::uint32_t domain, bus, device, id, subsystem;
  char address[32];
};

}  // namespace
}  // namespace gpuharden::test

using namespace gpuharden::test;

extern "C" {
int nvmlInit_v2() {
  misbehave_in("nvml");
  return manner_number("nvml-", 0);
}
int nvmlDeviceGetCount_v2(unsigned* out) { return *out = 1, 0; }
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** out) { return *out = device(index), 0; }
int nvmlDeviceGetHandleByPciBusId_v2(const char* address, void** out) {
  *out = device(0);
  return std::strcmp(address, "0000:33:00.0") == 0 ? 0 : kNotFound;
}
int nvmlDeviceGetPciInfo_v3(void*, PciInfo* out) {
  *out = {};
  std::snprintf(out->address, sizeof out->address, "00000000:33:00.0");
  return 0;
}
// Instances have numbers from 100.
int nvmlDeviceGetUUID(void* handle, char* out, unsigned size) {
  const auto number = static_cast<int>(number_of(handle));
  std::snprintf(out, size, number < 100 ? "GPU-%d" : "MIG-%d", number % 100);
  return 0;
}
int nvmlDeviceGetMigMode(void*, unsigned* current, unsigned* pending) {
  *current = *pending = has_mig() ? 1 : 0;
  return is_manner("ecc-off") ? kNotSupported : 0;
}
int nvmlDeviceGetMaxMigDeviceCount(void*, unsigned* out) { return *out = 7, 0; }
int nvmlDeviceGetMigDeviceHandleByIndex(void*, unsigned index, void** out) {
  *out = device(100 + index);
  return static_cast<int>(index) < manner_number("mig-", 0) ? 0 : kNotFound;
}
int nvmlDeviceGetEccMode(void*, int* current, int* pending) {
  *current = *pending = 1;
  return is_manner("ecc-off") ? kNotSupported : 0;
}
// The first look at each counter is before the checks.
int nvmlDeviceGetTotalEccErrors(void*, int kind, int, unsigned long long* out) {
  static int looks[2] = {0, 0};
  const bool is_later = looks[kind]++ > 0;
  *out = 5;
  if (is_later && kind == 1) *out += static_cast<unsigned>(manner_number("ecc-", 0));
  if (is_later && kind == 0) *out += static_cast<unsigned>(manner_number("corrected-", 0));
  return is_manner("ecc-off") ? kNotSupported : manner_number("lost-", 0);
}
int nvmlDeviceGetRemappedRows(void*, unsigned* corrected, unsigned* uncorrected, unsigned* pending, unsigned* failed) {
  *corrected = 1;
  *uncorrected = 2;
  *pending = is_manner("remap-pending") ? 1 : 0;
  *failed = is_manner("remap-failed") ? 1 : 0;
  return is_manner("ecc-off") ? kNotSupported : 0;
}
int nvmlDeviceGetRetiredPagesPendingStatus(void*, int*) { return kNotSupported; }
const char* nvmlErrorString(int) { return "test error"; }
}
