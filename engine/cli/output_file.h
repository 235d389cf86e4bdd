// SPDX-License-Identifier: GPL-2.0-or-later
// A file that is there as a whole or, when anything fails, as it was before.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/base/handle.h"
#include "engine/base/result.h"

namespace gpuharden {

class OutputFile {
 public:
  // Begins a temporary file beside `path`, which nobody but commit() touches. A device or pipe is written as it is.
  static Result<OutputFile> begin(const std::string& path, std::optional<unsigned> mode = std::nullopt);
  OutputFile(OutputFile&&) = default;
  OutputFile& operator=(OutputFile&&) = default;
  // Without commit() the temporary file goes.
  ~OutputFile();

  Status write(std::string_view bytes);
  Status commit();

 private:
  OutputFile() = default;
  std::string path_;
  std::string temporary_;  // empty: written in place, or committed
  UniqueFd fd_;
};

}  // namespace gpuharden
