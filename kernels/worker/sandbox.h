// SPDX-License-Identifier: GPL-2.0-or-later
// Takes from the worker what a vendor's library must not have: it makes device nodes and starts a setuid program
// where it may.
#pragma once

namespace gpuharden::kernels {

// For good: no new privileges, neither CAP_MKNOD nor CAP_SYS_MODULE, no core dump, and no system call that starts a
// program, makes a node, loads a module or mounts. False when the kernel refused: then the worker must not go on.
bool enter_worker_sandbox();

// A mount namespace of its own, with a folder in memory that goes with the process: the place where libraries are told
// to keep their files. Needs root, or a kernel that lets users have namespaces.
bool enter_passing_folder();

}  // namespace gpuharden::kernels
