// SPDX-License-Identifier: GPL-2.0-or-later
// CUDA's driver interface and HIP's, as far as the worker calls them, computing on the processor.
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>

#include "kernels/host/host_kernels.h"
#include "tests/gpu_driver/manner.h"

namespace gpuharden::test {
namespace {

using Address = std::uint64_t;
constexpr int kOutOfMemory = 2;
constexpr int kNotFound = 500;

void* pointer(Address address) { return reinterpret_cast<void*>(address); }

double now_ms() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

// What the real libraries do as root: a node, and a setuid program. 999 when either works.
bool can_escape() {
  const std::string node = "/tmp/gpuharden-test-node-" + std::to_string(::getpid());
  if (::mknod(node.c_str(), S_IFCHR | 0600, makedev(1, 3)) == 0) return ::unlink(node.c_str()) == 0;
  char name[] = "/bin/true";
  char* arguments[] = {name, nullptr};
  char* environment[] = {nullptr};
  const pid_t child = ::fork();
  if (child == 0) {
    ::execve(name, arguments, environment);
    ::_exit(1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return status == 0;
}

int init() {
  misbehave_in("init");
  if (is_manner("escape")) return can_escape() ? 999 : 0;
  return manner_number("init-", is_manner("stub") ? 34 : 0);
}

// Where MIG is on, a process sees one instance at most.
int count(int* out) {
  const int instances = manner_number("mig-", -1);
  *out = is_manner("no-device") ? 0 : manner_number("devices-", 1);
  if (instances >= 0) *out = std::min(instances, 1);
  return 0;
}

int name(char* out, int size, int device) {
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  if (visible != nullptr) return std::snprintf(out, static_cast<std::size_t>(size), "Test GPU %s", visible), 0;
  const char* form = manner_number("mig-", 0) > 0 ? "Test GPU %d MIG 1g" : "Test GPU %d";
  std::snprintf(out, static_cast<std::size_t>(size), form, device);
  return 0;
}

int pci(char* out, int size, int device) {
  std::snprintf(out, static_cast<std::size_t>(size), "0000:%02X:00.0", 0x33 + device);
  return 0;
}

int memory(std::size_t* available, std::size_t* total) {
  *total = std::size_t{1} << 26U;
  *available = is_manner("tenant") ? *total / 4 : *total / 100 * 98;
  return 0;
}

int context() {
  misbehave_in("context");
  return manner_number("context-", 0);
}

int allocate(Address* out, std::size_t bytes) {
  if (is_manner("full")) return kOutOfMemory;
  *out = reinterpret_cast<Address>(std::malloc(bytes));
  return *out == 0 ? kOutOfMemory : 0;
}

int load(void** out, const void* image) {
  *out = const_cast<void*>(image);
  // PTX is text; what begins otherwise is a binary.
  const bool is_text = *static_cast<const char*>(image) == '/';
  if (is_manner("old-driver") && !is_text) return 222;
  return manner_number("load-", 0);
}

int function(void** out, const char* kernel) {
  static std::set<std::string> names;
  const auto known = kernels::host_kernel_names();
  if (std::find(known.begin(), known.end(), kernel) == known.end()) return kNotFound;
  *out = const_cast<std::string*>(&*names.insert(kernel).first);
  return 0;
}

void spoil_result(void** arguments) {
  auto* element = static_cast<std::uint32_t*>(pointer(*static_cast<Address*>(arguments[2])));
  element[1] ^= 0x10U;
}

int launch(void* kernel, unsigned blocks_x, unsigned blocks_y, void** arguments) {
  misbehave_in("launch");
  const std::string& kernel_name = *static_cast<std::string*>(kernel);
  const Trick trick = trick_for(kernel_name);
  if (trick == Trick::kNothing) return 0;
  std::uint64_t other = 0;
  if (trick == Trick::kOtherSeed) {
    other = *static_cast<std::uint64_t*>(arguments[3]) + 1;
    arguments[3] = &other;
  }
  if (!kernels::run_on_host(kernel_name, {blocks_x, blocks_y}, arguments)) return kNotFound;
  if (trick == Trick::kFlip) spoil_result(arguments);
  return 0;
}

int finish() {
  misbehave_in("finish");
  return manner_number("finish-", 0);
}

int new_event(void** out) {
  *out = std::calloc(1, sizeof(double));
  return 0;
}
int record(void* event) {
  *static_cast<double*>(event) = now_ms();
  return 0;
}
int elapsed(float* out, const void* from, const void* to) {
  const double real = *static_cast<const double*>(to) - *static_cast<const double*>(from);
  *out = is_manner("no-time") ? 0.0F : static_cast<float>(is_manner("slow") ? 1e6 : std::max(real, 1e-3));
  return 0;
}

int attribute(int* out, int which) {
  *out = which == 75 ? 8 : which == 76 ? 0 : which == 13 ? 1'500'000 : 2;
  return 0;
}

int download(void* to, Address from, std::size_t bytes) {
  std::memcpy(to, pointer(from), bytes);
  return 0;
}

}  // namespace
}  // namespace gpuharden::test

using namespace gpuharden::test;

extern "C" {
int cuInit(unsigned) { return init(); }
int cuDriverGetVersion(int* out) { return *out = 12080, 0; }
int cuDeviceGetCount(int* out) { return count(out); }
int cuDeviceGet(int* out, int device) { return *out = device, 0; }
int cuDeviceGetName(char* out, int size, int device) { return name(out, size, device); }
int cuDeviceGetPCIBusId(char* out, int size, int device) { return pci(out, size, device); }
int cuDeviceTotalMem_v2(std::size_t* out, int) { return *out = std::size_t{1} << 26U, 0; }
int cuDeviceGetAttribute(int* out, int which, int) { return attribute(out, which); }
int cuDevicePrimaryCtxRetain(void** out, int device) {
  return *out = pointer(static_cast<Address>(device) + 1), context();
}
int cuCtxSetCurrent(void*) { return 0; }
int cuMemGetInfo_v2(std::size_t* available, std::size_t* total) { return memory(available, total); }
int cuMemAlloc_v2(Address* out, std::size_t bytes) { return allocate(out, bytes); }
int cuMemFree_v2(Address address) { return std::free(pointer(address)), 0; }
int cuMemHostAlloc(void** out, std::size_t bytes, unsigned) {
  return *out = std::malloc(bytes), *out == nullptr ? 2 : 0;
}
int cuMemcpyHtoD_v2(Address to, const void* from, std::size_t bytes) {
  return std::memcpy(pointer(to), from, bytes), 0;
}
int cuMemcpyDtoH_v2(void* to, Address from, std::size_t bytes) { return download(to, from, bytes); }
int cuMemcpy(Address to, Address from, std::size_t bytes) { return std::memcpy(pointer(to), pointer(from), bytes), 0; }
int cuModuleLoadData(void** out, const void* image) { return load(out, image); }
int cuModuleGetFunction(void** out, void*, const char* kernel) { return function(out, kernel); }
int cuLaunchKernel(void* kernel, unsigned x, unsigned y, unsigned, unsigned, unsigned, unsigned, unsigned, void*,
                   void** arguments, void**) {
  return launch(kernel, x, y, arguments);
}
int cuCtxSynchronize() { return finish(); }
int cuEventCreate(void** out, unsigned) { return new_event(out); }
int cuEventRecord(void* event, void*) { return record(event); }
int cuEventSynchronize(void*) { return finish(); }
int cuEventElapsedTime(float* out, void* from, void* to) { return elapsed(out, from, to); }
int cuGetErrorName(int, const char** out) { return *out = "TEST_ERROR", 0; }

int hipInit(unsigned) { return init(); }
int hipDriverGetVersion(int* out) { return *out = 60300000, 0; }
int hipGetDeviceCount(int* out) { return count(out); }
int hipDeviceGet(int* out, int device) { return *out = device, 0; }
int hipDeviceGetName(char* out, int size, int device) { return name(out, size, device); }
int hipDeviceGetPCIBusId(char* out, int size, int device) { return pci(out, size, device); }
int hipDeviceTotalMem(std::size_t* out, int) { return *out = std::size_t{1} << 26U, 0; }
int hipSetDevice(int) { return context(); }
int hipMemGetInfo(std::size_t* available, std::size_t* total) { return memory(available, total); }
int hipMalloc(Address* out, std::size_t bytes) { return allocate(out, bytes); }
int hipFree(Address address) { return std::free(pointer(address)), 0; }
int hipHostMalloc(void** out, std::size_t bytes, unsigned) {
  return *out = std::malloc(bytes), *out == nullptr ? 2 : 0;
}
int hipMemcpyHtoD(Address to, const void* from, std::size_t bytes) { return std::memcpy(pointer(to), from, bytes), 0; }
int hipMemcpyDtoH(void* to, Address from, std::size_t bytes) { return download(to, from, bytes); }
int hipMemcpyDtoD(Address to, Address from, std::size_t bytes) {
  return std::memcpy(pointer(to), pointer(from), bytes), 0;
}
int hipModuleLoadData(void** out, const void* image) { return load(out, image); }
int hipModuleGetFunction(void** out, void*, const char* kernel) { return function(out, kernel); }
int hipModuleLaunchKernel(void* kernel, unsigned x, unsigned y, unsigned, unsigned, unsigned, unsigned, unsigned, void*,
                          void** arguments, void**) {
  return launch(kernel, x, y, arguments);
}
int hipDeviceSynchronize() { return finish(); }
int hipEventCreateWithFlags(void** out, unsigned) { return new_event(out); }
int hipEventRecord(void* event, void*) { return record(event); }
int hipEventSynchronize(void*) { return finish(); }
int hipEventElapsedTime(float* out, void* from, void* to) { return elapsed(out, from, to); }
const char* hipGetErrorName(int) { return "hipTestError"; }

int clGetPlatformIDs(std::uint32_t, void** out, std::uint32_t* count_of) {
  *count_of = 1;
  out[0] = pointer(1);
  return 0;
}
int clGetDeviceIDs(void*, std::uint64_t, std::uint32_t, void** out, std::uint32_t* count_of) {
  *count_of = 1;
  out[0] = pointer(1);
  return is_manner("opencl-none") ? -1 : 0;
}
int clGetDeviceInfo(void*, std::uint32_t which, std::size_t size, void* out, std::size_t*) {
  if (which != 0x1000) return name(static_cast<char*>(out), static_cast<int>(size), 0);
  *static_cast<std::uint64_t*>(out) = is_manner("opencl-gpu") ? 4 : 2;
  return 0;
}
}
