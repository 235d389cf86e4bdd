// SPDX-License-Identifier: GPL-2.0-or-later
// A C library that only some commands need, loaded when they need it: an audit does not pay for it, and a machine
// without it lacks nothing else.
#pragma once

#include <string>

#include "engine/base/result.h"

namespace gpuharden {

// Stays loaded until the process ends: these libraries do not expect to be unloaded.
class LazyLibrary {
 public:
  // By its soname, from where the loader finds a linked library too. kUnsupported, naming it, when it is not
  // installed.
  static Result<LazyLibrary> open(const std::string& soname);

  // Whether every find() so far has found its function. kUnsupported, naming one that is missing.
  Status is_whole() const;

  // The caller gives the type that the library's header declares: find("sd_bus_new", functions.sd_bus_new).
  template <typename Function>
  void find(const char* name, Function& function) {
    function = reinterpret_cast<Function>(look_up(name));
  }

 private:
  void* look_up(const char* name);
  std::string soname_, missing_;
  void* handle_ = nullptr;
};

}  // namespace gpuharden
