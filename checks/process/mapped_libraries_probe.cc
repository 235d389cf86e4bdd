// SPDX-License-Identifier: GPL-2.0-or-later
// The code that runs inside GPU processes, and who could change it.
#include <map>
#include <tuple>

#include "checks/environment/path_exposure.h"
#include "checks/process/mapped_files.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr std::size_t kMaxRows = 50000;
constexpr std::size_t kNoRoot = SIZE_MAX;  // of processes whose root could not be entered

constexpr Column kColumns[] = {
    {"path", ColumnType::kPath, "the file, in the processes' own root; /memfd:NAME for memory alone",
     ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"container", ColumnType::kText, "container id, or the processes' root folder; NULL for the host's root"},
    {"uid", ColumnType::kInteger, "the effective user id of the processes"},
    {"process", ColumnType::kText, "command name of the first of them"},
    {"pid", ColumnType::kInteger, "process id of the first of them"},
    {"unit", ColumnType::kText, "its systemd service or scope"},
    {"processes", ColumnType::kInteger, "how many processes with that user and root have it", ColumnFlag::kNotNull},
    {"is_program", ColumnType::kBoolean, "1 for the program itself, 0 for a library"},
    {"deleted", ColumnType::kBoolean, "1 when the file was removed or replaced since it was loaded",
     ColumnFlag::kNotNull},
    {"in_memory", ColumnType::kBoolean, "1 for a memfd: there never was a file", ColumnFlag::kNotNull},
    {"changeable_by", ColumnType::kText,
     "why others than root and the processes' user can change the file, or could have put it there; NULL when they "
     "cannot"},
};

struct Library {
  const GpuProcess* first = nullptr;
  std::int64_t processes = 0;
  bool is_program = false;
};

// By number of the root, path, whether it was deleted, and user.
using LibraryKey = std::tuple<std::size_t, std::string_view, bool, std::int64_t>;

class LibraryReader {
 public:
  explicit LibraryReader(TableReader& out)
      : out_(out), facts_(out.shared().get<ProcessFacts>(out.host(), &read_process_facts)) {}

  void read() {
    const auto& mapped = mapped_files(out_.host(), out_.shared());
    for (const auto& error : mapped.errors) out_.gap(error);
    for (const auto& process : mapped.processes) gather(process);
    std::size_t rows = 0;
    for (const auto& [key, library] : libraries_) {
      if (rows++ == kMaxRows) return out_.gap({ErrorCode::kTooLarge, "too many mapped libraries"});
      add(key, library);
    }
  }

 private:
  void gather(const GpuProcess& process) {
    if (process.files_error) {
      out_.gap("*", "*",
               {process.files_error->code,
                concat({"process ", std::to_string(process.id), ": ", process.files_error->message})});
    }
    const auto& executable = facts_.executable(process.id);
    const std::string_view program = executable ? without_deleted(*executable) : std::string_view();
    const std::int64_t uid = process.uid ? *process.uid : -1;
    for (const auto& file : process.files) {
      auto& library = libraries_[{process.root ? process.root_number : kNoRoot, file.path, file.is_deleted, uid}];
      if (library.first == nullptr) library.first = &process;
      ++library.processes;
      library.is_program = library.is_program || file.path == program;
    }
  }

  void add(const LibraryKey& key, const Library& library) {
    const auto& [number, path, is_deleted, uid] = key;
    const bool in_memory = path.starts_with("/memfd:");
    const GpuProcess& process = *library.first;
    auto row = out_.row();
    row.set("path", path)
        .set("processes", library.processes)
        .set("is_program", library.is_program)
        .set("deleted", is_deleted && !in_memory)
        .set("in_memory", in_memory)
        .set("uid", process.uid)
        .set("pid", process.id);
    if (process.root) row.set("container", process.root->name());
    if (const auto& name = facts_.name(process.id)) row.set("process", *name);
    if (const auto& group = facts_.group(process.id)) row.set("unit", group->unit);
    if (!in_memory && out_.wants("changeable_by")) set_trust(row, process, std::string(path));
  }

  void set_trust(Row& row, const GpuProcess& process, const std::string& path) {
    if (!process.root) {
      row.unread("changeable_by", *process.root_error);
      return;
    }
    auto& exposure = exposures_.try_emplace(process.root.get(), process.root->files()).first->second;
    // The kernel names files without links: most are judged by one look and by their folder.
    const auto own = process.root->files().lstat(path);
    const bool is_gone = !own && own.error().code == ErrorCode::kNotFound;
    const bool is_closed = own && own->type == FileType::kRegular && (own->uid == 0 || own->uid == process.uid) &&
                           (own->mode & 0022U) == 0;
    const auto& reason = is_gone || is_closed ? reason_of_folder(exposure, process, path.substr(0, path.rfind('/') + 1))
                                              : exposure.of(path, process.uid);
    row.set("changeable_by", reason);
  }

  // Rows are sorted by path: the next file mostly lies in the folder of the last.
  const Result<PathExposure::Reason>& reason_of_folder(PathExposure& exposure, const GpuProcess& process,
                                                       std::string folder) {
    LastFolder& last = last_folder_;
    if (!last.reason || last.exposure != &exposure || last.uid != process.uid || last.folder != folder) {
      last = {&exposure, std::move(folder), process.uid, std::nullopt};
      last.reason = exposure.of(last.folder, process.uid);
    }
    return *last.reason;
  }

  struct LastFolder {
    const PathExposure* exposure = nullptr;
    std::string folder;
    std::optional<std::uint32_t> uid;
    std::optional<Result<PathExposure::Reason>> reason;
  };

  TableReader& out_;
  const ProcessFacts& facts_;
  LastFolder last_folder_;
  std::map<LibraryKey, Library> libraries_;
  std::map<const ProcessRoot*, PathExposure> exposures_;
};

void read_mapped_libraries(TableReader& out) { LibraryReader(out).read(); }

}  // namespace

Probe mapped_libraries_probe() {
  return {
      {"mapped_libraries",
       "Files that processes which hold a GPU open have mapped as code, from /proc/PID/maps. One row a file, root and "
       "user. What just-in-time compilers make without a file is not among them.",
       kColumns, TableCost::kFast, TableLane::kProcesses},
      &read_mapped_libraries};
}

}  // namespace gpuharden
