// SPDX-License-Identifier: GPL-2.0-or-later
// The entries of sources.list(5), in both formats, as libapt-pkg understands them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gpuharden {

struct SourceEntry {
  std::uint32_t line = 0;                             // from 1, of its first line
  std::string text;                                   // as written
  bool enabled = true;                                // deb822 only; commented-out lines are no entries
  std::vector<std::string> types;                     // deb, deb-src
  std::vector<std::string> uris, suites, components;  // in order
  // What apt honours, by the name of the one-line format; the last of repeated ones. Boolean
  // values are as written.
  std::map<std::string, std::string, std::less<>> options;
  std::vector<std::string> repeated;    // fields that occur more than once in the stanza
  std::vector<std::string> misspelled;  // sentences on options that apt does not take as they look
  std::string unusable;                 // why apt refuses it, and with it every source; empty when it does not
};

struct SourceEntries {
  std::vector<SourceEntry> entries;
  // Reading stopped after many entries that apt refuses: this is no list of sources.
  bool gave_up = false;
};

// Why a type is refused. It is only quoted when it looks like one: the file may be a link to
// something that nobody should read in a report.
std::string refused_type(std::string_view type);

// Lines of a .list file.
SourceEntries parse_source_list(std::string_view text);
// Stanzas of a .sources file.
SourceEntries parse_source_stanzas(std::string_view text);

}  // namespace gpuharden
