// SPDX-License-Identifier: GPL-2.0-or-later
#include <zlib.h>

#include <algorithm>
#include <limits>

#include "engine/base/handle.h"
#include "engine/native/decompress.h"

namespace gpuharden {
namespace {

constexpr std::size_t kBlock = 65536;
constexpr int kGzipFormat = 15 + 16;  // the largest window, and a gzip header

}  // namespace

Result<std::string> decompress_gzip(std::string_view bytes, std::size_t cap) {
  if (bytes.size() > std::numeric_limits<uInt>::max()) return Error{ErrorCode::kTooLarge, "gzip: too large"};
  z_stream stream{};
  if (::inflateInit2(&stream, kGzipFormat) != Z_OK) return Error{ErrorCode::kLibrary, "gzip: no memory"};
  const std::unique_ptr<z_stream, int (*)(z_stream*)> owner(&stream, &::inflateEnd);
  // zlib's interface takes the input as not const, but does not write to it.
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  std::string out;
  int state = Z_OK;
  while (state == Z_OK) {
    const std::size_t old_size = out.size();
    if (old_size > cap) return Error{ErrorCode::kTooLarge, "gzip: larger than the reader's cap"};
    out.resize(old_size + kBlock);
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + old_size);
    stream.avail_out = kBlock;
    state = ::inflate(&stream, Z_NO_FLUSH);
    out.resize(out.size() - stream.avail_out);
  }
  if (state != Z_STREAM_END) return Error{ErrorCode::kMalformed, "gzip: the stream is cut or damaged"};
  if (out.size() > cap) return Error{ErrorCode::kTooLarge, "gzip: larger than the reader's cap"};
  return out;
}

}  // namespace gpuharden
