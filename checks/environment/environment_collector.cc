// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/environment/environment_collector.h"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "checks/environment/variable.h"
#include "checks/system/redaction.h"
#include "checks/systemd/unit_loader.h"
#include "checks/systemd/unit_words.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::size_t kMaxStoredValue = 4096;

std::string_view shortened(std::string_view text) { return text.substr(0, kMaxStoredValue); }

// Files read at other times do not override each other.
std::string_view family_of(const EnvironmentSource& source, std::string_view family) {
  const bool is_logout = source.path.find("logout") != std::string::npos;
  return is_logout ? "logout" : family;
}

// In these scopes files follow each other; elsewhere each stands for itself.
bool is_sequence(std::string_view scope) {
  return scope == "login" || scope == "user" || scope == "manager" || scope == "user-manager";
}

// What overrides each other: scope, user, family, file where each stands for itself, and name. All of them are texts of
// one pool, so that equal ones have one address.
using Group = std::array<const char*, 5>;
struct GroupHash {
  std::size_t operator()(const Group& group) const {
    std::size_t hash = 0;
    for (const char* text : group) hash = hash * 31 + std::hash<const void*>()(text);
    return hash;
  }
};
using Groups = std::unordered_set<Group, GroupHash>;

template <typename Fact>
Group group_of(const Fact& fact) {
  return {fact.scope.data(), fact.user ? fact.user->data() : nullptr, fact.family.data(),
          is_sequence(fact.scope) ? nullptr : fact.file.data(), fact.name.data()};
}

bool is_posix_login(const EnvironmentSource& source) {
  return source.path == "/etc/profile" || source.path.starts_with("/etc/profile.d/");
}

// WEBUI_AUTH=False switches something off and is no secret, whatever its name says.
bool is_switch(std::string_view value) {
  static constexpr std::array<std::string_view, 8> kWords = {"0", "1", "true", "false", "yes", "no", "on", "off"};
  const std::string word = to_lower(value);
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

}  // namespace

std::string_view to_string(EnvironmentSyntax syntax) {
  static constexpr std::array<std::string_view, 12> kWords = {
      "shell",         "shell",   "fish", "csh",  "pam",  "pam_env.conf", "environment-file",
      "environment.d", "crontab", "ssh",  "unit", "other"};
  return kWords.at(static_cast<std::size_t>(syntax));
}

void EnvironmentCollector::read(const EnvironmentSource& source) {
  const auto link = files_.lstat(source.path);
  if (!link) {
    const auto code = link.error().code;
    if (code != ErrorCode::kNotFound && code != ErrorCode::kNotRegular) add_gap(source.path, link.error());
    return;
  }
  const auto path = keep(source.path);
  StartupFile startup{
      path, source.scope, to_string(source.syntax), keep_if_any(source.user), source.owner, link->type, {}, {}, false};
  if (link->type == FileType::kSymlink) {
    if (const auto text = files_.read_link(source.path)) startup.link_target = *text;
  }
  // The usual way to switch a start-up file off: it sets nothing, and nothing is missing.
  const bool is_off = startup.link_target && link_target(source.path, *startup.link_target) == "/dev/null";
  const auto file = is_off || source.syntax == EnvironmentSyntax::kOther ? std::nullopt : read_file(source, startup);
  if (!startup.stat) {
    if (auto stat = files_.stat(source.path)) startup.stat = *stat;
  }
  if (file) {
    out_.files.emplace(path, file->stat);
    parse(source, file->bytes);
  }
  if (source.is_startup_file) out_.startup_files.push_back(std::move(startup));
}

std::optional<FileBytes> EnvironmentCollector::read_file(const EnvironmentSource& source, StartupFile& startup) {
  auto file = files_.read(source.path);
  if (!file) {
    // A link that leads nowhere sets nothing.
    if (file.error().code != ErrorCode::kNotFound) add_gap(source.path, file.error());
    return std::nullopt;
  }
  startup.stat = file->stat;
  // A user's link to what only root may read must not carry it into a report.
  const bool is_own =
      !source.owner || *source.owner == 0 || file->stat.uid == *source.owner || (file->stat.mode & 0004U) != 0;
  if (!is_own) {
    startup.is_foreign = true;
    add_gap(source.path, {ErrorCode::kNotRegular,
                          concat({source.path, ": leads to a file that is not the user's to read, not read"})});
    return std::nullopt;
  }
  if (file->truncated) add_gap(source.path, {ErrorCode::kTooLarge, source.path + ": too large, its end was not read"});
  return std::move(*file);
}

void EnvironmentCollector::parse(const EnvironmentSource& source, std::string_view text) {
  ShellVariables known;
  if (!source.home.empty()) known["HOME"] = source.home;
  switch (source.syntax) {
    case EnvironmentSyntax::kShell: {
      if (is_posix_login(source)) known = login_variables_;
      const auto shell = parse_shell(text, std::move(known));
      add_shell_text(source, shell, "sh");
      if (is_posix_login(source)) login_variables_ = shell.variables;
      return;
    }
    case EnvironmentSyntax::kZsh: return add_shell_text(source, parse_shell(text, std::move(known)), "zsh");
    case EnvironmentSyntax::kFish: return add_shell_text(source, parse_fish(text, known), "fish");
    case EnvironmentSyntax::kCsh: return add_shell_text(source, parse_csh(text, known), "csh");
    case EnvironmentSyntax::kPam: return add_env_text(source, parse_pam_environment(text), "pam");
    case EnvironmentSyntax::kPamConf: return add_env_text(source, parse_pam_env_conf(text), "pam");
    case EnvironmentSyntax::kSystemdFile:
    case EnvironmentSyntax::kEnvironmentD: return add_env_text(source, parse_systemd_env_file(text), "environment.d");
    case EnvironmentSyntax::kCron: return add_env_text(source, parse_crontab_variables(text), "cron");
    case EnvironmentSyntax::kSsh: return add_env_text(source, parse_ssh_environment(text), "ssh");
    case EnvironmentSyntax::kUserUnit: return add_user_unit(source, text);
    case EnvironmentSyntax::kOther: return;
  }
}

EnvironmentAssignment EnvironmentCollector::begin(const EnvironmentSource& source, std::uint32_t line,
                                                  std::string_view name, std::string_view family) const {
  EnvironmentAssignment out;
  out.file = keep(source.path);
  out.line = line;
  out.scope = keep(source.scope);
  out.family = keep(family_of(source, family));
  out.syntax = to_string(source.syntax);
  out.user = keep_if_any(source.user);
  out.name = keep(name);
  out.owner = source.owner;
  return out;
}

void EnvironmentCollector::set_value(EnvironmentAssignment& out, std::string_view value, std::string_view raw,
                                     std::string_view value_when_unset) const {
  if (is_path_list(out.name)) {
    out.always_empty_element = has_current_folder_element(out.name, value);
    out.has_empty_element = *out.always_empty_element || has_current_folder_element(out.name, value_when_unset);
  }
  // A credential that is only named ("$TOKEN") is none.
  const bool is_reference = value.starts_with('$') || value.empty();
  const bool by_name = !is_reference && !is_switch(value) && names_credential(out.name);
  out.is_credential = by_name || (!is_reference && holds_credential(value));
  out.value = keep(by_name ? redacted(value) : redact_value("", shortened(value)));
  out.raw = keep(by_name ? redacted(value) : redact_value("", shortened(raw)));
}

void EnvironmentCollector::add_shell_text(const EnvironmentSource& source, const ShellText& text,
                                          std::string_view family) {
  if (text.is_truncated)
    add_gap(source.path, {ErrorCode::kTooLarge, source.path + ": too many assignments, not all were looked at"});
  for (const auto& item : text.items) add_shell_item(source, item, family);
}

void EnvironmentCollector::add_shell_item(const EnvironmentSource& source, const ShellItem& item,
                                          std::string_view family) {
  if (item.kind != ShellItemKind::kAssignment && item.kind != ShellItemKind::kUnset) {
    ShellSetting setting{keep(source.path),
                         item.line,
                         keep(source.scope),
                         keep(family_of(source, family)),
                         keep_if_any(source.user),
                         keep(item.name),
                         std::string(shortened(item.value)),
                         {},
                         item.is_conditional,
                         true};
    if (item.kind == ShellItemKind::kUmask) setting.umask = parse_umask(item.value);
    if (item.kind == ShellItemKind::kEval) setting.value = redact_text(setting.value, split_unit_words(setting.value));
    out_.settings.push_back(std::move(setting));
    return;
  }
  auto out = begin(source, item.line, item.name, family);
  if (item.kind == ShellItemKind::kUnset)
    out.operation = "unset";
  else
    set_value(out, item.value, item.raw, item.value_when_unset);
  if (item.is_for_command) out.syntax = "shell-command";
  out.is_exported = item.is_exported;
  out.is_conditional = item.is_conditional;
  out.is_guarded = item.is_guarded;
  out.refers_to_itself = item.refers_to_itself;
  out_.assignments.push_back(std::move(out));
}

void EnvironmentCollector::add_env_text(const EnvironmentSource& source, const EnvText& text, std::string_view family) {
  std::vector<EnvLine> known;
  for (const auto& line : text.lines) {
    auto out = begin(source, line.line, line.name, family);
    const bool expands = source.syntax == EnvironmentSyntax::kEnvironmentD &&
                         line.value.find('$') != std::string::npos && known.size() < 1000;
    const auto value = expands ? expand_environment_d(line.value, known) : line.value;
    set_value(out, value, line.value, value);
    out.refers_to_itself = refers_to(line.value, line.name);
    if (source.syntax == EnvironmentSyntax::kEnvironmentD)
      known.push_back({line.name, std::string(shortened(value)), line.line});
    out_.assignments.push_back(std::move(out));
  }
}

// Only the unit's own Environment= lines: which files and drop-ins a user's manager would merge is
// not worked out.
void EnvironmentCollector::add_user_unit(const EnvironmentSource& source, std::string_view text) {
  const auto parsed = parse_unit_text(std::string(text));
  for (const auto& assignment : parsed->assignments) {
    if (assignment.name != "Environment") continue;
    for (const auto& word : split_unit_words(assignment.value)) {
      const auto equals = word.find('=');
      if (equals == std::string::npos || !is_variable_name(word.substr(0, equals))) continue;
      auto out = begin(source, assignment.line, word.substr(0, equals), "unit");
      out.unit = keep(std::string_view(source.path).substr(source.path.rfind('/') + 1));
      const auto value = word.substr(equals + 1);
      set_value(out, value, value, value);
      out_.assignments.push_back(std::move(out));
    }
  }
}

void EnvironmentCollector::add_unit_variables(const std::vector<UnitVariable>& variables, std::string_view scope,
                                              const std::optional<std::string>& unit,
                                              std::optional<std::uint32_t> owner) {
  static constexpr std::array<std::string_view, 5> kOperations = {"set", "pass", "set", "set", "unset"};
  for (const auto& variable : variables) {
    if (variable.kind == UnitVariableKind::kDefault && unit) continue;  // a row of the manager already
    EnvironmentAssignment out;
    out.file = keep(variable.file);
    out.line = variable.line;
    out.scope = keep(scope);
    out.family = keep("unit");
    out.syntax = variable.kind == UnitVariableKind::kFile ? "environment-file" : "unit";
    out.operation = kOperations.at(static_cast<std::size_t>(variable.kind));
    out.unit = keep_if_any(unit);
    out.owner = owner;
    out.name = keep(variable.name);
    out.is_effective = variable.is_effective;
    if (out.operation == "set") set_value(out, variable.value, variable.value, variable.value);
    out_.assignments.push_back(std::move(out));
  }
}

void EnvironmentCollector::mark_effective() {
  Groups overridden;
  for (auto at = out_.assignments.rbegin(); at != out_.assignments.rend(); ++at) {
    if (at->scope == "unit") continue;  // decided by systemd's precedence
    const auto group = group_of(*at);
    at->is_effective = !overridden.contains(group) && at->syntax != "shell-command";
    const bool replaces = !at->is_conditional && !at->refers_to_itself && at->syntax != "shell-command";
    if (replaces) overridden.insert(group);
  }
  overridden.clear();
  for (auto at = out_.settings.rbegin(); at != out_.settings.rend(); ++at) {
    if (at->name != "umask") continue;
    const auto group = group_of(*at);
    at->is_effective = !overridden.contains(group);
    if (!at->is_conditional) overridden.insert(group);
  }
}

}  // namespace gpuharden
