// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/native/kmod.h"

#include <libkmod.h>

#include <array>
#include <cerrno>

#include "engine/base/handle.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

using Context = Handle<kmod_ctx, &::kmod_unref>;
using Module = Handle<kmod_module, &::kmod_module_unref>;
using Iterator = Handle<kmod_config_iter, &::kmod_config_iter_free_iter>;

void be_silent(void*, int, const char*, int, const char*, const char*, va_list) {}

// Folders that are given are read at once; the modules folder, here "/", only when asked for a name.
Context make_context(const std::vector<std::string>& folders) {
  std::vector<const char*> paths;
  for (const auto& folder : folders) paths.push_back(folder.c_str());
  paths.push_back(nullptr);
  Context context(::kmod_new("/", paths.data()));
  if (context) ::kmod_set_log_fn(context.get(), &be_silent, nullptr);
  return context;
}

std::optional<std::string>* field_of(ModuleFileInfo& info, std::string_view key) {
  const std::array<std::pair<std::string_view, std::optional<std::string>*>, 7> fields = {
      {{"signer", &info.signer},
       {"sig_key", &info.signature_key},
       {"sig_hashalgo", &info.signature_hash},
       {"version", &info.version},
       {"srcversion", &info.source_version},
       {"vermagic", &info.vermagic},
       {"license", &info.license}}};
  for (const auto& [name, field] : fields) {
    if (name == key) return field;
  }
  return nullptr;
}

}  // namespace

Result<ModuleFileInfo> module_file_info(const std::string& path) {
  const Context context = make_context({});
  if (!context) return Error{ErrorCode::kLibrary, "libkmod: no memory"};
  kmod_module* raw = nullptr;
  if (const int error = ::kmod_module_new_from_path(context.get(), path.c_str(), &raw); error < 0) {
    return error_from_errno(-error, path);
  }
  const Module module(raw);
  kmod_list* list = nullptr;
  const int count = ::kmod_module_get_info(module.get(), &list);
  if (count < 0) return Error{ErrorCode::kMalformed, concat({path, ": libkmod finds no module in it"})};
  const std::unique_ptr<kmod_list, void (*)(kmod_list*)> owner(list, &::kmod_module_info_free_list);
  ModuleFileInfo info;
  for (auto* item = list; item != nullptr; item = ::kmod_list_next(list, item)) {
    auto* field = field_of(info, ::kmod_module_info_get_key(item));
    const char* value = ::kmod_module_info_get_value(item);
    if (field != nullptr && value != nullptr && *value != '\0') *field = value;
  }
  return info;
}

Result<std::vector<ModprobeSetting>> modprobe_settings(const std::vector<std::string>& folders) {
  const Context context = make_context(folders);
  if (!context) return Error{ErrorCode::kLibrary, "libkmod: no memory"};
  struct Kind {
    const char* command;
    kmod_config_iter* (*iterate)(const kmod_ctx*);
  };
  static constexpr std::array<Kind, 5> kKinds = {{{"blacklist", &::kmod_config_get_blacklists},
                                                  {"options", &::kmod_config_get_options},
                                                  {"install", &::kmod_config_get_install_commands},
                                                  {"remove", &::kmod_config_get_remove_commands},
                                                  {"alias", &::kmod_config_get_aliases}}};
  std::vector<ModprobeSetting> settings;
  for (const auto& kind : kKinds) {
    const Iterator iterator(kind.iterate(context.get()));
    while (iterator && ::kmod_config_iter_next(iterator.get())) {
      const char* key = ::kmod_config_iter_get_key(iterator.get());
      const char* value = ::kmod_config_iter_get_value(iterator.get());
      settings.push_back({kind.command, key == nullptr ? "" : key, value == nullptr ? "" : value});
    }
  }
  return settings;
}

}  // namespace gpuharden
