// SPDX-License-Identifier: GPL-2.0-or-later
// For which GPUs the installed math libraries of ROCm have compiled kernels.
#include <array>
#include <map>
#include <set>

#include "checks/amd/gpu_kernels.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr std::array<std::string_view, 2> kLibraries = {"rocblas", "hipblaslt"};
constexpr std::size_t kMaxFolders = 64;

constexpr Column kColumns[] = {
    {"folder", ColumnType::kPath, "the folder of the kernels, without links", ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"library", ColumnType::kText, "rocblas or hipblaslt", ColumnFlag::kNotNull},
    {"gfx", ColumnType::kText, "instruction set of GPUs: gfx1100; NULL where the folder has no kernel at all"},
    {"files", ColumnType::kInteger, "how many files are for it", ColumnFlag::kNotNull},
};

class KernelReader {
 public:
  explicit KernelReader(TableReader& out) : out_(out) {}

  void read() {
    for (const auto& name : names_in("/opt")) {
      if (name.starts_with("rocm")) read_tree(concat({"/opt/", name, "/lib"}));
    }
    for (const auto* lib : {"/usr/lib", "/usr/lib64", "/usr/lib/x86_64-linux-gnu", "/usr/lib/ollama",
                            "/usr/lib/ollama/rocm", "/usr/local/lib/ollama", "/usr/local/lib/ollama/rocm"}) {
      read_tree(lib);
    }
  }

 private:
  std::vector<std::string> names_in(std::string_view folder) {
    std::vector<std::string> names;
    const auto entries = out_.files().list(folder);
    if (!entries) {
      const auto code = entries.error().code;
      if (code != ErrorCode::kNotFound && code != ErrorCode::kNotRegular) out_.gap(entries.error());
      return names;
    }
    for (const auto& entry : *entries) names.push_back(entry.name);
    return names;
  }

  // rocblas/library, or as Debian has it rocblas/2.47.0/library.
  void read_tree(const std::string& lib) {
    for (const auto library : kLibraries) {
      const std::string top = concat({lib, "/", library});
      std::size_t count = 0;
      for (const auto& name : names_in(top)) {
        if (++count > kMaxFolders) break;
        if (name == "library") read_folder(library, top + "/library");
        if (name[0] >= '0' && name[0] <= '9') read_folder(library, concat({top, "/", name, "/library"}));
      }
    }
  }

  void read_folder(std::string_view library, const std::string& path) {
    const auto real = out_.files().real_path(path);
    if (!real) {
      if (real.error().code != ErrorCode::kNotFound) out_.gap(path, "*", real.error());
      return;
    }
    if (!seen_.insert(*real).second) return;
    std::map<std::string, std::int64_t> files;
    count_files(*real, files);
    if (files.empty()) out_.row().set("folder", *real).set("library", library).set("files", 0);
    for (const auto& [gfx, count] : files) {
      out_.row().set("folder", *real).set("library", library).set("gfx", gfx).set("files", count);
    }
  }

  // Newer releases sort the files into a folder for each instruction set.
  void count_files(const std::string& folder, std::map<std::string, std::int64_t>& files) {
    const auto entries = out_.files().list(folder);
    if (!entries) return out_.gap(folder, "*", entries.error());
    for (const auto& entry : *entries) {
      if (const auto gfx = kernel_architecture(entry.name)) ++files[*gfx];
      if (!is_architecture(entry.name)) continue;
      const auto inner = out_.files().list(concat({folder, "/", entry.name}));
      if (!inner) out_.gap(folder, "*", inner.error());
      if (inner && !inner->empty()) files[entry.name] += static_cast<std::int64_t>(inner->size());
    }
  }

  TableReader& out_;
  std::set<std::string> seen_;
};

void read_rocblas_kernels(TableReader& out) { KernelReader(out).read(); }

}  // namespace

Probe rocblas_kernels_probe() {
  return {{"rocblas_kernels",
           "Instruction sets for which the installed rocBLAS and hipBLASLt (ROCm's, the distribution's, Ollama's) have "
           "compiled kernels, by the names of the files. Those inside Python wheels are not among them.",
           kColumns},
          &read_rocblas_kernels};
}

}  // namespace gpuharden
