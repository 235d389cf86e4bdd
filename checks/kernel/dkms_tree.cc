// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/kernel/dkms_tree.h"

#include <algorithm>
#include <array>

#include "checks/kernel/module_name.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::string_view kDefaultTree = "/var/lib/dkms";
constexpr std::size_t kMaxVersions = 2000;

class TreeReader {
 public:
  TreeReader(const Host& host, const ModuleTrees& trees) : files_(host.files()), trees_(trees) {}

  DkmsTree run() {
    read_location();
    for (const auto& module : folders_in(root_)) read_module(module);
    add_weak_builds();
    return std::move(tree_);
  }

 private:
  void error(const Error& error) { tree_.errors.push_back(error); }

  // dkms_tree= of framework.conf moves the tree.
  void read_location() {
    std::vector<std::string> confs = {"/etc/dkms/framework.conf"};
    for (auto& path : expand_glob(files_, "/etc/dkms/framework.conf.d/*.conf", tree_.errors, 1000))
      confs.push_back(path);
    for (const auto& path : confs) {
      const auto file = files_.read(path);
      if (!file && file.error().code == ErrorCode::kNotFound) continue;
      if (!file) {
        error(file.error());
        continue;
      }
      const auto conf = parse_dkms_conf(file->bytes);
      const auto* location = conf.find("dkms_tree");
      if (location == nullptr) continue;
      if (location->is_computed || !location->value.starts_with('/')) {
        error({ErrorCode::kUnsupported, concat({path, ": dkms_tree is no plain path"})});
      } else {
        root_ = location->value;
      }
    }
  }

  // Folders and links to folders, by name; a folder that is not there holds none.
  std::vector<std::string> folders_in(const std::string& path) {
    std::vector<std::string> names;
    const auto entries = files_.list(path);
    if (!entries) {
      if (entries.error().code != ErrorCode::kNotFound) error(entries.error());
      return names;
    }
    for (const auto& entry : *entries) {
      const bool is_folder = entry.type == FileType::kDirectory || entry.type == FileType::kUnknown;
      if (is_folder) names.push_back(entry.name);
    }
    return names;
  }

  void read_module(const std::string& module) {
    for (const auto& version : folders_in(concat({root_, "/", module}))) {
      if (version == "original_module" || version.starts_with("kernel-")) continue;
      if (tree_.versions.size() >= kMaxVersions) return error({ErrorCode::kTooLarge, root_ + ": too many modules"});
      read_version(module, version);
    }
  }

  void read_version(const std::string& module, const std::string& version) {
    const auto folder = concat({root_, "/", module, "/", version});
    DkmsVersion out;
    out.module = module;
    out.version = version;
    read_source(folder + "/source", out);
    for (const auto& kernel : folders_in(folder)) {
      if (kernel == "build" || kernel == "source") continue;
      for (const auto& arch : folders_in(concat({folder, "/", kernel}))) {
        if (arch != "log" && arch != "module") out.builds.push_back(read_build(out, kernel, arch));
      }
    }
    if (out.builds.empty()) {
      DkmsBuild none;
      none.state = out.source_exists ? DkmsState::kAdded : DkmsState::kBroken;
      out.builds.push_back(std::move(none));
    }
    tree_.versions.push_back(std::move(out));
  }

  void read_source(const std::string& link, DkmsVersion& out) {
    const auto real = files_.real_path(link);
    if (real) {
      const auto stat = files_.stat(*real);
      out.source = *real;
      out.source_exists = stat && stat->type == FileType::kDirectory;
      if (!stat) error(stat.error());
    } else if (const auto text = files_.read_link(link)) {
      out.source = *text;
    }
    if (!real && real.error().code != ErrorCode::kNotFound) error(real.error());
    if (!out.source_exists) return;
    const auto conf = files_.read(out.source + "/dkms.conf");
    if (!conf) {
      out.conf_error = conf.error();
    } else {
      out.conf = parse_dkms_conf(conf->bytes);
    }
  }

  DkmsBuild read_build(const DkmsVersion& version, const std::string& kernel, const std::string& arch) {
    DkmsBuild build;
    build.kernel = kernel;
    build.arch = arch;
    const auto module_folder = concat({root_, "/", version.module});
    const auto folder = concat({module_folder, "/", version.version, "/", kernel, "/", arch});
    build.has_original = may_exist(files_, concat({module_folder, "/original_module/", kernel, "/", arch}));
    const auto entries = files_.list(folder + "/module");
    if (!entries) {
      if (entries.error().code != ErrorCode::kNotFound) error(entries.error());
      return build;  // it was tried, and not built
    }
    build.state = DkmsState::kBuilt;
    const auto active = files_.real_path(concat({module_folder, "/kernel-", kernel, "-", arch}));
    const auto here = files_.real_path(folder);
    for (const auto* place : {&active, &here}) {
      if (!*place && place->error().code != ErrorCode::kNotFound) error(place->error());
    }
    if (active && here && *active == *here) build.state = DkmsState::kInstalled;
    for (const auto& entry : *entries) {
      const auto name = module_name_of_file(entry.name);
      if (name.empty()) continue;
      build.files.push_back(
          {concat({folder, "/module/", entry.name}), installed_file(version.conf, kernel, name, entry.name)});
    }
    return build;
  }

  // Where distributions put what DKMS builds, or where dkms.conf says.
  std::optional<std::string> installed_file(const DkmsConf& conf, const std::string& kernel, const std::string& name,
                                            const std::string& file_name) {
    auto path = trees_.of(files_, kernel).find_additional(name);
    if (path && may_exist(files_, *path)) return path;
    const auto stem = file_name.substr(0, file_name.find(".ko"));
    for (const auto& assignment : conf.assignments) {
      if (assignment.name != "DEST_MODULE_LOCATION" || assignment.is_computed) continue;
      for (const auto* suffix : {".ko", ".ko.zst", ".ko.xz", ".ko.gz"}) {
        path = concat({"/lib/modules/", kernel, assignment.value, "/", stem, suffix});
        if (may_exist(files_, *path)) return path;
      }
    }
    return std::nullopt;
  }

  // Links in another kernel's weak-updates to what was built for this one.
  void add_weak_builds() {
    if (tree_.versions.empty()) return;
    const auto kernels = installed_kernels(files_);
    if (!kernels) return error(kernels.error());
    for (const auto& kernel : *kernels) {
      const auto& tree = trees_.of(files_, kernel);
      for (const auto& failed : tree.errors) error(failed);
      for (const auto& link : tree.additional) {
        if (link.starts_with(concat({tree.folder, "/weak-updates/"}))) add_weak_link(kernel, link);
      }
    }
  }

  void add_weak_link(const std::string& kernel, const std::string& link) {
    const auto itself = files_.lstat(link);
    if (itself && itself->type != FileType::kSymlink) return;
    const auto text = files_.read_link(link);
    if (!text) return error(text.error());
    const auto stat = files_.stat(link);
    if (!stat && stat.error().code != ErrorCode::kNotFound) error(stat.error());
    const bool is_good = stat && stat->type == FileType::kRegular;
    for (auto& version : tree_.versions) {
      const auto* origin = build_behind(version, *text);
      if (origin == nullptr) continue;
      DkmsBuild weak{kernel, origin->arch, is_good ? DkmsState::kInstalledWeak : DkmsState::kBroken, {}, false};
      const auto file = built_file(*origin, module_name_of_file(link));
      const auto known = std::find_if(version.builds.begin(), version.builds.end(), [&](const DkmsBuild& build) {
        return build.kernel == kernel && build.arch == origin->arch;
      });
      DkmsBuild& build = known != version.builds.end() ? *known : version.builds.emplace_back(std::move(weak));
      if (!is_good && build.state == DkmsState::kInstalledWeak) build.state = DkmsState::kBroken;
      build.files.push_back({file, is_good ? std::optional(link) : std::nullopt});
      return;
    }
  }

  // The build whose kernel and module file the link's text names.
  static const DkmsBuild* build_behind(const DkmsVersion& version, const std::string& target) {
    const auto name = module_name_of_file(target);
    for (const auto& build : version.builds) {
      if (build.kernel.empty() || target.find(concat({"/", build.kernel, "/"})) == std::string::npos) continue;
      if (build.state == DkmsState::kInstalled && !built_file(build, name).empty()) return &build;
    }
    return nullptr;
  }

  static std::string built_file(const DkmsBuild& build, std::string_view name) {
    for (const auto& file : build.files) {
      if (module_name_of_file(file.built) == name) return file.built;
    }
    return {};
  }

  const Files& files_;
  const ModuleTrees& trees_;
  std::string root_ = std::string(kDefaultTree);
  DkmsTree tree_;
};

}  // namespace

std::string_view to_string(DkmsState state) {
  static constexpr std::array<std::string_view, 5> kWords = {"added", "built", "installed", "installed-weak", "broken"};
  return kWords.at(static_cast<std::size_t>(state));
}

DkmsTree read_dkms_tree(const Host& host, const ModuleTrees& trees) { return TreeReader(host, trees).run(); }

}  // namespace gpuharden
