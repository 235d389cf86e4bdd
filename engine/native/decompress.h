// SPDX-License-Identifier: GPL-2.0-or-later
// Compressed files as kernels, modules and archives use them, by zlib, liblzma and libzstd.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace gpuharden {

enum class Compression { kNone, kGzip, kXz, kZstd };

// By the first bytes, whatever the file is called.
Compression compression_of(std::string_view bytes);

// The content; bytes that are not compressed come back as they are. kTooLarge when it would be more
// than `cap` bytes (nothing larger is ever held), kMalformed when the stream is cut or damaged.
Result<std::string> decompress(std::string_view bytes, std::size_t cap);

// One library each, for streams known to be of its kind.
Result<std::string> decompress_gzip(std::string_view bytes, std::size_t cap);
Result<std::string> decompress_xz(std::string_view bytes, std::size_t cap);
Result<std::string> decompress_zstd(std::string_view bytes, std::size_t cap);

}  // namespace gpuharden
