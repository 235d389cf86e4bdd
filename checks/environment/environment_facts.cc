// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/environment/environment_facts.h"

#include <array>

#include "checks/environment/environment_collector.h"
#include "checks/environment/homes.h"
#include "checks/environment/merged_files.h"
#include "checks/systemd/unit_environments.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

using Syntax = EnvironmentSyntax;

struct FixedFile {
  std::string_view path;
  Syntax syntax;
};

// In the order in which logins read them.
constexpr std::array<FixedFile, 3> kSessionFiles = {{{"/etc/security/pam_env.conf", Syntax::kPamConf},
                                                     {"/etc/environment", Syntax::kPam},
                                                     {"/etc/profile", Syntax::kShell}}};
constexpr std::array<FixedFile, 19> kShellFiles = {{{"/etc/bash.bashrc", Syntax::kShell},
                                                    {"/etc/bashrc", Syntax::kShell},
                                                    {"/etc/bash.bash_logout", Syntax::kShell},
                                                    {"/etc/zshenv", Syntax::kZsh},
                                                    {"/etc/zsh/zshenv", Syntax::kZsh},
                                                    {"/etc/zprofile", Syntax::kZsh},
                                                    {"/etc/zsh/zprofile", Syntax::kZsh},
                                                    {"/etc/zshrc", Syntax::kZsh},
                                                    {"/etc/zsh/zshrc", Syntax::kZsh},
                                                    {"/etc/zlogin", Syntax::kZsh},
                                                    {"/etc/zsh/zlogin", Syntax::kZsh},
                                                    {"/etc/zsh/zlogout", Syntax::kZsh},
                                                    {"/etc/fish/config.fish", Syntax::kFish},
                                                    {"/etc/csh.cshrc", Syntax::kCsh},
                                                    {"/etc/csh.login", Syntax::kCsh},
                                                    {"/etc/csh.logout", Syntax::kCsh},
                                                    {"/etc/inputrc", Syntax::kOther},
                                                    {"/etc/rc.local", Syntax::kShell},
                                                    {"/etc/ssh/sshrc", Syntax::kShell}}};
constexpr std::array<std::string_view, 4> kSkeletonFiles = {".profile", ".bashrc", ".bash_profile", ".bash_logout"};

// A user's start-up files, in about the order in which a login reads them.
constexpr std::array<FixedFile, 30> kHomeFiles = {{{".pam_environment", Syntax::kPamConf},
                                                   {".ssh/environment", Syntax::kSsh},
                                                   {".ssh/rc", Syntax::kShell},
                                                   {".profile", Syntax::kShell},
                                                   {".bash_login", Syntax::kShell},
                                                   {".bash_profile", Syntax::kShell},
                                                   {".bashrc", Syntax::kShell},
                                                   {".bash_aliases", Syntax::kShell},
                                                   {".bash_logout", Syntax::kShell},
                                                   {".zshenv", Syntax::kZsh},
                                                   {".zprofile", Syntax::kZsh},
                                                   {".zshrc", Syntax::kZsh},
                                                   {".zlogin", Syntax::kZsh},
                                                   {".zlogout", Syntax::kZsh},
                                                   {".kshrc", Syntax::kShell},
                                                   {".cshrc", Syntax::kCsh},
                                                   {".tcshrc", Syntax::kCsh},
                                                   {".login", Syntax::kCsh},
                                                   {".logout", Syntax::kCsh},
                                                   {".xprofile", Syntax::kShell},
                                                   {".xsession", Syntax::kShell},
                                                   {".xsessionrc", Syntax::kShell},
                                                   {".xinitrc", Syntax::kShell},
                                                   {".config/fish/config.fish", Syntax::kFish},
                                                   {".inputrc", Syntax::kOther},
                                                   {".condarc", Syntax::kOther},
                                                   {".mambarc", Syntax::kOther},
                                                   {".config/pip/pip.conf", Syntax::kOther},
                                                   {".pythonrc", Syntax::kOther},
                                                   {".envrc", Syntax::kShell}}};

// Folders of a home whose files are start-up files too; at most so many of each are read.
struct HomeFolder {
  std::string_view folder, suffix, scope;
  Syntax syntax;
};
constexpr std::size_t kMaxFolderFiles = 200;
constexpr std::array<HomeFolder, 4> kHomeFolders = {
    {{".config/environment.d", ".conf", "user-manager", Syntax::kEnvironmentD},
     {".config/fish/conf.d", ".fish", "user", Syntax::kFish},
     {".config/systemd/user", "", "user-unit", Syntax::kUserUnit},
     {".local/share/systemd/user", "", "user-unit", Syntax::kUserUnit}}};
constexpr std::array<std::string_view, 4> kUserUnitFolders = {"/etc/systemd/user", "/run/systemd/user",
                                                              "/usr/local/lib/systemd/user", "/usr/lib/systemd/user"};

class FactsReader {
 public:
  FactsReader(const Host& host, SharedFacts& shared)
      : files_(host.files()), host_(host), shared_(shared), collector_(files_, facts_) {}

  EnvironmentFacts read() {
    read_login();
    read_system_folders();
    read_units();
    read_homes();
    for (auto& error : errors_) collector_.add_gap("*", std::move(error));
    collector_.mark_effective();
    return std::move(facts_);
  }

 private:
  void read_one(std::string path, std::string_view scope, Syntax syntax, bool is_startup = true) {
    collector_.read({std::move(path), scope, syntax, {}, {}, is_startup, ""});
  }
  void read_folder(std::string_view folder, std::string_view suffix, std::string_view scope, Syntax syntax,
                   bool is_startup) {
    for (auto& path : files_in(files_, folder, suffix, errors_)) read_one(std::move(path), scope, syntax, is_startup);
  }

  void read_login() {
    for (const auto& file : kSessionFiles) read_one(std::string(file.path), "login", file.syntax);
    read_folder("/etc/profile.d", ".sh", "login", Syntax::kShell, true);
    for (const auto& file : kShellFiles) read_one(std::string(file.path), "login", file.syntax);
    read_folder("/etc/profile.d", ".csh", "login", Syntax::kCsh, true);
    read_folder("/etc/fish/conf.d", ".fish", "login", Syntax::kFish, true);
    for (const auto name : kSkeletonFiles) read_one(concat({"/etc/skel/", name}), "skeleton", Syntax::kShell);
  }

  void read_system_folders() {
    const std::vector<std::string> environment_d = {"/etc/environment.d", "/run/environment.d",
                                                    "/usr/local/lib/environment.d", "/usr/lib/environment.d"};
    for (auto& path : merged_files(files_, environment_d, ".conf", errors_))
      read_one(std::move(path), "user-manager", Syntax::kEnvironmentD);
    for (const auto* folder : {"/etc/default", "/etc/sysconfig"}) read_defaults(folder);
    read_one("/etc/crontab", "cron", Syntax::kCron, false);
    read_one("/etc/anacrontab", "cron", Syntax::kCron, false);
    for (const auto* folder : {"/etc/cron.d", "/var/spool/cron/crontabs"})
      read_folder(folder, "", "cron", Syntax::kCron, false);
    for (const auto folder : kUserUnitFolders) read_user_units(folder, {});
  }

  // Only files: what distributions put into sub-folders has readers of its own.
  void read_defaults(std::string_view folder) {
    for (auto& path : files_in(files_, folder, "", errors_)) {
      const auto stat = files_.lstat(path);
      if (!stat || stat->type != FileType::kDirectory) read_one(std::move(path), "default", Syntax::kShell, false);
    }
  }

  void read_units() {
    const auto& environments = unit_environments(host_, shared_);
    collector_.add_unit_variables(environments.system_defaults, "manager", {}, {});
    collector_.add_unit_variables(environments.manager, "manager", {}, {});
    collector_.add_unit_variables(environments.user_defaults, "user-manager", {}, {});
    for (const auto& gap : environments.gaps) collector_.add_gap(gap.file, gap.error);
    for (const auto& gap : unit_set(host_, shared_).gaps) collector_.add_gap(gap.file, gap.error);
    for (const auto& [unit, environment] : environments.by_unit) {
      collector_.add_unit_variables(environment.variables, "unit", unit, {});
      for (const auto& gap : environment.gaps) collector_.add_gap(gap.file, gap.error);
    }
  }

  // Fragments, and the drop-ins one folder below.
  void read_user_units(std::string_view folder, const std::optional<Home>& home) {
    std::size_t count = 0;
    for (const auto& path : files_in(files_, folder, "", errors_)) {
      if (++count > kMaxFolderFiles && home) return add_too_many(folder);
      if (path.ends_with(".service") || path.ends_with(".socket"))
        read_user_file(path, "user-unit", Syntax::kUserUnit, home);
      if (!path.ends_with(".d")) continue;
      for (const auto& drop_in : files_in(files_, path, ".conf", errors_)) {
        if (++count > kMaxFolderFiles && home) return add_too_many(folder);
        read_user_file(drop_in, "user-unit", Syntax::kUserUnit, home);
      }
    }
  }

  void read_user_file(const std::string& path, std::string_view scope, Syntax syntax, const std::optional<Home>& home) {
    if (!home) return read_one(path, scope, syntax, false);
    collector_.read({path, scope, syntax, home->user, home->uid, true, home->path});
  }

  void add_too_many(std::string_view folder) {
    collector_.add_gap("*", {ErrorCode::kTooLarge, concat({folder, ": more than ", std::to_string(kMaxFolderFiles),
                                                           " files, not all were read"})});
  }

  void read_homes() {
    const auto& homes = homes_of(host_, shared_);
    errors_.insert(errors_.end(), homes.errors.begin(), homes.errors.end());
    for (const auto& home : homes.homes) {
      for (const auto& file : kHomeFiles) {
        if (may_hold(home, file.path)) read_user_file(concat({home.path, "/", file.path}), "user", file.syntax, home);
      }
      for (const auto& folder : kHomeFolders) {
        if (may_hold(home, folder.folder)) read_home_folder(folder, home);
      }
    }
  }

  void read_home_folder(const HomeFolder& folder, const Home& home) {
    const std::string path = concat({home.path, "/", folder.folder});
    if (folder.syntax == Syntax::kUserUnit) return read_user_units(path, home);
    std::size_t count = 0;
    for (const auto& file : files_in(files_, path, folder.suffix, errors_)) {
      if (++count > kMaxFolderFiles) return add_too_many(path);
      read_user_file(file, folder.scope, folder.syntax, home);
    }
  }

  const Files& files_;
  const Host& host_;
  SharedFacts& shared_;
  EnvironmentFacts facts_;
  EnvironmentCollector collector_;
  std::vector<Error> errors_;
};

}  // namespace

const EnvironmentFacts& environment_facts(const Host& host, SharedFacts& shared) {
  return shared.get<EnvironmentFacts>(host, [&](const Host& h) { return FactsReader(h, shared).read(); });
}

}  // namespace gpuharden
