// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/native/lazy_library.h"

#include <dlfcn.h>

#include "engine/base/text.h"

namespace gpuharden {

Result<LazyLibrary> LazyLibrary::open(const std::string& soname) {
  LazyLibrary library;
  library.soname_ = soname;
  library.handle_ = ::dlopen(soname.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library.handle_ == nullptr) return Error{ErrorCode::kUnsupported, concat({soname, " is not installed"})};
  return library;
}

void* LazyLibrary::look_up(const char* name) {
  void* address = ::dlsym(handle_, name);
  if (address == nullptr && missing_.empty()) missing_ = name;
  return address;
}

Status LazyLibrary::is_whole() const {
  if (missing_.empty()) return {};
  return Error{ErrorCode::kUnsupported, concat({soname_, " is too old: it has no ", missing_})};
}

}  // namespace gpuharden
