// SPDX-License-Identifier: GPL-2.0-or-later
// What can be seen of NVIDIA's kernel module without a GPU: its name, its version, its parameters and its files in
// /proc. It drives nothing.
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>

#define VERSION "550.54.14"

static int device_file_mode = 0666;
static int device_file_uid;
static int device_file_gid;
static int modify_device_files = 1;
static int restrict_profiling = 1;
module_param_named(NVreg_DeviceFileMode, device_file_mode, int, 0);
module_param_named(NVreg_DeviceFileUID, device_file_uid, int, 0);
module_param_named(NVreg_DeviceFileGID, device_file_gid, int, 0);
module_param_named(NVreg_ModifyDeviceFiles, modify_device_files, int, 0);
module_param_named(NVreg_RestrictProfilingToAdminUsers, restrict_profiling, int, 0);

static struct proc_dir_entry *folder;

static int show_version(struct seq_file *out, void *unused)
{
	seq_puts(out, "NVRM version: NVIDIA UNIX x86_64 Kernel Module  " VERSION "  Thu Feb 22 01:44:30 UTC 2024\n");
	seq_puts(out, "GCC version:  gcc version 12.2.0 (Debian 12.2.0-14)\n");
	return 0;
}

static int show_params(struct seq_file *out, void *unused)
{
	seq_printf(out, "ModifyDeviceFiles: %d\nDeviceFileUID: %d\nDeviceFileGID: %d\nDeviceFileMode: %d\n",
		   modify_device_files, device_file_uid, device_file_gid, device_file_mode);
	seq_printf(out, "RmProfilingAdminOnly: %d\n", restrict_profiling);
	return 0;
}

static int __init stub_init(void)
{
	folder = proc_mkdir("driver/nvidia", NULL);
	if (!folder)
		return -ENOMEM;
	proc_create_single("version", 0444, folder, show_version);
	proc_create_single("params", 0444, folder, show_params);
	proc_mkdir("gpus", folder);
	return 0;
}

static void __exit stub_exit(void)
{
	proc_remove(folder);
}

module_init(stub_init);
module_exit(stub_exit);
MODULE_LICENSE("Dual MIT/GPL");
MODULE_VERSION(VERSION);
MODULE_DESCRIPTION("stub of the NVIDIA driver for tests");
