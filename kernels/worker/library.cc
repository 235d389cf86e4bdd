// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernels/worker/library.h"

#include <dirent.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <memory>

namespace gpuharden::kernels {
namespace {

constexpr std::size_t kCacheCap = std::size_t{16} << 20U;
constexpr const char* kFolders[] = {
    "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64",   "/usr/lib", "/usr/lib/wsl/lib",
    "/usr/local/nvidia/lib64",   "/usr/local/cuda/lib64",      "/opt/rocm/lib"};

// The N of "libcuda.so.N"; -1 when the name is another one.
int version_of(std::string_view name, std::string_view stem) {
  if (!name.starts_with(stem) || name.size() <= stem.size() + 1 || name[stem.size()] != '.') return -1;
  const auto digits = name.substr(stem.size() + 1);
  int version = -1;
  const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), version);
  return end.ec == std::errc() && end.ptr == digits.data() + digits.size() && version >= 0 ? version : -1;
}

struct Found {
  int version;
  std::string path;
};

void look_into(const std::string& folder, std::string_view stem, std::vector<Found>& found) {
  const std::unique_ptr<DIR, int (*)(DIR*)> open(::opendir(folder.c_str()), &::closedir);
  if (!open) return;
  while (const dirent* entry = ::readdir(open.get())) {
    const int version = version_of(entry->d_name, stem);
    if (version >= 0) found.push_back({version, folder + "/" + entry->d_name});
  }
}

// The cache is a table of strings with a header: every absolute path in it is one of them.
void look_into_cache(std::string_view stem, std::vector<Found>& found) {
  std::ifstream stream("/etc/ld.so.cache", std::ios::binary);
  std::string bytes(kCacheCap, '\0');
  stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(std::max<std::streamsize>(stream.gcount(), 0)));
  std::string_view rest = bytes;
  while (!rest.empty()) {
    const auto end = std::min(rest.find('\0'), rest.size());
    const auto text = rest.substr(0, end);
    const auto slash = text.rfind('/');
    const int version = slash == std::string_view::npos ? -1 : version_of(text.substr(slash + 1), stem);
    if (version >= 0 && text.front() == '/' && text.size() < PATH_MAX) found.push_back({version, std::string(text)});
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

}  // namespace

std::vector<std::string> find_libraries(std::string_view stem) {
  std::vector<Found> found;
  look_into_cache(stem, found);
  for (const auto* folder : kFolders) look_into(folder, stem, found);
  std::stable_sort(found.begin(), found.end(), [](const Found& a, const Found& b) { return a.version > b.version; });
  std::vector<std::string> paths;
  for (const auto& each : found) {
    if (std::find(paths.begin(), paths.end(), each.path) == paths.end()) paths.push_back(each.path);
  }
  return paths;
}

std::string library_beside(const std::string& chosen, std::string_view stem) {
  return chosen.substr(0, chosen.rfind('/') + 1) + std::string(stem) + ".1";
}

std::string untrusted_part(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> real(::realpath(path.c_str(), nullptr), &::free);
  if (!real) return path + ": cannot be resolved";
  std::string part = real.get();
  for (;;) {
    struct stat stat {};
    if (::lstat(part.c_str(), &stat) != 0) return part + ": cannot be looked at";
    if (stat.st_uid != 0) return part + " does not belong to root";
    // A sticky folder for all is refused too: who made the file once could have made another one.
    if ((stat.st_mode & 0022U) != 0) return part + " may be written by others than root";
    if (part == "/") return {};
    const auto slash = part.rfind('/');
    part = slash == 0 ? "/" : part.substr(0, slash);
  }
}

Failure Library::open(const std::vector<std::string>& candidates, std::string_view stem, bool check_trust) {
  Problem problem{"no-driver", "", 0, std::string(stem) + " is not installed"};
  for (const auto& path : candidates) {
    const std::string part = check_trust ? untrusted_part(path) : std::string();
    if (!part.empty()) {
      problem = {"untrusted-library", "", 0, part};
      continue;
    }
    handle_ = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_ != nullptr) {
      path_ = path;
      return std::nullopt;
    }
    const char* why = ::dlerror();
    problem = {"no-driver", "dlopen", 0, why == nullptr ? path : why};
  }
  return problem;
}

void* Library::symbol(const char* name) const { return ::dlsym(handle_, name); }

}  // namespace gpuharden::kernels
