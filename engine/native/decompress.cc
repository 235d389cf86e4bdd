// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/native/decompress.h"

namespace gpuharden {

Compression compression_of(std::string_view bytes) {
  using namespace std::string_view_literals;
  if (bytes.starts_with("\x1f\x8b"sv)) return Compression::kGzip;
  if (bytes.starts_with("\xfd"
                        "7zXZ\0"sv))
    return Compression::kXz;
  if (bytes.starts_with("\x28\xb5\x2f\xfd"sv)) return Compression::kZstd;
  return Compression::kNone;
}

Result<std::string> decompress(std::string_view bytes, std::size_t cap) {
  switch (compression_of(bytes)) {
    case Compression::kGzip: return decompress_gzip(bytes, cap);
    case Compression::kXz: return decompress_xz(bytes, cap);
    case Compression::kZstd: return decompress_zstd(bytes, cap);
    case Compression::kNone: break;
  }
  if (bytes.size() > cap) return Error{ErrorCode::kTooLarge, "larger than the reader's cap"};
  return std::string(bytes);
}

}  // namespace gpuharden
