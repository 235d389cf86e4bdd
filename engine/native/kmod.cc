// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/native/kmod.h"

#include <libkmod.h>

#include <array>
#include <cerrno>
#include <functional>
#include <memory>

#include "engine/base/text.h"
#include "engine/native/lazy_library.h"

namespace gpuharden {
namespace {

// libkmod brings a cryptographic library with it: only the reader that needs them loads them.
struct Library {
  decltype(&::kmod_new) create = nullptr;
  decltype(&::kmod_unref) unref = nullptr;
  decltype(&::kmod_set_log_fn) set_log_fn = nullptr;
  decltype(&::kmod_module_new_from_path) module_new_from_path = nullptr;
  decltype(&::kmod_module_unref) module_unref = nullptr;
  decltype(&::kmod_module_get_info) module_get_info = nullptr;
  decltype(&::kmod_module_info_get_key) module_info_get_key = nullptr;
  decltype(&::kmod_module_info_get_value) module_info_get_value = nullptr;
  decltype(&::kmod_module_info_free_list) module_info_free_list = nullptr;
  decltype(&::kmod_list_next) list_next = nullptr;
  decltype(&::kmod_config_get_blacklists) config_get_blacklists = nullptr;
  decltype(&::kmod_config_get_options) config_get_options = nullptr;
  decltype(&::kmod_config_get_install_commands) config_get_install_commands = nullptr;
  decltype(&::kmod_config_get_remove_commands) config_get_remove_commands = nullptr;
  decltype(&::kmod_config_get_aliases) config_get_aliases = nullptr;
  decltype(&::kmod_config_iter_next) config_iter_next = nullptr;
  decltype(&::kmod_config_iter_get_key) config_iter_get_key = nullptr;
  decltype(&::kmod_config_iter_get_value) config_iter_get_value = nullptr;
  decltype(&::kmod_config_iter_free_iter) config_iter_free_iter = nullptr;
};

Result<Library> load_library() {
  GH_ASSIGN_OR_RETURN(LazyLibrary library, LazyLibrary::open("libkmod.so.2"));
  Library kmod;
  library.find("kmod_new", kmod.create);
  library.find("kmod_unref", kmod.unref);
  library.find("kmod_set_log_fn", kmod.set_log_fn);
  library.find("kmod_module_new_from_path", kmod.module_new_from_path);
  library.find("kmod_module_unref", kmod.module_unref);
  library.find("kmod_module_get_info", kmod.module_get_info);
  library.find("kmod_module_info_get_key", kmod.module_info_get_key);
  library.find("kmod_module_info_get_value", kmod.module_info_get_value);
  library.find("kmod_module_info_free_list", kmod.module_info_free_list);
  library.find("kmod_list_next", kmod.list_next);
  library.find("kmod_config_get_blacklists", kmod.config_get_blacklists);
  library.find("kmod_config_get_options", kmod.config_get_options);
  library.find("kmod_config_get_install_commands", kmod.config_get_install_commands);
  library.find("kmod_config_get_remove_commands", kmod.config_get_remove_commands);
  library.find("kmod_config_get_aliases", kmod.config_get_aliases);
  library.find("kmod_config_iter_next", kmod.config_iter_next);
  library.find("kmod_config_iter_get_key", kmod.config_iter_get_key);
  library.find("kmod_config_iter_get_value", kmod.config_iter_get_value);
  library.find("kmod_config_iter_free_iter", kmod.config_iter_free_iter);
  GH_RETURN_IF_ERROR(library.is_whole());
  return kmod;
}

const Result<Library>& loaded_library() {
  static const Result<Library> kLibrary = load_library();
  return kLibrary;
}

template <typename T>
using Owned = std::unique_ptr<T, std::function<void(T*)>>;
using Context = Owned<kmod_ctx>;

void be_silent(void*, int, const char*, int, const char*, const char*, va_list) {}

// Folders that are given are read at once; the modules folder, here "/", only when asked for a name.
Result<Context> make_context(const Library& kmod, const std::vector<std::string>& folders) {
  std::vector<const char*> paths;
  for (const auto& folder : folders) paths.push_back(folder.c_str());
  paths.push_back(nullptr);
  Context context(kmod.create("/", paths.data()), kmod.unref);
  if (!context) return Error{ErrorCode::kLibrary, "libkmod: no memory"};
  kmod.set_log_fn(context.get(), &be_silent, nullptr);
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
  const auto& library = loaded_library();
  if (!library) return library.error();
  const Library& kmod = *library;
  GH_ASSIGN_OR_RETURN(const Context context, make_context(kmod, {}));
  kmod_module* raw = nullptr;
  if (const int error = kmod.module_new_from_path(context.get(), path.c_str(), &raw); error < 0) {
    return error_from_errno(-error, path);
  }
  const Owned<kmod_module> module(raw, kmod.module_unref);
  kmod_list* list = nullptr;
  const int count = kmod.module_get_info(module.get(), &list);
  if (count < 0) return Error{ErrorCode::kMalformed, concat({path, ": libkmod finds no module in it"})};
  const Owned<kmod_list> owner(list, kmod.module_info_free_list);
  ModuleFileInfo info;
  for (auto* item = list; item != nullptr; item = kmod.list_next(list, item)) {
    auto* field = field_of(info, kmod.module_info_get_key(item));
    const char* value = kmod.module_info_get_value(item);
    if (field != nullptr && value != nullptr && *value != '\0') *field = value;
  }
  return info;
}

Result<std::vector<ModprobeSetting>> modprobe_settings(const std::vector<std::string>& folders) {
  const auto& library = loaded_library();
  if (!library) return library.error();
  const Library& kmod = *library;
  GH_ASSIGN_OR_RETURN(const Context context, make_context(kmod, folders));
  struct Kind {
    const char* command;
    kmod_config_iter* (*iterate)(const kmod_ctx*);
  };
  const std::array<Kind, 5> kinds = {{{"blacklist", kmod.config_get_blacklists},
                                      {"options", kmod.config_get_options},
                                      {"install", kmod.config_get_install_commands},
                                      {"remove", kmod.config_get_remove_commands},
                                      {"alias", kmod.config_get_aliases}}};
  std::vector<ModprobeSetting> settings;
  for (const auto& kind : kinds) {
    const Owned<kmod_config_iter> iterator(kind.iterate(context.get()), kmod.config_iter_free_iter);
    while (iterator && kmod.config_iter_next(iterator.get())) {
      const char* key = kmod.config_iter_get_key(iterator.get());
      const char* value = kmod.config_iter_get_value(iterator.get());
      settings.push_back({kind.command, key == nullptr ? "" : key, value == nullptr ? "" : value});
    }
  }
  return settings;
}

}  // namespace gpuharden
