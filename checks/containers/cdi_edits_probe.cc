// SPDX-License-Identifier: GPL-2.0-or-later
// What containers get with the name of a CDI device, and which of several files decides it.
#include <map>
#include <utility>

#include "checks/containers/cdi_spec.h"
#include "checks/environment/merged_files.h"
#include "checks/environment/path_exposure.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"device", ColumnType::kText,
     "the device's full name: nvidia.com/gpu=all; nvidia.com/gpu for what goes with every device of the file",
     ColumnFlag::kNotNull},
    {"is_effective", ColumnType::kBoolean,
     "whether this file decides: /var/run/cdi wins over /etc/cdi; NULL when two files of one folder name the device, "
     "and runtimes refuse it"},
    {"kind", ColumnType::kText, "device, mount or hook", ColumnFlag::kNotNull},
    {"path", ColumnType::kPath, "the node, file or program on the host", ColumnFlag::kNotNull},
    {"major", ColumnType::kInteger, "device number; NULL when the runtime takes that of the host's node"},
    {"minor", ColumnType::kInteger, "device number; 0 when only the major number is given"},
    {"library_version", ColumnType::kVersion, "what follows .so. in the path, when that has a dot"},
    {"file", ColumnType::kPath, "the file that says so", ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"changeable_by", ColumnType::kText, "who else than root can change that file; NULL when nobody"},
};

struct SpecFile {
  std::string path;
  int priority = 0;
  CdiSpec spec;
};

class CdiReader {
 public:
  explicit CdiReader(TableReader& out) : out_(out), exposure_(out.files()) {}

  void read() && {
    const bool has_var_run = out_.files().stat("/var/run/cdi").has_value();
    read_folder("/etc/cdi", 0);
    read_folder(has_var_run ? "/var/run/cdi" : "/run/cdi", 1);
    for (const auto& file : files_) {
      for (const auto& device : file.spec.devices) ++named_[full_name(file, device)][file.priority];
    }
    for (const auto& file : files_) {
      for (const auto& edit : file.spec.edits) add_row(file, edit);
    }
  }

 private:
  void read_folder(const std::string& folder, int priority) {
    for (const auto& [suffix, format] : {std::pair(".json", CdiFormat::kJson), std::pair(".yaml", CdiFormat::kYaml)}) {
      std::vector<Error> errors;
      for (const auto& path : files_in(out_.files(), folder, suffix, errors)) read_file(path, priority, format);
      for (const auto& error : errors) out_.gap(error);
    }
  }

  void read_file(const std::string& path, int priority, CdiFormat format) {
    const auto file = out_.files().read(path);
    if (!file) return out_.gap(path, "*", file.error());
    auto spec = file->truncated ? std::nullopt : parse_cdi_spec(file->bytes, format);
    if (!spec) return out_.gap(path, "*", {ErrorCode::kMalformed, concat({path, ": no CDI specification"})});
    files_.push_back({path, priority, std::move(*spec)});
  }

  static std::string full_name(const SpecFile& file, const std::string& device) {
    return concat({file.spec.kind, "=", device});
  }

  enum class State { kShadowed, kConflict, kEffective };

  State state_of(const SpecFile& file, const std::string& device) const {
    const auto& winner = *named_.at(full_name(file, device)).rbegin();
    if (winner.first != file.priority) return State::kShadowed;
    return winner.second > 1 ? State::kConflict : State::kEffective;
  }

  // Of what goes with every device of the file: the best of them decides.
  State state_of(const SpecFile& file) const {
    auto best = State::kShadowed;
    for (const auto& device : file.spec.devices) best = std::max(best, state_of(file, device));
    return best;
  }

  void add_row(const SpecFile& file, const CdiEdit& edit) {
    const auto state = edit.device.empty() ? state_of(file) : state_of(file, edit.device);
    auto row = out_.row();
    row.set("device", edit.device.empty() ? file.spec.kind : full_name(file, edit.device));
    if (state != State::kConflict) row.set("is_effective", state == State::kEffective);
    row.set("kind", edit.kind).set("path", edit.path).set("major", edit.major).set("minor", edit.minor);
    row.set("library_version", library_version(edit.path)).set("file", file.path);
    if (!out_.wants("changeable_by")) return;
    const auto reason = exposure_.of(file.path);
    row.set("changeable_by", reason);
  }

  TableReader& out_;
  PathExposure exposure_;
  std::vector<SpecFile> files_;
  std::map<std::string, std::map<int, int>, std::less<>> named_;  // full name to priorities and their files
};

void read_cdi_edits(TableReader& out) { CdiReader(out).read(); }

}  // namespace

Probe cdi_edits_probe() {
  return {{"cdi_edits",
           "Device nodes, mounts and hooks of the Container Device Interface (/etc/cdi and /var/run/cdi): what a "
           "container gets with the name of a device. No row without such files.",
           kColumns},
          &read_cdi_edits};
}

}  // namespace gpuharden
