// SPDX-License-Identifier: GPL-2.0-or-later
#include "remediations/audit_rules.h"

#include <algorithm>
#include <set>

#include "engine/base/text.h"
#include "engine/native/audit_line.h"
#include "engine/native/audit_names.h"

namespace gpuharden {
namespace {

bool is_key(std::string_view key) {
  return !key.empty() && key.size() <= 32 && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

std::string base_name(std::string_view path) { return std::string(path.substr(path.rfind('/') + 1)); }

// Makes the lines of needs, each once.
class RulesMaker {
 public:
  RulesMaker(const Files& files, std::uint32_t machine) : files_(files) { words_.machine = machine; }

  void add(const AuditNeed& need) {
    for (const auto& key : need.keys) GH_CHECK(is_key(key));
    for (const auto& path : need.paths) watch(path, real_path(path), "wa", need.keys);
    for (const auto& program : need.programs) {
      const auto real = real_path(program);
      // Where one program has many names (busybox), its runs say nothing of modules.
      if (real.empty() || base_name(real) == base_name(program) || base_name(real) == "kmod")
        watch(program, real, "x", need.keys);
    }
    add_calls("b64", words_.machine, need);
    if (const auto narrow = audit_compat_machine(words_.machine)) add_calls("b32", *narrow, need);
  }
  AuditRulesText take() { return std::move(out_); }

 private:
  // Empty where nothing is, or where it cannot be told.
  std::string real_path(const std::string& path) {
    auto real = files_.real_path(path);
    if (real) return std::move(real).value();
    if (real.error().code != ErrorCode::kNotFound) out_.left_out.push_back(concat({path, ": ", real.error().message}));
    return {};
  }

  void watch(const std::string& path, const std::string& real, std::string_view perms,
             const std::vector<std::string>& keys) {
    if (real.empty()) return;
    const auto stat = files_.stat(real);
    const bool is_fit = stat && (stat->type == FileType::kRegular || stat->type == FileType::kDirectory);
    if (!is_fit) return leave_out(path, stat ? "is no file and no folder" : stat.error().message);
    std::string line = concat({"-w ", real, " -p ", perms});
    for (const auto& key : keys) line += concat({" -k ", key});
    add_line(path, line);
  }

  void add_calls(std::string_view arch, std::uint32_t machine, const AuditNeed& need) {
    std::vector<std::string> known;
    for (const auto& call : need.calls) {
      if (syscall_number(machine, call).known == SyscallKnown::kYes) known.push_back(call);
    }
    if (known.empty()) return;
    std::string line = concat({"-a always,exit -F arch=", arch, " -S ", join(known, ",")});
    for (const auto& key : need.keys) line += concat({" -F key=", key});
    add_line(join(known, ","), line);
  }

  // Read back as auditctl would: what that refuses, or takes for something else, is left out.
  void add_line(const std::string& what, const std::string& line) {
    const auto parsed = parse_audit_line(line, words_);
    if (parsed.kind != AuditLine::Kind::kRule || !parsed.doubt.empty())
      return leave_out(what, parsed.error.empty() ? parsed.doubt : parsed.error);
    auto text = audit_rule_text(parsed.rule, words_.machine);
    if (seen_.insert(text).second) out_.lines.push_back(std::move(text));
  }

  void leave_out(const std::string& what, std::string_view reason) {
    out_.left_out.push_back(concat({escape_for_terminal(what), ": ", reason}));
  }

  const Files& files_;
  AuditWords words_;
  std::set<std::string> seen_;
  AuditRulesText out_;
};

}  // namespace

AuditNeed shell_profile_need() {
  return {{"gpuharden-profiles"},
          {"/etc/profile", "/etc/profile.d", "/etc/bash.bashrc", "/etc/bashrc", "/etc/zsh", "/etc/zshenv", "/etc/zshrc",
           "/etc/zprofile", "/etc/fish", "/etc/csh.cshrc", "/etc/csh.login", "/root/.bashrc", "/root/.bash_profile",
           "/root/.bash_login", "/root/.profile", "/root/.zshrc", "/root/.zshenv"},
          {},
          {}};
}

AuditNeed environment_need() {
  return {{"gpuharden-environment"},
          {"/etc/environment", "/etc/environment.d", "/etc/security/pam_env.conf", "/etc/ld.so.conf",
           "/etc/ld.so.conf.d", "/etc/ld.so.preload"},
          {},
          {}};
}

AuditNeed unit_need() {
  return {{"gpuharden-units"},
          {"/etc/systemd", "/usr/lib/systemd/system", "/usr/lib/systemd/user", "/usr/local/lib/systemd"},
          {},
          {}};
}

AuditNeed account_need() {
  return {{"gpuharden-accounts"},
          {"/etc/group", "/etc/gshadow", "/etc/passwd", "/etc/shadow", "/etc/sudoers", "/etc/sudoers.d",
           "/etc/nsswitch.conf", "/etc/security/opasswd"},
          {},
          {}};
}

AuditNeed module_need() {
  return {{"gpuharden-modules"},
          {"/etc/modprobe.d", "/etc/modules-load.d", "/etc/modules"},
          {"/usr/bin/kmod", "/bin/kmod", "/usr/sbin/lsmod", "/sbin/lsmod"},
          {"init_module", "finit_module", "delete_module"}};
}

std::vector<AuditNeed> all_audit_needs() {
  return {shell_profile_need(), environment_need(), unit_need(), account_need(), module_need()};
}

AuditRulesText make_audit_rules(const Files& files, std::uint32_t machine, const std::vector<AuditNeed>& needs) {
  RulesMaker maker(files, machine);
  for (const auto& need : needs) maker.add(need);
  return maker.take();
}

std::string audit_rules_file(const AuditRulesText& rules) {
  return concat({"## Made by gpuharden, which replaces it as a whole: do not edit. gpuharden rollback takes it away.\n",
                 join(rules.lines, "\n"), rules.lines.empty() ? "" : "\n"});
}

}  // namespace gpuharden
