// SPDX-License-Identifier: GPL-2.0-or-later
// What several commands share: hosts, catalogs, output.
#include <limits.h>
#include <stdlib.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "engine/base/date.h"
#include "engine/base/text.h"
#include "engine/cli/command.h"
#include "engine/cli/output_file.h"
#include "engine/rules/waiver_loader.h"

namespace gpuharden {

std::string absolute(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> real(::realpath(path.c_str(), nullptr), &::free);
  return real ? std::string(real.get()) : path;
}

void add_host_options(CLI::App& app, HostOptions& options) {
  auto* root =
      app.add_option("--root", options.root, "Audit the tree below this folder (an image) instead of this machine");
  app.add_option("--capture", options.capture, "Audit a recorded machine: a folder with root/ and host.yaml")
      ->excludes(root);
  app.add_option("--timeout", options.timeout, "Seconds for reading everything")
      ->check(CLI::Range(0.1, 86400.0))
      ->capture_default_str();
}

std::string host_kind(const HostOptions& options) {
  if (!options.capture.empty()) return std::string(to_string(HostKind::kCapture));
  return std::string(to_string(options.root.empty() ? HostKind::kLive : HostKind::kImage));
}

using OpenHost = std::function<Result<std::unique_ptr<Host>>()>;

// How a reader opens the host. What all readers would parse alike is parsed here, once.
Result<OpenHost> host_opener(const HostOptions& options) {
  if (!options.capture.empty()) {
    GH_ASSIGN_OR_RETURN(auto captured, read_captured_host(options.capture));
    return OpenHost([folder = options.capture, captured] { return open_capture_host(folder, captured); });
  }
  if (!options.root.empty()) return OpenHost([folder = options.root] { return open_image_host(folder); });
  return OpenHost(open_live_host);
}

Result<std::unique_ptr<ReaderPool>> launch_readers(const HostOptions& options, bool show_progress) {
  ReaderOptions reader;
  GH_ASSIGN_OR_RETURN(reader.open_host, host_opener(options));
  reader.total_deadline = std::chrono::milliseconds(static_cast<std::int64_t>(options.timeout * 1000));
  reader.table_deadline = std::min(reader.table_deadline, reader.total_deadline);
  if (show_progress) {
    reader.on_table = [](std::string_view table) {
      std::fprintf(stderr, "\r\x1b[Kreading %.*s", static_cast<int>(table.size()), table.data());
    };
  }
  return ReaderPool::launch(reader);
}

void add_rule_options(CLI::App& app, RuleOptions& options) {
  app.add_option("--profile", options.selection.profile, "Policy that selects rules and sets their parameters")
      ->capture_default_str();
  app.add_option("--check", options.selection.check, "Only rules with this id; may be a glob; may be repeated")
      ->take_all();
  app.add_option("--skip", options.selection.skip, "Leave out rules with this id; may be a glob; may be repeated");
  app.add_option("--tag", options.selection.tags, "Only rules with this tag; may be repeated");
  app.add_option("--set", options.selection.set, "rule.parameter=value; may be repeated");
  app.add_option("--rules", options.folders, "Another folder of rules, <area>/<name>.yaml; may be repeated");
}

std::optional<Catalog> load_catalog_or_complain(const RuleOptions& options) {
  auto files = open_own_files();
  if (!files) {
    complain(files.error().message);
    return std::nullopt;
  }
  CatalogPlaces places = default_places();
  for (const auto& folder : options.folders) places.extra_rules.push_back(absolute(folder));
  std::vector<Diagnostic> diagnostics;
  Catalog catalog = load_catalog(places, **files, diagnostics);
  if (diagnostics.empty()) return catalog;
  for (const auto& diagnostic : diagnostics) complain(format(diagnostic));
  return std::nullopt;
}

std::optional<std::vector<Waiver>> load_waivers_or_complain(const std::vector<std::string>& named_files) {
  const auto files = open_own_files();
  if (!files) {
    complain(files.error().message);
    return std::nullopt;
  }
  std::vector<Diagnostic> diagnostics;
  std::vector<std::string> named;
  for (const auto& path : named_files) named.push_back(absolute(path));
  const std::string overrides = default_places().overrides;
  auto waivers = find_waivers(overrides.empty() ? "" : overrides + "/waivers.d", named, **files, diagnostics);
  for (const auto& diagnostic : diagnostics) complain(format(diagnostic));
  return diagnostics.empty() ? std::optional(std::move(waivers)) : std::nullopt;
}

WaiverDay waiver_day(const Catalog& catalog, std::int64_t now) {
  WaiverDay day{day_of(now), std::nullopt};
  for (const auto& file : catalog.floors) day.not_before = std::max(day.not_before, parse_date(file.as_of));
  return day;
}

std::optional<Selection> select_or_complain(Catalog& catalog, const RuleOptions& options) {
  auto selection = select_rules(std::move(catalog), options.selection);
  if (selection) return std::move(selection).value();
  for (const auto sentence : split(selection.error().message, '\n')) complain(sentence);
  return std::nullopt;
}

bool print(std::string_view text) {
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
}

void complain(std::string_view sentence) {
  std::fprintf(stderr, "gpuharden: %.*s\n", static_cast<int>(sentence.size()), sentence.data());
}

Status write_file(const std::string& path, std::string_view bytes, std::optional<unsigned> mode) {
  GH_ASSIGN_OR_RETURN(OutputFile file, OutputFile::begin(path, mode));
  GH_RETURN_IF_ERROR(file.write(bytes));
  return file.commit();
}

}  // namespace gpuharden
