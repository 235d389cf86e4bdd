// SPDX-License-Identifier: GPL-2.0-or-later
// Tables that files make at boot: those of nftables.service and that of the guard.
#include <set>

#include "checks/firewall/nft_conf.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr std::size_t kMaxFiles = 1000;

constexpr Column kColumns[] = {
    {"name", ColumnType::kText, "family and table: \"inet filter\"", ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"file", ColumnType::kPath, "the file that makes it", ColumnFlag::kNotNull},
    {"line", ColumnType::kInteger, "where it begins", ColumnFlag::kNotNull},
    {"unit", ColumnType::kText, "the unit that loads the file", ColumnFlag::kNotNull},
};

class FilesReader {
 public:
  FilesReader(TableReader& out, std::string_view unit) : out_(out), unit_(unit) {}

  // Only the first file may be missing: then there are no rules for the unit.
  void read(const std::string& path) {
    if (!seen_.insert(path).second) return;
    if (seen_.size() > kMaxFiles) return out_.gap({ErrorCode::kTooLarge, concat({path, ": too many included files"})});
    const auto file = out_.files().read(path);
    if (!file && file.error().code == ErrorCode::kNotFound && seen_.size() == 1) return;
    if (!file) return out_.gap(file.error());
    if (file->truncated) out_.gap({ErrorCode::kTooLarge, concat({path, ": too large, its end was not read"})});
    const auto conf = parse_nft_conf(file->bytes);
    for (const auto& table : conf.tables) {
      out_.row()
          .set("name", concat({table.family, " ", table.name}))
          .set("file", path)
          .set("line", table.line)
          .set("unit", unit_);
    }
    for (const auto& include : conf.includes) read_included(include);
  }

 private:
  // nft looks for other names than absolute ones in /etc, and reads all files of a folder.
  void read_included(const std::string& name) {
    std::string path = name.starts_with('/') ? name : "/etc/" + name;
    if (name.starts_with("./")) path = "/etc/" + name.substr(2);
    if (path.ends_with('/')) path += '*';
    if (path.find_first_of("*?[") == std::string::npos) return read(path);
    std::vector<Error> errors;
    for (const auto& found : expand_glob(out_.files(), path, errors)) read(found);
    for (const auto& error : errors) out_.gap(error);
  }

  TableReader& out_;
  std::string_view unit_;
  std::set<std::string> seen_;
};

void read_nft_file_tables(TableReader& out) {
  FilesReader(out, "nftables.service").read("/etc/nftables.conf");
  // remediations/nft_guard.h makes both.
  FilesReader(out, "gpuharden-guard.service").read("/etc/gpuharden/guard.nft");
}

}  // namespace

Probe nft_file_tables_probe() {
  return {{"nft_file_tables",
           "Tables that /etc/nftables.conf and the files that it includes make, which nftables.service loads at boot; "
           "and those of /etc/gpuharden/guard.nft.",
           kColumns},
          &read_nft_file_tables};
}

}  // namespace gpuharden
