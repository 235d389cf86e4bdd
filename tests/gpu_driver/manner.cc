// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/gpu_driver/manner.h"

#include <dlfcn.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <map>

namespace gpuharden::test {

const std::string& manner() {
  static const std::string name = [] {
    Dl_info info{};
    if (::dladdr(reinterpret_cast<const void*>(&manner), &info) == 0) return std::string("good");
    std::string path = info.dli_fname;
    // The management library is this one too, and leads to the name that says how.
    char target[4096];
    if (path.find("libnvidia-ml") != std::string::npos) {
      const auto length = ::readlink(path.c_str(), target, sizeof target);
      path.assign(target, length < 0 ? 0 : static_cast<std::size_t>(length));
    }
    path = path.substr(path.rfind('/') + 1);
    return path.substr(0, path.find('.'));
  }();
  return name;
}

int manner_number(const char* prefix, int otherwise) {
  const std::string start = prefix;
  return manner().rfind(start, 0) == 0 ? std::atoi(manner().c_str() + start.size()) : otherwise;
}

Trick trick_for(const std::string& kernel) {
  static std::map<std::string, int> launches;
  const bool is_product = kernel.rfind("gh_product", 0) == 0;
  const int count = ++launches[kernel];
  if (is_manner("writes-nothing")) return Trick::kNothing;
  if (is_manner("flip") && is_product) return Trick::kFlip;
  // The first result stays for ever.
  if (is_manner("previous") && (is_product || kernel.rfind("gh_operands", 0) == 0 || kernel == "gh_set") && count > 2)
    return Trick::kNothing;
  if (is_manner("other-seed") && kernel.rfind("gh_operands", 0) == 0) return Trick::kOtherSeed;
  return Trick::kNone;
}

void misbehave_in(const char* place) {
  const std::string name = manner();
  if (name == std::string("crash-") + place) std::abort();
  while (name == std::string("hang-") + place) ::pause();
  // As a call that does not come back: nothing ends the process.
  if (name == std::string("stuck-") + place) {
    ::signal(SIGTERM, SIG_IGN);
    for (;;) ::pause();
  }
}

}  // namespace gpuharden::test
