// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/kernel/boot_menu.h"

#include <algorithm>
#include <array>

#include "checks/kernel/grub_config.h"
#include "checks/kernel/loader_entry.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::size_t kMenuCap = std::size_t{8} << 20U;
constexpr std::size_t kMaxEntries = 500;
constexpr std::array<std::string_view, 2> kGrubFolders = {"/boot/grub", "/boot/grub2"};
constexpr std::array<std::string_view, 3> kLoaderFolders = {"/boot", "/efi", "/boot/efi"};
constexpr std::string_view kLoaderGuid = "4a67b082-0a4c-41cf-b6c7-440b29bb8c4f";

bool is_absent(const Error& error) { return error.code == ErrorCode::kNotFound; }

class MenuReader {
 public:
  explicit MenuReader(const Host& host) : files_(host.files()) {}

  BootMenu run() {
    const bool has_grub = read_grub();
    const bool has_systemd = find_loader_folder();
    if (!has_grub && has_systemd) read_systemd_boot();
    if (has_grub && has_systemd && has_loader_conf_)
      menu_.default_error =
          Error{ErrorCode::kUnsupported, concat({folder_,
                                                 "/loader/loader.conf: there are two boot loaders, and the firmware "
                                                 "chooses"})};
    return std::move(menu_);
  }

 private:
  // Nothing when it is not there.
  std::optional<std::string> read(const std::string& path) {
    auto file = files_.read(path, kMenuCap);
    if (!file && is_absent(file.error())) return std::nullopt;
    if (!file) {
      menu_.errors.push_back(file.error());
      return std::nullopt;
    }
    if (file->truncated) menu_.errors.push_back({ErrorCode::kTooLarge, path + ": too large"});
    return std::move(file->bytes);
  }

  bool read_grub() {
    for (const auto folder : kGrubFolders) {
      const auto path = concat({folder, "/grub.cfg"});
      const auto text = read(path);
      if (!text) continue;
      const auto grub = parse_grub_config(*text);
      auto variables = parse_grub_environment(read(concat({folder, "/grubenv"})).value_or(""));
      if (grub.takes_loader_entries) {
        read_grub_loader_entries(grub, variables);
      } else {
        read_grub_entries(grub, variables, path);
      }
      return true;
    }
    return !menu_.errors.empty();
  }

  // The one value of "default", variables of grubenv put in; nothing when there are several.
  std::optional<std::string> default_of(const GrubConfig& grub, const LoaderVariables& environment,
                                        const std::string& path) {
    std::vector<std::string> values;
    for (const auto& value : grub.defaults) {
      if (value.find("next_entry") == std::string::npos) values.push_back(value);
    }
    if (values.size() > 1) {
      menu_.default_error = Error{ErrorCode::kUnsupported, path + ": \"default\" is set to several values"};
      return std::nullopt;
    }
    std::vector<std::string> unresolved;
    return values.empty() ? std::string("0") : expand_loader_variables(values[0], environment, unresolved);
  }

  static std::string next_of(const GrubConfig& grub, const LoaderVariables& environment) {
    const auto next = environment.find("next_entry");
    const bool is_read = std::any_of(grub.defaults.begin(), grub.defaults.end(), [](const std::string& value) {
      return value.find("next_entry") != std::string::npos;
    });
    return is_read && next != environment.end() ? next->second : std::string();
  }

  void read_grub_entries(const GrubConfig& grub, const LoaderVariables& environment, const std::string& path) {
    menu_.loader = "grub";
    if (grub.hands_over && grub.items.empty())
      menu_.errors.push_back({ErrorCode::kUnsupported, concat({path, ": the menu is in ", *grub.hands_over})});
    std::vector<std::size_t> places;  // of items among the entries
    for (const auto& item : grub.items) {
      places.push_back(menu_.entries.size());
      if (item.is_submenu || item.entry.kernel.empty()) continue;
      menu_.entries.push_back(item.entry);
      menu_.entries.back().file = path;
    }
    const auto place_of = [&](const std::string& value) -> std::optional<std::size_t> {
      const auto* found = find_grub_default(grub.items, value);
      if (found == nullptr || found->entry.kernel.empty()) {
        if (!grub.items.empty())
          menu_.default_error =
              Error{ErrorCode::kUnsupported, concat({path, ": the default is no kernel of this menu"})};
        return std::nullopt;
      }
      return places[static_cast<std::size_t>(found - grub.items.data())];
    };
    if (const auto value = default_of(grub, environment, path)) menu_.by_default = place_of(*value);
    if (const auto next = next_of(grub, environment); !next.empty()) menu_.once = place_of(next);
  }

  void read_grub_loader_entries(const GrubConfig& grub, LoaderVariables environment) {
    menu_.loader = "grub-bls";
    for (const auto& [name, value] : grub.variables) environment.try_emplace(name, value);
    read_loader_entries("/boot/loader/entries", environment);
    const auto find = [&](const std::string& value) -> std::optional<std::size_t> {
      for (std::size_t i = 0; i < menu_.entries.size(); ++i) {
        const auto& entry = menu_.entries[i];
        if (entry.id == value || entry.title == value || std::to_string(i) == value) return i;
      }
      return menu_.entries.empty() ? std::nullopt : std::optional<std::size_t>(0);
    };
    if (const auto value = default_of(grub, environment, "grub.cfg")) menu_.by_default = find(*value);
    if (const auto next = next_of(grub, environment); !next.empty()) menu_.once = find(next);
  }

  void read_loader_entries(const std::string& folder, const LoaderVariables& variables) {
    const auto paths = expand_glob(files_, folder + "/*.conf", menu_.errors, kMaxEntries);
    for (const auto& path : paths) {
      const auto text = read(path);
      if (!text) continue;
      auto entry = parse_loader_entry(*text, std::string_view(path).substr(folder.size() + 1), variables);
      entry.file = path;
      if (!entry.kernel.empty()) menu_.entries.push_back(std::move(entry));
    }
    std::stable_sort(menu_.entries.begin(), menu_.entries.end(), is_newer_entry);
    for (std::size_t i = 0; i < menu_.entries.size(); ++i) menu_.entries[i].place = std::to_string(i);
  }

  bool find_loader_folder() {
    for (const auto folder : kLoaderFolders) {
      const auto has = [&](std::string_view name) {
        const auto stat = files_.stat(concat({folder, name}));
        return stat.has_value();
      };
      has_loader_conf_ = has("/loader/loader.conf");
      if (!has_loader_conf_ && !has("/loader/entries")) continue;
      folder_ = folder;
      return true;
    }
    return false;
  }

  std::string loader_variable(std::string_view name) {
    const auto path = concat({"/sys/firmware/efi/efivars/", name, "-", kLoaderGuid});
    const auto bytes = read(path);
    return bytes ? parse_loader_variable(*bytes) : std::string();
  }

  void read_systemd_boot() {
    menu_.loader = "systemd-boot";
    read_loader_entries(folder_ + "/loader/entries", {});
    const auto images = files_.list(folder_ + "/EFI/Linux");
    const bool has_images = images && !images->empty();
    if (has_images)
      menu_.errors.push_back(
          {ErrorCode::kUnsupported, folder_ + "/EFI/Linux: unified kernel images are not looked into"});
    auto wanted = loader_variable("LoaderEntryDefault");
    if (wanted.empty()) wanted = parse_loader_default(read(folder_ + "/loader/loader.conf").value_or(""));
    menu_.by_default = find_pattern(wanted);
    const auto once = loader_variable("LoaderEntryOneShot");
    if (!once.empty()) menu_.once = find_pattern(once);
    const bool is_known = menu_.by_default && !has_images && !wanted.starts_with('@');
    if (!is_known && !(menu_.entries.empty() && !has_images)) {
      menu_.by_default.reset();
      menu_.default_error =
          Error{ErrorCode::kUnsupported, folder_ + "/loader: which entry is the default could not be told"};
    }
  }

  std::optional<std::size_t> find_pattern(const std::string& pattern) const {
    if (pattern.empty()) return menu_.entries.empty() ? std::nullopt : std::optional<std::size_t>(0);
    for (std::size_t i = 0; i < menu_.entries.size(); ++i) {
      const auto& id = menu_.entries[i].id;
      if (glob_match(pattern, id) || glob_match(pattern, id + ".conf")) return i;
    }
    return std::nullopt;
  }

  const Files& files_;
  BootMenu menu_;
  std::string folder_;
  bool has_loader_conf_ = false;
};

}  // namespace

BootMenu read_boot_menu(const Host& host) { return MenuReader(host).run(); }

}  // namespace gpuharden
