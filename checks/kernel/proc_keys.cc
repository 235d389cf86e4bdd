// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/kernel/proc_keys.h"

#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::size_t kFieldsBefore = 8;  // the description is what follows them
constexpr std::size_t kMaxKeys = 10000;

// "Debian Secure Boot CA: 6ccece7e…: X509.rsa bb419ea1 []"
KernelKey parse_description(std::string_view text) {
  const auto kind = text.rfind(": X509");
  if (kind != std::string_view::npos) text = text.substr(0, kind);
  const auto colon = text.rfind(": ");
  if (colon == std::string_view::npos) return {std::string(text), {}};
  return {std::string(text.substr(0, colon)), to_lower(text.substr(colon + 2))};
}

}  // namespace

KernelKeys parse_proc_keys(std::string_view text) {
  KernelKeys out;
  for (const auto line : split(text, '\n')) {
    const auto words = split_words(line);
    if (words.size() <= kFieldsBefore) continue;
    const auto description = trim(line.substr(static_cast<std::size_t>(words[kFieldsBefore].data() - line.data())));
    const auto type = words[kFieldsBefore - 1];
    if (type == "keyring" && description.starts_with(".builtin_trusted_keys")) out.shows_trusted = true;
    if (type.starts_with("asymmetri") && out.keys.size() < kMaxKeys) out.keys.push_back(parse_description(description));
  }
  return out;
}

}  // namespace gpuharden
