// SPDX-License-Identifier: GPL-2.0-or-later
// The code that GPU processes have mapped, each process in its own root; read once a reader.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "checks/process/proc_maps.h"
#include "checks/process/process_facts.h"
#include "engine/host/cached_files.h"
#include "engine/scan/probe.h"

namespace gpuharden {

// A root folder that processes live in: the host's, or a container's.
class ProcessRoot {
 public:
  // Of the host: `files` must outlive this object.
  explicit ProcessRoot(const Files& files) : files_(&files) {}
  // Of a container, with its id or the text of its root link; of a service with mounts of its own, with no name.
  ProcessRoot(std::shared_ptr<const Files> own, std::optional<std::string> name);

  const Files& files() const { return *files_; }
  const std::optional<std::string>& name() const { return name_; }

 private:
  std::shared_ptr<const Files> own_;
  std::shared_ptr<const CachedFiles> cached_;
  const Files* files_;
  std::optional<std::string> name_;
};

struct GpuProcess {
  ProcessId id = 0;
  std::optional<std::uint32_t> uid;
  std::shared_ptr<const ProcessRoot> root;  // nullptr when it could not be entered: `root_error`
  std::optional<Error> root_error;
  std::size_t root_number = 0;  // of `root`, in the order of the processes; 0 for the host's
  std::vector<MappedFile> files;
  std::optional<Error> files_error;  // the list could not be read, or not in full
};

struct MappedFiles {
  std::vector<GpuProcess> processes;
  // Processes of which it is not known whether they use a GPU, and why.
  std::vector<Error> errors;
};

// Empty in an image: nothing runs there, and `errors` says so.
const MappedFiles& mapped_files(const Host& host, SharedFacts& shared);

}  // namespace gpuharden
