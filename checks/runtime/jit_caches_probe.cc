// SPDX-License-Identifier: GPL-2.0-or-later
// Caches of code that was compiled at run time: whose they are, who can change them, whether they last.

#include "checks/environment/homes.h"
#include "checks/environment/path_exposure.h"
#include "checks/runtime/cache_places.h"
#include "checks/systemd/account_ids.h"
#include "checks/systemd/unit_environments.h"
#include "checks/systemd/unit_words.h"
#include "engine/base/text.h"
#include "engine/host/mounts.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr std::size_t kMountsCap = std::size_t{16} << 20U;

constexpr Column kColumns[] = {
    {"path", ColumnType::kPath, "the folder", ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"kind", ColumnType::kText,
     "whose code it holds: cuda, triton, torch, torch-extensions, torch-inductor, miopen, miopen-database, rocblas, "
     "comgr, vllm, huggingface, …",
     ColumnFlag::kNotNull},
    {"source", ColumnType::kText, "home (the usual folder of an account), temporary (below /tmp) or unit (a variable)",
     ColumnFlag::kNotNull},
    {"user", ColumnType::kText, "whose programs use it; NULL for a dynamic user"},
    {"user_id", ColumnType::kInteger, "that user's id; NULL when /etc/passwd does not know it"},
    {"unit", ColumnType::kText, "the unit whose environment names it; NULL for other sources"},
    {"variable", ColumnType::kText, "the variable that names it; NULL for other sources"},
    {"present", ColumnType::kBoolean, "1 when it is there; others are shown where a variable names them"},
    {"uid", ColumnType::kInteger, "owner; NULL when it is not there"},
    {"mode", ColumnType::kMode, "permission bits; NULL when it is not there"},
    {"changeable_by", ColumnType::kText,
     "why others than root and that user can change it, or could make it; NULL when they cannot"},
    {"fs_type", ColumnType::kText, "type of the file system that it lies on, or would"},
    {"is_volatile", ColumnType::kBoolean, "1 when that file system is gone after a reboot or with the container"},
};

struct Cache {
  std::string path;
  std::string_view kind, source;
  std::optional<std::string> user;
  std::optional<std::uint32_t> user_id;
  std::optional<std::string> unit, variable;
};

class CacheReader {
 public:
  explicit CacheReader(TableReader& out) : out_(out), exposure_(out.files()) { read_mounts(); }

  void read() {
    const Homes& homes = homes_of(out_.host(), out_.shared());
    for (const auto& error : homes.errors) out_.gap(error);
    for (const auto& home : homes.homes) read_home(home);
    read_units();
  }

 private:
  void read_mounts() {
    for (const auto* path : {"/proc/self/mountinfo", "/proc/1/mountinfo"}) {
      const auto text = out_.files().read(path, kMountsCap);
      if (text) {
        mounts_ = MountTable::parse(text->bytes);
        mounts_error_.reset();
        return;
      }
      mounts_error_ = kernel_fact_error(out_.host(), text.error());
    }
  }

  void read_home(const Home& home) {
    for (const auto& cache : home_caches()) {
      if (!may_hold(home, cache.path)) continue;
      add_if_there({concat({home.path, "/", cache.path}), cache.kind, "home", home.user, home.uid, {}, {}});
    }
    add_if_there({"/tmp/torchinductor_" + home.user, "torch-inductor", "temporary", home.user, home.uid, {}, {}});
  }

  bool is_there(const std::string& path) {
    const auto stat = out_.files().lstat(path);
    if (!stat && stat.error().code != ErrorCode::kNotFound) out_.gap(path, "*", stat.error());
    return stat.has_value();
  }

  void add_if_there(const Cache& cache) {
    if (is_there(cache.path)) add(cache);
  }

  void read_units() {
    const auto& units = unit_set(out_.host(), out_.shared());
    const auto& environments = unit_environments(out_.host(), out_.shared());
    for (const auto& gap : units.gaps) out_.gap(gap.error);
    for (const auto& gap : environments.gaps) out_.gap(gap.error);
    for (const auto& [name, environment] : environments.by_unit) {
      for (const auto& gap : environment.gaps) out_.gap(gap.error);
      const Unit* unit = units.find(name);
      if (unit != nullptr) read_unit(*unit, environment);
    }
  }

  void read_unit(const Unit& unit, const UnitEnvironment& environment) {
    for (const auto& variable : environment.variables) {
      const auto* known = variable.is_effective ? find_cache_variable(variable.name) : nullptr;
      if (known == nullptr || !variable.value.starts_with('/')) continue;
      Cache cache{variable.value, known->kind, "unit", {}, {}, unit.name, variable.name};
      const auto user = setting_of(unit, "Service", "User");
      const bool is_dynamic = user.empty() && is_true_word(setting_of(unit, "Service", "DynamicUser"));
      if (!is_dynamic) cache.user = user.empty() ? "root" : std::string(user);
      if (cache.user)
        cache.user_id = *cache.user == "root" ? 0 : account_ids(out_.host(), out_.shared()).find(*cache.user);
      add(cache);
    }
  }

  void add(const Cache& cache) {
    Row row = out_.row();
    row.set("path", cache.path)
        .set("kind", cache.kind)
        .set("source", cache.source)
        .set("user", cache.user)
        .set("user_id", cache.user_id)
        .set("unit", cache.unit)
        .set("variable", cache.variable);
    const auto stat = out_.files().stat(cache.path);
    const bool is_absent = !stat && stat.error().code == ErrorCode::kNotFound;
    if (stat || is_absent) row.set("present", stat.has_value());
    if (stat) row.set("uid", stat->uid).set("mode", stat->mode);
    if (!stat && !is_absent)
      row.unread("present", stat.error()).unread("uid", stat.error()).unread("mode", stat.error());
    const auto reason = exposure_.of(cache.path, cache.user_id);
    row.set("changeable_by", reason);
    set_file_system(row, cache.path);
  }

  void set_file_system(Row& row, const std::string& path) const {
    if (mounts_error_) {
      row.unread("fs_type", *mounts_error_).unread("is_volatile", *mounts_error_);
      return;
    }
    const auto real = out_.files().real_path(path);
    const Mount* mount = mounts_.covering(real ? *real : path);
    if (mount == nullptr) return;
    row.set("fs_type", mount->fs_type).set("is_volatile", is_volatile_file_system(mount->fs_type));
  }

  TableReader& out_;
  PathExposure exposure_;
  MountTable mounts_;
  std::optional<Error> mounts_error_;
};

void read_jit_caches(TableReader& out) { CacheReader(out).read(); }

}  // namespace

Probe jit_caches_probe() {
  return {
      {"jit_caches",
       "Folders of code that GPU programs compiled at run time and load again: those that are in homes and in /tmp by "
       "their usual names, and those that variables of units name. Variables of running processes are in "
       "process_environment, with kind cache.",
       kColumns, TableCost::kFast, TableLane::kServices},
      &read_jit_caches};
}

}  // namespace gpuharden
