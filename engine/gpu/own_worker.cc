// SPDX-License-Identifier: GPL-2.0-or-later
// Where gpu-worker is: declared in gpu_run.h; only this file knows where the program was built.
#include <limits.h>
#include <unistd.h>

#include <array>

#include "engine/gpu/gpu_run.h"

namespace gpuharden {

std::string own_gpu_worker() {
  std::array<char, PATH_MAX> exe{};
  const auto length = ::readlink("/proc/self/exe", exe.data(), exe.size());
  const std::string path(exe.data(), length < 0 ? 0 : static_cast<std::size_t>(length));
  const std::string beside = path.substr(0, path.rfind('/') + 1) + "gpu-worker";
  if (path.starts_with(GPUHARDEN_BINARY_DIR "/") && ::access(beside.c_str(), X_OK) == 0) return beside;
  return GPUHARDEN_LIBEXECDIR "/gpu-worker";
}

}  // namespace gpuharden
