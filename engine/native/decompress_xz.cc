// SPDX-License-Identifier: GPL-2.0-or-later
#include <lzma.h>

#include "engine/base/handle.h"
#include "engine/native/decompress.h"

namespace gpuharden {
namespace {

constexpr std::size_t kBlock = 65536;
constexpr std::uint64_t kMemoryLimit = std::uint64_t{128} << 20U;  // of the dictionary, which the file chooses

}  // namespace

Result<std::string> decompress_xz(std::string_view bytes, std::size_t cap) {
  lzma_stream stream = LZMA_STREAM_INIT;
  if (::lzma_stream_decoder(&stream, kMemoryLimit, 0) != LZMA_OK) return Error{ErrorCode::kLibrary, "xz: no memory"};
  const std::unique_ptr<lzma_stream, void (*)(lzma_stream*)> owner(&stream, &::lzma_end);
  stream.next_in = reinterpret_cast<const std::uint8_t*>(bytes.data());
  stream.avail_in = bytes.size();
  std::string out;
  lzma_ret state = LZMA_OK;
  while (state == LZMA_OK) {
    const std::size_t old_size = out.size();
    if (old_size > cap) return Error{ErrorCode::kTooLarge, "xz: larger than the reader's cap"};
    out.resize(old_size + kBlock);
    stream.next_out = reinterpret_cast<std::uint8_t*>(out.data() + old_size);
    stream.avail_out = kBlock;
    state = ::lzma_code(&stream, LZMA_FINISH);
    out.resize(out.size() - stream.avail_out);
  }
  if (state == LZMA_MEMLIMIT_ERROR) return Error{ErrorCode::kTooLarge, "xz: needs more memory than allowed"};
  if (state != LZMA_STREAM_END) return Error{ErrorCode::kMalformed, "xz: the stream is cut or damaged"};
  if (out.size() > cap) return Error{ErrorCode::kTooLarge, "xz: larger than the reader's cap"};
  return out;
}

}  // namespace gpuharden
