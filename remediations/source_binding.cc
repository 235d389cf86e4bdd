// SPDX-License-Identifier: GPL-2.0-or-later
#include "remediations/source_binding.h"

#include "engine/base/text.h"

namespace gpuharden {
namespace {

// The one place where the entry begins a line; its length without a closing newline.
struct Found {
  std::size_t start = 0;
  std::string_view entry;
};

Result<Found> find_entry(std::string_view text, std::string_view entry) {
  std::size_t found = std::string_view::npos;
  std::size_t count = 0;
  for (auto at = text.find(entry); at != std::string_view::npos; at = text.find(entry, at + 1)) {
    const bool begins = at == 0 || text[at - 1] == '\n';
    const bool ends = at + entry.size() == text.size() || text[at + entry.size()] == '\n';
    if (!begins || !ends) continue;
    found = at;
    ++count;
  }
  if (entry.empty() || count == 0) return Error{ErrorCode::kStale, "the entry is not there any more"};
  if (count > 1) return Error{ErrorCode::kUnsupported, "the same entry stands there twice: remove one by hand"};
  return Found{found, entry};
}

std::string_view without_newlines(std::string_view entry) {
  while (entry.ends_with('\n')) entry.remove_suffix(1);
  return entry;
}

// The text with `bound` in place of the entry.
Result<std::string> replace_entry(std::string_view text, std::string_view entry, std::string_view bound) {
  // An entry may name several suites: an earlier call was about another one of them.
  if (find_entry(text, bound)) return std::string(text);
  GH_ASSIGN_OR_RETURN(const Found found, find_entry(text, entry));
  return concat({text.substr(0, found.start), bound, text.substr(found.start + found.entry.size())});
}

}  // namespace

Result<std::string> bind_line(std::string_view text, std::string_view entry, std::string_view keyring) {
  entry = without_newlines(entry);
  const std::string option = concat({"signed-by=", keyring});
  const auto type_end = entry.find_first_of(" \t", entry.find_first_not_of(" \t"));
  const auto next = type_end == std::string_view::npos ? type_end : entry.find_first_not_of(" \t", type_end);
  if (next == std::string_view::npos) return Error{ErrorCode::kMalformed, "not an entry of a source"};
  const bool has_options = entry[next] == '[';
  const auto at = has_options ? next + 1 : next;
  const std::string added = has_options ? option + " " : concat({"[", option, "] "});
  return replace_entry(text, entry, concat({entry.substr(0, at), added, entry.substr(at)}));
}

Result<std::string> bind_stanza(std::string_view text, std::string_view entry, std::string_view keyring) {
  entry = without_newlines(entry);
  return replace_entry(text, entry, concat({"Signed-By: ", keyring, "\n", entry}));
}

}  // namespace gpuharden
