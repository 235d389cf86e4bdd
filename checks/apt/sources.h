// SPDX-License-Identifier: GPL-2.0-or-later
// Every package source of a host, read once for all probes that need it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "checks/apt/repository.h"
#include "checks/apt/source_conflict.h"
#include "checks/apt/source_entry.h"
#include "checks/apt/source_options.h"
#include "engine/host/host.h"
#include "engine/scan/probe.h"

namespace gpuharden {

enum class SourceFormat { kOneLine, kDeb822 };

// The entries of one file.
struct SourceFile {
  std::string path;
  SourceFormat format = SourceFormat::kOneLine;
  std::vector<SourceEntry> entries;
};

// What a repository's Release file in /var/lib/apt/lists says.
struct ReleaseFacts {
  std::optional<std::string> origin, label;
};

// One entry, URI and suite.
struct Source {
  const SourceFile* file = nullptr;  // of the AptSources that holds this
  const SourceEntry* entry = nullptr;
  Repository repository;
  std::string suite;
  std::shared_ptr<const EntryTrust> trust;  // never null
  ConflictFinder::Finding conflict;
  ReleaseFacts release;
  std::optional<Error> release_error;      // set when the lists could not be looked at
  std::string vendor;                      // "nvidia", "amd" or empty
  std::vector<std::string> package_lists;  // paths of its Packages files
};

struct FileGap {
  std::string file;  // or "*"
  Error error;
};

struct AptSources {
  std::vector<std::shared_ptr<const SourceFile>> files;  // in apt's read order
  std::vector<Source> sources;
  std::vector<FileGap> gaps;
};

// Never fails; what could not be read is in the gaps.
const AptSources& apt_sources_of(SharedFacts& shared, const Host& host);

// Whether apt reads a file of that name from sources.list.d.
bool is_source_file_name(std::string_view name);

}  // namespace gpuharden
