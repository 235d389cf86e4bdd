// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/kernel/initramfs.h"

#include <algorithm>
#include <memory>

#include "checks/kernel/cpio.h"
#include "checks/kernel/module_name.h"
#include "engine/native/decompress_stream.h"

namespace gpuharden {
namespace {

constexpr std::size_t kUnpackedCap = std::size_t{2} << 30U;
constexpr std::size_t kMaxFiles = 50000;
constexpr std::size_t kMaxArchives = 16;

bool is_modprobe_file(const CpioEntry& entry) {
  return entry.name.find("modprobe.d/") != std::string::npos && entry.name.ends_with(".conf");
}

class Walker {
 public:
  Initramfs run(std::string_view bytes) {
    for (std::size_t count = 0; !bytes.empty() && !out_.error; ++count) {
      if (count == kMaxArchives) fail(ErrorCode::kTooLarge, "more archives than any initial RAM disk has");
      skip_zeros(bytes);
      if (bytes.empty()) break;
      bytes.remove_prefix(is_cpio(bytes) ? read_plain(bytes) : read_compressed(bytes));
    }
    return std::move(out_);
  }

 private:
  static void skip_zeros(std::string_view& bytes) {
    bytes.remove_prefix(std::min(bytes.find_first_not_of('\0'), bytes.size()));
  }
  void fail(ErrorCode code, std::string message) {
    if (!out_.error) out_.error = Error{code, std::move(message)};
  }

  CpioReader make_reader() {
    return {[](const CpioEntry& entry) { return is_modprobe_file(entry); },
            [this](const CpioEntry& entry) { add(entry); }};
  }

  void add(const CpioEntry& entry) {
    if (!entry.is_regular) return;
    const bool is_conf = is_modprobe_file(entry);
    if (!is_conf && module_name_of_file(entry.name).empty()) return;
    if (out_.modules.size() + out_.modprobe_files.size() >= kMaxFiles)
      return fail(ErrorCode::kTooLarge, "too many modules in it");
    if (is_conf && entry.content.size() < entry.size) fail(ErrorCode::kTooLarge, entry.name + ": too large");
    (is_conf ? out_.modprobe_files : out_.modules).push_back({entry.name, entry.size, entry.content});
  }

  void judge(const CpioReader& reader) {
    if (reader.is_malformed()) fail(ErrorCode::kMalformed, "an archive in it is damaged");
    if (!reader.is_malformed() && !reader.has_ended()) fail(ErrorCode::kMalformed, "an archive in it is cut");
  }

  std::size_t read_plain(std::string_view bytes) {
    auto reader = make_reader();
    const auto count = reader.feed(bytes);
    judge(reader);
    return count;
  }

  // A compressed stream may hold several archives, too.
  std::size_t read_compressed(std::string_view bytes) {
    auto reader = std::make_unique<CpioReader>(make_reader());
    const auto feed = [&](std::string_view piece) {
      while (!piece.empty()) {
        if (reader->has_ended()) {
          skip_zeros(piece);
          if (piece.empty()) return true;
          reader = std::make_unique<CpioReader>(make_reader());
        }
        piece.remove_prefix(reader->feed(piece));
        if (reader->is_malformed()) return false;
      }
      return true;
    };
    const auto taken = decompress_stream(bytes, kUnpackedCap, feed);
    if (!taken) {
      fail(taken.error().code, taken.error().message);
      return bytes.size();
    }
    judge(*reader);
    return *taken;
  }

  Initramfs out_;
};

}  // namespace

Initramfs read_initramfs(std::string_view bytes) { return Walker().run(bytes); }

}  // namespace gpuharden
