// SPDX-License-Identifier: GPL-2.0-or-later
// "gpu-server": a made-up machine of the size that the speed of an audit is promised for. The same
// numbers give the same bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "tests/bench/tree_writer.h"

namespace gpuharden::test {

struct ServerSize {
  std::size_t kernels = 3;
  std::size_t modules = 300;  // files for each kernel
  std::size_t packages = 3000;
  std::size_t units = 500;
  std::size_t containers = 40;
  std::size_t processes = 200;  // those in containers included
  std::size_t sockets = 120;
  std::size_t environments = 3;  // of Python
  std::size_t gpus = 16;
  std::size_t users = 40;
  std::size_t nft_rules = 200;
};

// The member of that name, or nullptr: "users", "sockets".
std::size_t* member_of(ServerSize& size, std::string_view name);

// Writes the whole capture; throws std::runtime_error when the disk says no.
void write_gpu_server(const std::string& folder, const ServerSize& size);

// Its parts.
constexpr std::string_view kRunningKernel = "6.8.0-60-generic";
void write_kernels(TreeWriter& tree, const ServerSize& size);
void write_gpus(TreeWriter& tree, const ServerSize& size);
void write_packages(TreeWriter& tree, const ServerSize& size);
void write_python(TreeWriter& tree, const ServerSize& size);
void write_units(TreeWriter& tree, const ServerSize& size);
void write_accounts(TreeWriter& tree, const ServerSize& size);
void write_containers(TreeWriter& tree, const ServerSize& size);
void write_processes(TreeWriter& tree, const ServerSize& size);
void write_firewall(TreeWriter& tree, const ServerSize& size);

// Shared by the last two: what the n-th container is called, and where its files lie.
std::string container_id(std::size_t number);
std::string container_root(std::size_t number);

// The bytes of a kernel module: an ELF file with .modinfo, signed by a made-up key or not at all.
std::string module_file(std::string_view name, std::string_view release, bool is_signed);
// A version 4 OpenPGP public key with a user id.
std::string openpgp_key(std::string_view user_id);

}  // namespace gpuharden::test
