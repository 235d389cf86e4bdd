// SPDX-License-Identifier: GPL-2.0-or-later
// Finds a vendor's library where only root could have put it, and opens it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernels/worker/problem.h"

namespace gpuharden::kernels {

// Files named `stem`.N (libcuda.so, libamdhip64.so) in the system's folders, those of the vendors, and those that the
// loader's cache names; the highest N first.
std::vector<std::string> find_libraries(std::string_view stem);

// `stem`.1 in the folder of another library that was chosen by its path (tests).
std::string library_beside(const std::string& chosen, std::string_view stem);

// Nothing when every component of the real path belongs to root and nobody else may write it; else a sentence.
std::string untrusted_part(const std::string& path);

// An open library; never closed, since vendors' libraries do not survive that.
class Library {
 public:
  // The first of `candidates` that can be opened; `check_trust` refuses what others than root could change.
  Failure open(const std::vector<std::string>& candidates, std::string_view stem, bool check_trust);
  void* symbol(const char* name) const;
  const std::string& path() const { return path_; }

 private:
  void* handle_ = nullptr;
  std::string path_;
};

}  // namespace gpuharden::kernels
