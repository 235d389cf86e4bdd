// SPDX-License-Identifier: GPL-2.0-or-later
// What PyTorch was built for: its file torch/version.py, read without Python.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gpuharden {

struct TorchVersion {
  std::optional<std::string> version, git_version;
  // The toolkit that it was built with; nothing for None.
  std::optional<std::string> cuda, hip;
  // Whether the file says so at all: old versions have no hip.
  bool names_cuda = false, names_hip = false;
};

// Lines of the form `name = 'text'` and `name: Optional[str] = None`; everything else is left out.
TorchVersion parse_torch_version(std::string_view text);

}  // namespace gpuharden
