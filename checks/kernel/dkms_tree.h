// SPDX-License-Identifier: GPL-2.0-or-later
// What DKMS keeps in its tree, read from the folders themselves: the output of "dkms status" has had
// four layouts and aborts on the first module that is broken.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "checks/kernel/dkms_conf.h"
#include "checks/kernel/module_tree.h"
#include "engine/host/host.h"

namespace gpuharden {

enum class DkmsState { kAdded, kBuilt, kInstalled, kInstalledWeak, kBroken };
std::string_view to_string(DkmsState state);

struct DkmsFile {
  std::string built;                     // in DKMS' tree
  std::optional<std::string> installed;  // in /lib/modules; nothing when it is not there
};

// A version of a module for one kernel, or for none yet.
struct DkmsBuild {
  std::string kernel, arch;  // empty for a version without any build
  DkmsState state = DkmsState::kAdded;
  std::vector<DkmsFile> files;
  bool has_original = false;  // the kernel's own module was put aside
};

struct DkmsVersion {
  std::string module, version;
  std::string source;  // where the link "source" leads inside the root, or its text when it dangles
  bool source_exists = false;
  std::optional<Error> conf_error;  // dkms.conf could not be read
  DkmsConf conf;
  std::vector<DkmsBuild> builds;  // one at least
};

struct DkmsTree {
  std::vector<DkmsVersion> versions;  // sorted by module and version
  std::vector<Error> errors;          // what could not be read of the tree
};

// An empty tree without errors when DKMS is not in use.
DkmsTree read_dkms_tree(const Host& host, const ModuleTrees& trees);

}  // namespace gpuharden
