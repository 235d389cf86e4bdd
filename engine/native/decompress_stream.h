// SPDX-License-Identifier: GPL-2.0-or-later
// Unpacking piece by piece, for what is too large to be held.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

#include "engine/base/result.h"

namespace gpuharden {

// Takes a piece; false ends the work.
using ByteSink = std::function<bool(std::string_view)>;

// Unpacks the gzip, xz or zstd stream at the start of `bytes`, at most `cap` bytes of it, and returns
// how many bytes of the input it took: what follows is another matter. kTooLarge over the cap,
// kMalformed when the stream is cut or damaged, kUnsupported when it is none of these. What was
// unpacked until then has gone to the sink.
Result<std::size_t> decompress_stream(std::string_view bytes, std::size_t cap, const ByteSink& sink);

}  // namespace gpuharden
