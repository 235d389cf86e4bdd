// SPDX-License-Identifier: GPL-2.0-or-later
// What every new user gets.
#include <nlohmann/json.hpp>

#include "checks/accounts/adduser_conf.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr const char* kPath = "/etc/adduser.conf";

constexpr Column kColumns[] = {
    {"name", ColumnType::kText, "the setting: EXTRA_GROUPS, ADD_EXTRA_GROUPS, …",
     ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"value", ColumnType::kText, "its value without quotes; the last assignment of a name wins", ColumnFlag::kNotNull},
    {"words", ColumnType::kText, "the blank-separated words of the value as a JSON list", ColumnFlag::kNotNull},
    {"file", ColumnType::kPath, "/etc/adduser.conf", ColumnFlag::kNotNull},
    {"line", ColumnType::kInteger, "line in the file, from 1", ColumnFlag::kNotNull},
};

std::string words_of(const std::string& value) {
  auto list = nlohmann::json::array();
  for (const auto word : split_words(value)) list.push_back(std::string(word));
  return list.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void read_adduser_config(TableReader& out) {
  const auto file = out.files().read(kPath);
  if (!file && file.error().code == ErrorCode::kNotFound) return;
  if (!file) return out.gap(file.error());
  if (file->truncated) out.gap({ErrorCode::kTooLarge, concat({kPath, ": too large, its end was not read"})});
  for (const auto& setting : parse_adduser_conf(file->bytes)) {
    out.row()
        .set("name", setting.name)
        .set("value", setting.value)
        .set("words", words_of(setting.value))
        .set("file", kPath)
        .set("line", setting.line);
  }
}

}  // namespace

Probe adduser_config_probe() {
  return {
      {"adduser_config",
       "Settings of adduser(8), from adduser.conf(5). One row a setting; none where there is no such file.", kColumns},
      &read_adduser_config};
}

}  // namespace gpuharden
