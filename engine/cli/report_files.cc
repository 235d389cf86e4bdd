// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/cli/report_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "engine/base/handle.h"
#include "engine/base/text.h"
#include "engine/cli/command.h"
#include "engine/report/json_reader.h"

namespace gpuharden {
namespace {

constexpr std::size_t kLargestReport = std::size_t{256} << 20U;
constexpr mode_t kForEverybody = 0644;

Result<std::string> read_bytes(const std::string& path) {
  // A FIFO would let us wait for ever.
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!fd) return error_from_errno(errno, path);
  struct stat stat {};
  if (::fstat(fd.get(), &stat) != 0) return error_from_errno(errno, path);
  if (!S_ISREG(stat.st_mode)) return Error{ErrorCode::kNotRegular, path + ": not a regular file"};
  if (static_cast<std::size_t>(stat.st_size) > kLargestReport)
    return Error{ErrorCode::kTooLarge, path + ": larger than 256 MiB"};
  std::string bytes(static_cast<std::size_t>(stat.st_size), '\0');
  std::size_t done = 0;
  while (done < bytes.size()) {
    const auto count = ::read(fd.get(), bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return error_from_errno(errno, path);
    if (count == 0) break;
    done += static_cast<std::size_t>(count);
  }
  bytes.resize(done);
  return bytes;
}

std::optional<ReportTarget> target_of(const std::string& name, const std::string& file) {
  ReportTarget target{find_report_format(name), file};
  if (target.format != nullptr) return target;
  std::vector<std::string> known;
  for (const auto& format : report_formats()) known.emplace_back(format.name);
  complain(concat({"there is no report format \"", name, "\"; there are: ", join(known, ", ")}));
  return std::nullopt;
}

}  // namespace

Result<Report> read_report_file(const std::string& path) {
  GH_ASSIGN_OR_RETURN(const std::string bytes, read_bytes(path));
  auto report = read_report(bytes);
  if (!report) return std::move(report.error()).while_(path);
  return report;
}

std::optional<std::vector<ReportTarget>> report_targets(const std::string& format, const std::string& output,
                                                        const std::vector<std::string>& reports) {
  std::vector<ReportTarget> targets;
  const auto add = [&](const std::string& name, const std::string& file) {
    auto target = target_of(name, file);
    if (!target) return false;
    const bool is_taken =
        std::any_of(targets.begin(), targets.end(), [&](const ReportTarget& other) { return other.file == file; });
    if (is_taken) complain(concat({"two reports would go to ", file}));
    targets.push_back(std::move(*target));
    return !is_taken;
  };
  if (!add(format, output)) return std::nullopt;
  for (const auto& report : reports) {
    const auto equals = report.find('=');
    if (equals == std::string::npos || equals + 1 == report.size()) {
      complain(concat({"--report ", report, ": write format=file"}));
      return std::nullopt;
    }
    if (!add(report.substr(0, equals), report.substr(equals + 1))) return std::nullopt;
  }
  return targets;
}

bool write_report(const Report& report, const std::vector<ReportTarget>& targets, const WriterOptions& options,
                  const WriterOptions& to_terminal) {
  bool good = true;
  for (const auto& target : targets) {
    const std::string bytes = target.format->write(report, target.file.empty() ? to_terminal : options);
    if (target.file.empty()) {
      const bool printed = print(bytes);
      if (!printed) complain("the report could not be written to standard output");
      good = printed && good;
      continue;
    }
    const auto written =
        write_file(target.file, bytes, target.format->is_public ? std::optional(kForEverybody) : std::nullopt);
    if (!written) complain(written.error().message);
    good = written.has_value() && good;
  }
  return good;
}

}  // namespace gpuharden
