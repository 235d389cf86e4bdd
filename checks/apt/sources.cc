// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/apt/sources.h"

#include <algorithm>

#include "checks/apt/package_lists.h"
#include "checks/apt/source_vendor.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::string_view kMainFile = "/etc/apt/sources.list";
constexpr std::string_view kFolder = "/etc/apt/sources.list.d";
constexpr std::size_t kFileCap = std::size_t{4} << 20U;
constexpr std::size_t kMostSources = 20000;

bool has_suffix(std::string_view text, std::string_view suffix) {
  return text.size() >= suffix.size() && text.substr(text.size() - suffix.size()) == suffix;
}

// Builds the whole from file after file.
class SourceCollector {
 public:
  explicit SourceCollector(const Host& host) : files_(host.files()), lists_(host.files()) {}

  void take_folder() {
    const auto entries = files_.list(kFolder);
    if (!entries && entries.error().code != ErrorCode::kNotFound) return gap("*", entries.error());
    if (!entries) return;
    for (const auto& entry : *entries) {
      if (is_source_file_name(entry.name)) take_file(concat({kFolder, "/", entry.name}));
    }
  }

  void take_file(const std::string& path) {
    const auto file = files_.read(path, kFileCap);
    if (!file) return take_unreadable(path, file.error());
    if (file->truncated) gap(path, {ErrorCode::kTooLarge, concat({path, ": too large, its end was not read"})});
    const auto format = has_suffix(path, ".sources") ? SourceFormat::kDeb822 : SourceFormat::kOneLine;
    auto parsed = format == SourceFormat::kDeb822 ? parse_source_stanzas(file->bytes) : parse_source_list(file->bytes);
    if (parsed.gave_up)
      gap(path, {ErrorCode::kMalformed, concat({path, ": no list of sources, its rest was not read"})});
    auto shared = std::make_shared<const SourceFile>(SourceFile{path, format, std::move(parsed.entries)});
    out_.files.push_back(shared);
    for (const auto& entry : shared->entries) take_entry(*shared, entry);
  }

  AptSources finish() && {
    if (full_) gap("*", {ErrorCode::kTooLarge, "more package sources than are looked at"});
    return std::move(out_);
  }

 private:
  void gap(std::string file, Error error) { out_.gaps.push_back({std::move(file), std::move(error)}); }

  // apt skips dangling links and folders among the files too.
  void take_unreadable(const std::string& path, const Error& error) {
    if (error.code == ErrorCode::kNotFound) return;
    const auto stat = files_.stat(path);
    if (stat && stat->type == FileType::kDirectory) return;
    gap(path, error);
  }

  void take_entry(const SourceFile& file, const SourceEntry& entry) {
    // A refused entry has its row, with as much of it as was understood.
    const std::vector<std::string> nothing = {""};
    for (const auto& uri : entry.uris.empty() ? nothing : entry.uris) {
      for (const auto& suite : entry.suites.empty() ? nothing : entry.suites) {
        full_ = out_.sources.size() >= kMostSources;
        if (full_) return;
        out_.sources.push_back(make_source(file, entry, uri, suite));
      }
    }
  }

  Source make_source(const SourceFile& file, const SourceEntry& entry, const std::string& uri,
                     const std::string& suite) {
    Source source;
    source.file = &file;
    source.entry = &entry;
    source.repository = parse_repository(uri, suite);
    source.suite = suite;
    const auto signed_by = entry.options.find("signed-by");
    if (signed_by != entry.options.end()) source.signed_by = parse_signed_by(signed_by->second);
    if (entry.enabled && entry.unusable.empty() && !entry.types.empty()) {
      source.conflict =
          conflicts_.add(source.repository.key, entry, concat({file.path, ":", std::to_string(entry.line)}));
    }
    add_release(source);
    return source;
  }

  void add_release(Source& source) {
    source.vendor = vendor_of_place(source.repository.host, source.repository.path);
    if (source.repository.list_name.empty()) return;
    auto facts = lists_.release(source.repository.list_name);
    if (!facts) {
      source.release_error = facts.error();
      return;
    }
    source.release = *facts;
    source.package_lists = lists_.package_lists(source.repository.list_name);
    if (source.vendor.empty()) source.vendor = vendor_of_release(facts->origin.value_or(""), facts->label.value_or(""));
  }

  const Files& files_;
  PackageLists lists_;
  ConflictFinder conflicts_;
  AptSources out_;
  bool full_ = false;
};

AptSources collect(const Host& host) {
  SourceCollector collector(host);
  collector.take_file(std::string(kMainFile));
  collector.take_folder();
  return std::move(collector).finish();
}

}  // namespace

const AptSources& apt_sources_of(SharedFacts& shared, const Host& host) {
  return shared.get<AptSources>(host, collect);
}

bool is_source_file_name(std::string_view name) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-:.";
  if (name.empty() || name[0] == '.' || name.find_first_not_of(kLetters) != std::string_view::npos) return false;
  return has_suffix(name, ".list") || has_suffix(name, ".sources");
}

}  // namespace gpuharden
