// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernels/worker/nvml.h"

#include <algorithm>
#include <array>

namespace gpuharden::kernels {
namespace {

constexpr std::string_view kStem = "libnvidia-ml.so";
constexpr int kDriverNotLoaded = 9;
constexpr int kNotSupported = 3;
constexpr int kNoPermission = 4;
constexpr int kFunctionNotFound = 13;
constexpr int kVersionMismatch = 18;
constexpr int kCorrected = 0;
constexpr int kUncorrected = 1;
constexpr int kSinceLoaded = 0;  // NVML_VOLATILE_ECC
constexpr unsigned kMaxInstances = 64;
constexpr unsigned kMaxGpus = 256;

// nvmlPciInfo_t: the short address, three numbers, two ids, and the address with eight digits of the domain.
struct PciInfo {
  char short_address[16];
  std::uint32_t numbers[5];
  char address[32];
  char spare[64];  // what later versions may add
};

std::string reason_of(int code) {
  if (code == kDriverNotLoaded) return "no-driver";
  if (code == kNoPermission) return "permission";
  return code == kVersionMismatch ? "driver-mismatch" : "error";
}

// "00000000:33:00.0" as sysfs has it: "0000:33:00.0".
std::string address_of(const PciInfo& info) {
  std::string address(info.address, std::find(info.address, std::end(info.address), '\0'));
  if (address.size() > 12 && address.find(':') == 8) address.erase(0, 4);
  std::transform(address.begin(), address.end(), address.begin(),
                 [](char c) { return c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c; });
  return address;
}

std::vector<std::string> candidates(const std::string& cuda) {
  if (cuda.empty()) return find_libraries(kStem);
  return {library_beside(cuda, kStem)};
}

}  // namespace

Failure Nvml::checked(const char* call, int code) const {
  if (code == 0) return std::nullopt;
  const char* text = calls_.error_text == nullptr ? nullptr : calls_.error_text(code);
  return Problem{reason_of(code), call, code, text == nullptr ? "" : text};
}

Failure Nvml::open(const std::string& cuda) {
  GH_TRY(library_.open(candidates(cuda), kStem, cuda.empty()));
  std::string missing;
  const auto get = [&](auto& slot, const char* name, bool is_needed) {
    slot = reinterpret_cast<std::remove_reference_t<decltype(slot)>>(library_.symbol(name));
    if (slot == nullptr && is_needed && missing.empty()) missing = name;
  };
  get(calls_.init, "nvmlInit_v2", true);
  get(calls_.count, "nvmlDeviceGetCount_v2", true);
  get(calls_.by_index, "nvmlDeviceGetHandleByIndex_v2", true);
  get(calls_.by_pci, "nvmlDeviceGetHandleByPciBusId_v2", true);
  get(calls_.uuid, "nvmlDeviceGetUUID", true);
  get(calls_.pci, "nvmlDeviceGetPciInfo_v3", true);
  get(calls_.ecc_mode, "nvmlDeviceGetEccMode", false);
  get(calls_.ecc_errors, "nvmlDeviceGetTotalEccErrors", false);
  get(calls_.remapped_rows, "nvmlDeviceGetRemappedRows", false);
  get(calls_.retirement, "nvmlDeviceGetRetiredPagesPendingStatus", false);
  get(calls_.mig_mode, "nvmlDeviceGetMigMode", false);
  get(calls_.max_instances, "nvmlDeviceGetMaxMigDeviceCount", false);
  get(calls_.instance, "nvmlDeviceGetMigDeviceHandleByIndex", false);
  get(calls_.error_text, "nvmlErrorString", false);
  if (!missing.empty()) return Problem{"stub-library", "dlsym", 0, library_.path() + " has no " + missing};
  return checked("nvmlInit", calls_.init());
}

Failure Nvml::memory_health(const std::string& pci, MemoryHealth* health) const {
  Device device = nullptr;
  GH_TRY(checked("nvmlDeviceGetHandleByPciBusId", calls_.by_pci(pci.c_str(), &device)));
  int current = 0;
  int pending = 0;
  if (calls_.ecc_mode != nullptr &&
      has_value("nvmlDeviceGetEccMode", calls_.ecc_mode(device, &current, &pending), health))
    health->ecc = current != 0;
  const auto errors = [&](int kind) -> std::optional<std::uint64_t> {
    unsigned long long count = 0;
    if (calls_.ecc_errors == nullptr) return std::nullopt;
    const int code = calls_.ecc_errors(device, kind, kSinceLoaded, &count);
    return has_value("nvmlDeviceGetTotalEccErrors", code, health) ? std::optional<std::uint64_t>(count) : std::nullopt;
  };
  health->corrected = errors(kCorrected);
  health->uncorrected = errors(kUncorrected);
  std::array<unsigned, 4> rows{};  // for corrected, for uncorrected, pending, failed
  const bool has_rows = calls_.remapped_rows != nullptr &&
                        has_value("nvmlDeviceGetRemappedRows",
                                  calls_.remapped_rows(device, &rows[0], &rows[1], &rows[2], &rows[3]), health);
  if (has_rows) {
    health->remapped_rows = std::uint64_t{rows[0]} + rows[1];
    health->remap_pending = rows[2] != 0;
    health->remap_failed = rows[3] != 0;
  }
  int waits = 0;
  const bool retires = calls_.retirement != nullptr &&
                       has_value("nvmlDeviceGetRetiredPagesPendingStatus", calls_.retirement(device, &waits), health);
  if (retires) health->retirement_pending = waits != 0;
  return std::nullopt;
}

// In a container with one instance of MIG the GPU's own counters are not for us to see.
bool Nvml::has_value(const char* call, int code, MemoryHealth* health) const {
  const bool is_absent = code == kNotSupported || code == kNoPermission || code == kFunctionNotFound;
  if (code != 0 && !is_absent && health->trouble.empty()) {
    const auto problem = checked(call, code);
    health->trouble = problem->call + ": " + std::to_string(code) + " " + problem->detail;
  }
  return code == 0;
}

Failure Nvml::list(std::vector<SplitDevice>* devices) const {
  unsigned gpus = 0;
  bool has_mig = false;
  GH_TRY(checked("nvmlDeviceGetCount", calls_.count(&gpus)));
  for (unsigned index = 0; index < std::min(gpus, kMaxGpus); ++index) GH_TRY(list_gpu(index, devices, &has_mig));
  if (!has_mig) devices->clear();
  return std::nullopt;
}

Failure Nvml::list_gpu(unsigned index, std::vector<SplitDevice>* devices, bool* has_mig) const {
  Device gpu = nullptr;
  GH_TRY(checked("nvmlDeviceGetHandleByIndex", calls_.by_index(index, &gpu)));
  PciInfo info{};
  GH_TRY(checked("nvmlDeviceGetPciInfo", calls_.pci(gpu, &info)));
  const auto add = [&](Device device, bool is_instance) -> Failure {
    std::array<char, 128> uuid{};
    GH_TRY(checked("nvmlDeviceGetUUID", calls_.uuid(device, uuid.data(), static_cast<unsigned>(uuid.size() - 1))));
    devices->push_back({uuid.data(), address_of(info), is_instance});
    return std::nullopt;
  };
  unsigned mode = 0;
  unsigned pending = 0;
  const bool is_split = calls_.mig_mode != nullptr && calls_.mig_mode(gpu, &mode, &pending) == 0 && mode == 1;
  if (!is_split) return add(gpu, false);
  *has_mig = true;
  unsigned most = 0;
  if (calls_.max_instances == nullptr || calls_.instance == nullptr || calls_.max_instances(gpu, &most) != 0)
    return Problem{"mig", "nvmlDeviceGetMaxMigDeviceCount", 0, "the instances of MIG cannot be listed"};
  const auto known = devices->size();
  for (unsigned number = 0; number < std::min(most, kMaxInstances); ++number) {
    Device instance = nullptr;
    if (calls_.instance(gpu, number, &instance) == 0) GH_TRY(add(instance, true));
  }
  if (devices->size() == known) devices->push_back({"", address_of(info), true});
  return std::nullopt;
}

}  // namespace gpuharden::kernels
