// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/rules/trust.h"

#include "engine/base/text.h"
#include "engine/host/path_trust.h"

namespace gpuharden {

void check_trust(const std::string& path, const Files& files, std::vector<Diagnostic>& diagnostics) {
  if (path.empty() || !files.stat(path)) return;
  const auto add = [&](std::string sentence) {
    diagnostics.push_back({"untrusted", std::move(sentence), {path, 1, 1}, {}});
  };
  const auto writer = changeable_by_others(files, path);
  if (!writer) return add(writer.error().message);
  if (*writer) add(concat({"not used: ", **writer}));
}

}  // namespace gpuharden
