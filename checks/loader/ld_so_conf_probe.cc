// SPDX-License-Identifier: GPL-2.0-or-later
// The folders in which ldconfig finds libraries, and the files that say so.
#include "checks/environment/path_exposure.h"
#include "checks/loader/ld_so_text.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr std::string_view kMainFile = "/etc/ld.so.conf";
constexpr int kDeepestInclude = 10;  // ldconfig's own limit
constexpr std::size_t kMostFiles = 1000;

constexpr Column kColumns[] = {
    {"path", ColumnType::kText, "a folder of libraries, a file that was read, or a folder whose files are included",
     ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"kind", ColumnType::kText,
     "folder (of libraries), file (/etc/ld.so.conf or an included one), include (its folder)", ColumnFlag::kNotNull},
    {"position", ColumnType::kInteger, "of a folder in the order of search, from 1; NULL for others"},
    {"file", ColumnType::kPath, "the file that names it", ColumnFlag::kNotNull},
    {"line", ColumnType::kInteger, "of that file, from 1; NULL for /etc/ld.so.conf itself"},
    {"is_present", ColumnType::kBoolean, "it is there"},
    {"absolute", ColumnType::kBoolean, "0 for a relative folder, which ldconfig refuses", ColumnFlag::kNotNull},
    {"changeable_by", ColumnType::kText,
     "who else than root can change it, or could make it; NULL when nobody, or for a relative folder"},
};

struct Place {
  std::string file;
  std::uint32_t line = 0;
};

class ConfReader {
 public:
  explicit ConfReader(TableReader& out) : out_(out), exposure_(out.files()) {}

  void take_file(const std::string& path, const Place& place, int depth) {
    if (++files_read_ > kMostFiles || depth > kDeepestInclude)
      return out_.gap({ErrorCode::kTooLarge, concat({path, ": more included files than are looked at"})});
    const auto file = out_.files().read(path);
    if (!file && file.error().code == ErrorCode::kNotFound) return;
    if (!file) return out_.gap(file.error());
    if (file->truncated) out_.gap({ErrorCode::kTooLarge, concat({path, ": too large, its end was not read"})});
    add("file", path, place);
    for (const auto& line : parse_ld_so_conf(file->bytes)) {
      if (line.kind == LdSoLine::Kind::kFolder) add("folder", line.text, {path, line.line});
      if (line.kind == LdSoLine::Kind::kInclude) include(line.text, {path, line.line}, depth);
    }
  }

 private:
  void include(const std::string& pattern, const Place& place, int depth) {
    const auto folder = place.file.substr(0, place.file.rfind('/'));
    const auto absolute = pattern.starts_with('/') ? pattern : concat({folder, "/", pattern});
    const auto place_of_files = absolute.substr(0, absolute.rfind('/'));
    if (place_of_files.find_first_of("*?[") == std::string::npos && !place_of_files.empty())
      add("include", place_of_files, place);
    std::vector<Error> errors;
    for (const auto& path : expand_glob(out_.files(), absolute, errors, kMostFiles)) take_file(path, place, depth + 1);
    for (const auto& error : errors) out_.gap(error);
  }

  void add(std::string_view kind, const std::string& path, const Place& place) {
    auto row = out_.row();
    row.set("path", path).set("kind", kind).set("file", place.file).set("absolute", path.starts_with('/'));
    if (kind == "folder") row.set("position", ++position_);
    if (place.line != 0) row.set("line", place.line);
    if (!path.starts_with('/')) return;
    const auto exists = exposure_.exists(path);
    row.set("is_present", exists);
    if (!out_.wants("changeable_by")) return;
    const auto reason = exposure_.of(path);
    row.set("changeable_by", reason);
  }

  TableReader& out_;
  PathExposure exposure_;
  std::size_t files_read_ = 0;
  int position_ = 0;
};

void read_ld_so_conf(TableReader& out) {
  ConfReader(out).take_file(std::string(kMainFile), {std::string(kMainFile), 0}, 0);
}

}  // namespace

Probe ld_so_conf_probe() {
  return {{"ld_so_conf",
           "The folders in which ldconfig finds libraries for every program, in their order, from /etc/ld.so.conf and "
           "what it includes; and these files.",
           kColumns},
          &read_ld_so_conf};
}

}  // namespace gpuharden
