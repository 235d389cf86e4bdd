// SPDX-License-Identifier: GPL-2.0-or-later
// The names of the vendors' functions and the meaning of their error codes.
#include <array>
#include <utility>

#include "kernels/worker/driver.h"

namespace gpuharden::kernels {
namespace {

struct Meaning {
  int code;
  const char* reason;
};
// The two vendors agree on these numbers.
constexpr Meaning kMeanings[] = {
    {2, "out-of-memory"},      // MEMORY_ALLOCATION
    {34, "stub-library"},      // STUB_LIBRARY
    {35, "old-driver"},        // INSUFFICIENT_DRIVER
    {46, "busy"},              // DEVICE_UNAVAILABLE
    {100, "no-device"},        // NO_DEVICE
    {101, "busy"},             // INVALID_DEVICE: exclusive mode says so as well
    {200, "no-code"},          // INVALID_IMAGE: a fat binary that an old driver does not know
    {209, "no-code"},          // NO_BINARY_FOR_GPU
    {214, "device-error"},     // ECC_UNCORRECTABLE
    {218, "old-driver"},       // INVALID_PTX
    {222, "old-driver"},       // UNSUPPORTED_PTX_VERSION
    {226, "device-error"},     // CONTAINED
    {304, "permission"},       // OPERATING_SYSTEM: device files that cannot be opened
    {700, "device-error"},     // ILLEGAL_ADDRESS
    {702, "device-error"},     // LAUNCH_TIMEOUT
    {710, "device-error"},     // ASSERT
    {714, "device-error"},     // HARDWARE_STACK_ERROR
    {715, "device-error"},     // ILLEGAL_INSTRUCTION
    {716, "device-error"},     // MISALIGNED_ADDRESS
    {717, "device-error"},     // INVALID_ADDRESS_SPACE
    {718, "device-error"},     // INVALID_PC
    {719, "device-error"},     // LAUNCH_FAILED
    {800, "permission"},       // NOT_PERMITTED
    {802, "fabric"},           // SYSTEM_NOT_READY
    {803, "driver-mismatch"},  // SYSTEM_DRIVER_MISMATCH
    {804, "old-driver"},       // COMPAT_NOT_SUPPORTED_ON_DEVICE
    {805, "busy"},             // MPS_CONNECTION_FAILED
    {806, "busy"},             // MPS_RPC_FAILURE
    {807, "busy"},             // MPS_SERVER_NOT_READY
    {808, "busy"},             // MPS_MAX_CLIENTS_REACHED
    {809, "busy"},             // MPS_MAX_CONNECTIONS_REACHED
};

struct Resolver {
  const Library& library;
  Vendor vendor;
  std::string missing;

  template <typename Function>
  void operator()(Function& slot, const char* cuda, const char* hip) {
    const char* name = vendor == Vendor::kCuda ? cuda : hip;
    if (name == nullptr) return;
    slot = reinterpret_cast<Function>(library.symbol(name));
    if (slot == nullptr && missing.empty()) missing = name;
  }
};

}  // namespace

std::string reason_of(Vendor vendor, int code) {
  // hipInit of a machine without a device; HIP has no exclusive mode that could be meant.
  if (vendor == Vendor::kHip && code == 101) return "no-device";
  for (const auto& meaning : kMeanings) {
    if (meaning.code == code) return meaning.reason;
  }
  return "error";
}

Failure Driver::resolve() {
  Resolver get{library_, vendor_, {}};
  get(calls_.init, "cuInit", "hipInit");
  get(calls_.version, "cuDriverGetVersion", "hipDriverGetVersion");
  get(calls_.count, "cuDeviceGetCount", "hipGetDeviceCount");
  get(calls_.device, "cuDeviceGet", "hipDeviceGet");
  get(calls_.name, "cuDeviceGetName", "hipDeviceGetName");
  get(calls_.pci, "cuDeviceGetPCIBusId", "hipDeviceGetPCIBusId");
  get(calls_.total, "cuDeviceTotalMem_v2", "hipDeviceTotalMem");
  get(calls_.attribute, "cuDeviceGetAttribute", nullptr);
  get(calls_.retain, "cuDevicePrimaryCtxRetain", nullptr);
  get(calls_.make_current, "cuCtxSetCurrent", nullptr);
  get(calls_.set_device, nullptr, "hipSetDevice");
  get(calls_.memory, "cuMemGetInfo_v2", "hipMemGetInfo");
  get(calls_.allocate, "cuMemAlloc_v2", "hipMalloc");
  get(calls_.release, "cuMemFree_v2", "hipFree");
  get(calls_.pinned, "cuMemHostAlloc", "hipHostMalloc");
  get(calls_.upload, "cuMemcpyHtoD_v2", "hipMemcpyHtoD");
  get(calls_.download, "cuMemcpyDtoH_v2", "hipMemcpyDtoH");
  // With unified addresses this copies between devices as well.
  get(calls_.copy, "cuMemcpy", "hipMemcpyDtoD");
  get(calls_.load, "cuModuleLoadData", "hipModuleLoadData");
  get(calls_.function, "cuModuleGetFunction", "hipModuleGetFunction");
  get(calls_.launch, "cuLaunchKernel", "hipModuleLaunchKernel");
  get(calls_.finish, "cuCtxSynchronize", "hipDeviceSynchronize");
  get(calls_.new_event, "cuEventCreate", "hipEventCreateWithFlags");
  get(calls_.record, "cuEventRecord", "hipEventRecord");
  get(calls_.wait, "cuEventSynchronize", "hipEventSynchronize");
  get(calls_.elapsed, "cuEventElapsedTime", "hipEventElapsedTime");
  get(calls_.error_name, "cuGetErrorName", nullptr);
  get(calls_.error_text, nullptr, "hipGetErrorName");
  if (get.missing.empty()) return std::nullopt;
  return Problem{"stub-library", "dlsym", 0, library_.path() + " has no " + get.missing};
}

}  // namespace gpuharden::kernels
