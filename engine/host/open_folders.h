// SPDX-License-Identifier: GPL-2.0-or-later
// Folders that are kept open, so that a look at what lies in one costs a single system call.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "engine/base/handle.h"
#include "engine/base/result.h"

namespace gpuharden {

class OpenFolders {
 public:
  using Open = std::function<Result<UniqueFd>(std::string_view)>;

  // The descriptor of `folder`, by `open` where it is not held yet; also that it is not there is
  // remembered. Good until the next call.
  Result<int> get(std::string_view folder, const Open& open);

 private:
  std::map<std::string, Result<UniqueFd>, std::less<>> held_;
};

}  // namespace gpuharden
