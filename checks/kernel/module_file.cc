// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/kernel/module_file.h"

#include "checks/kernel/elf_note.h"
#include "checks/kernel/module_signature.h"
#include "engine/base/text.h"
#include "engine/native/decompress.h"
#include "engine/native/kmod.h"

namespace gpuharden {
namespace {

constexpr std::size_t kModuleCap = std::size_t{512} << 20U;

Result<std::string> read_raw(const Files& files, std::string_view path) {
  auto file = files.read(path, kModuleCap);
  if (!file) return file.error();
  if (file->truncated) return Error{ErrorCode::kTooLarge, concat({path, ": larger than any module"})};
  return std::move(file->bytes);
}

Result<std::string> read_content(std::string raw, std::string_view path) {
  if (compression_of(raw) == Compression::kNone) return raw;
  auto content = decompress(raw, kModuleCap);
  if (!content) return std::move(content.error()).while_(path);
  return content;
}

// "1a2b" of "00:1A:2B".
std::string plain_hex(std::string_view text) {
  std::string out;
  for (const char c : to_lower(text)) {
    if (c != ':') out += c;
  }
  while (out.starts_with("00") && out.size() > 2) out.erase(0, 2);
  return out;
}

}  // namespace

Result<ModuleFileSignature> module_file_signature(const Files& files, std::string_view path) {
  GH_ASSIGN_OR_RETURN(std::string raw, read_raw(files, path));
  GH_ASSIGN_OR_RETURN(const std::string content, read_content(std::move(raw), path));
  auto found = find_module_signature(content);
  if (!found) return std::move(found.error()).while_(path);
  ModuleFileSignature out;
  out.is_signed = found->has_value();
  if (!out.is_signed) return out;
  // The file is known to be of a bearable size by now, which libkmod does not check.
  const auto place = files.library_path(path);
  if (!place) return out;
  const auto info = module_file_info(place->path);
  if (info) out.signer = info->signer;
  return out;
}

Result<ModuleFileFacts> module_file_facts(const Files& files, std::string_view path) {
  GH_ASSIGN_OR_RETURN(std::string raw, read_raw(files, path));
  GH_ASSIGN_OR_RETURN(const std::string content, read_content(std::move(raw), path));
  auto signature = find_module_signature(content);
  if (!signature) return std::move(signature.error()).while_(path);
  auto build_id = elf_build_id(content);
  if (!build_id) return std::move(build_id.error()).while_(path);
  GH_ASSIGN_OR_RETURN(const auto place, files.library_path(path));
  GH_ASSIGN_OR_RETURN(auto info, module_file_info(place.path));
  ModuleFileFacts out;
  out.is_signed = signature->has_value();
  out.signer = std::move(info.signer);
  if (info.signature_key) out.signature_key = plain_hex(*info.signature_key);
  out.version = std::move(info.version);
  out.source_version = std::move(info.source_version);
  out.vermagic = std::move(info.vermagic);
  out.build_id = std::move(*build_id);
  return out;
}

Result<bool> module_files_differ(const Files& files, std::string_view a, std::string_view b) {
  GH_ASSIGN_OR_RETURN(std::string raw_a, read_raw(files, a));
  GH_ASSIGN_OR_RETURN(std::string raw_b, read_raw(files, b));
  if (raw_a == raw_b) return false;
  GH_ASSIGN_OR_RETURN(const std::string content_a, read_content(std::move(raw_a), a));
  GH_ASSIGN_OR_RETURN(const std::string content_b, read_content(std::move(raw_b), b));
  return content_a != content_b;
}

}  // namespace gpuharden
