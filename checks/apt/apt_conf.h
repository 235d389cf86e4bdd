// SPDX-License-Identifier: GPL-2.0-or-later
// The configuration language of apt.conf(5).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gpuharden {

// One thing that a configuration file says, in order.
struct AptConfStatement {
  enum class Kind : std::uint8_t { kSet, kAppend, kClear, kInclude };
  Kind kind = Kind::kSet;
  std::string name;        // full name, as written: Acquire::AllowInsecureRepositories; without the
                           // last "::" for kAppend; the path for kInclude
  std::string value;       // of kSet and kAppend
  std::uint32_t line = 0;  // from 1
};

struct AptConf {
  std::vector<AptConfStatement> statements;
  // Why apt stops with an error at this file; empty when it does not. What stands before is kept.
  std::string fault;
};

AptConf parse_apt_conf(std::string_view text);

struct AptSetting {
  std::string name;  // as last written
  std::string value;
  std::string file;
  std::uint32_t line = 0;
};

// What is in force after the statements of one file after the other. Names do not depend on case.
class AptSettings {
 public:
  void apply(const AptConfStatement& statement, const std::string& file);
  // By lower-case name; the items of lists have names of their own, "dpkg::post-invoke::#1".
  const std::map<std::string, AptSetting>& all() const { return settings_; }

 private:
  void clear(const std::string& name);
  std::map<std::string, AptSetting> settings_;
  std::map<std::string, std::uint32_t> items_;  // appended so far, by lower-case name of the list
};

// Whether apt reads a file of that name from apt.conf.d: no extension or .conf, not hidden.
bool is_apt_conf_name(std::string_view name);

}  // namespace gpuharden
