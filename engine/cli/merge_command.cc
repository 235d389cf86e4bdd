// SPDX-License-Identifier: GPL-2.0-or-later
// merge: the JSON reports of many hosts as one document.
#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "engine/base/text.h"
#include "engine/cli/command.h"
#include "engine/cli/output_file.h"
#include "engine/cli/report_files.h"
#include "engine/cli/stored_fleet.h"
#include "engine/report/fleet_writer.h"

namespace gpuharden {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 20U;

struct MergeCommand {
  std::vector<std::string> files;
  std::string list;  // a file of names, one a line
  std::string format = "json";
  std::string output;
  bool skip_bad = false;
};

// Names of the command line, then those of the list; "-" is standard input. Calls take(name) until it gives false.
bool each_name(const MergeCommand& command, const std::function<bool(const std::string&)>& take) {
  for (const auto& file : command.files) {
    if (!take(file)) return false;
  }
  if (command.list.empty()) return true;
  std::FILE* stream = command.list == "-" ? stdin : std::fopen(command.list.c_str(), "re");
  if (stream == nullptr) {
    complain(error_from_errno(errno, command.list).message);
    return false;
  }
  bool good = true;
  char* line = nullptr;
  std::size_t capacity = 0;
  for (ssize_t length = 0; good && (length = ::getline(&line, &capacity, stream)) >= 0;) {
    const std::string name(trim({line, static_cast<std::size_t>(length)}));
    good = name.empty() || take(name);
  }
  std::free(line);  // NOLINT: getline's
  if (stream != stdin) std::fclose(stream);
  return good;
}

bool add_file(const MergeCommand& command, const std::string& name, StoredFleet& fleet) {
  const auto report = read_report_file(name);
  if (!report) {
    complain(report.error().message);
    if (!command.skip_bad) return false;
    fleet.warn(concat({"left out: ", report.error().message}));
    return true;
  }
  const auto added = fleet.add(*report);
  if (!added) complain(added.error().message);
  return added.has_value();
}

Status write_fleet(const MergeCommand& command, const FleetFormat& format, const StoredFleet& fleet) {
  std::optional<OutputFile> file;
  if (!command.output.empty()) {
    GH_ASSIGN_OR_RETURN(file, OutputFile::begin(command.output));
  }
  std::string waiting;
  Status written;
  const auto flush = [&] {
    if (!written) return;
    if (file) {
      written = file->write(waiting);
    } else if (!print(waiting)) {
      written = Error{ErrorCode::kIo, "the report could not be written to standard output"};
    }
    waiting.clear();
  };
  GH_RETURN_IF_ERROR(format.write(fleet, [&](std::string_view bytes) {
    waiting += bytes;
    if (waiting.size() >= kChunk) flush();
  }));
  flush();
  if (!written || !file) return written;
  return file->commit();
}

int run_merge(const MergeCommand& command) {
  const FleetFormat* format = find_fleet_format(command.format);
  if (format == nullptr || (command.files.empty() && command.list.empty())) {
    complain(format == nullptr ? "--format: json, sarif or html" : "name the reports, or a list of them");
    return kExitUsage;
  }
  auto fleet = StoredFleet::create();
  if (!fleet) {
    complain(fleet.error().message);
    return kExitNoVerdict;
  }
  if (!each_name(command, [&](const std::string& name) { return add_file(command, name, *fleet); }))
    return kExitNoVerdict;
  if (fleet->hosts().empty()) {
    complain("there is no report to merge");
    return kExitNoVerdict;
  }
  const auto written = write_fleet(command, *format, *fleet);
  if (!written) complain(written.error().message);
  return written ? kExitOk : kExitNoVerdict;
}

}  // namespace

void add_merge_command(CLI::App& app, Runner& run) {
  auto command = std::make_shared<MergeCommand>();
  auto* sub = app.add_subcommand("merge", "Many hosts' JSON reports as one document");
  sub->add_option("file", command->files, "Reports made by audit --format json");
  sub->add_option("--files-from", command->list, "A file that names reports, one a line; - is standard input");
  sub->add_option("-f,--format", command->format, "json, sarif or html")->capture_default_str();
  sub->add_option("-o,--output", command->output, "Write to this file");
  sub->add_flag("--skip-bad", command->skip_bad, "Leave out reports that cannot be read, and say so in the document");
  sub->footer("Exit: 0 merged; 1 a report could not be read; 64 bad usage.");
  sub->callback([command, &run] { run = [command] { return run_merge(*command); }; });
}

}  // namespace gpuharden
