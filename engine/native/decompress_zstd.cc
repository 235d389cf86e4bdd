// SPDX-License-Identifier: GPL-2.0-or-later
#include <zstd.h>

#include "engine/base/handle.h"
#include "engine/base/text.h"
#include "engine/native/decompress.h"

namespace gpuharden {
namespace {

constexpr std::size_t kBlock = 131072;
constexpr int kLargestWindow = 27;  // 128 MiB, which the file chooses

}  // namespace

Result<std::string> decompress_zstd(std::string_view bytes, std::size_t cap) {
  const Handle<ZSTD_DCtx, &::ZSTD_freeDCtx> context(::ZSTD_createDCtx());
  if (!context) return Error{ErrorCode::kLibrary, "zstd: no memory"};
  ::ZSTD_DCtx_setParameter(context.get(), ZSTD_d_windowLogMax, kLargestWindow);
  ZSTD_inBuffer input{bytes.data(), bytes.size(), 0};
  std::string out;
  std::size_t rest = 1;  // 0 at the end of a frame
  for (;;) {
    const std::size_t old_size = out.size();
    if (old_size > cap) return Error{ErrorCode::kTooLarge, "zstd: larger than the reader's cap"};
    out.resize(old_size + kBlock);
    ZSTD_outBuffer output{out.data() + old_size, kBlock, 0};
    rest = ::ZSTD_decompressStream(context.get(), &output, &input);
    out.resize(old_size + output.pos);
    if (::ZSTD_isError(rest) != 0) return Error{ErrorCode::kMalformed, concat({"zstd: ", ::ZSTD_getErrorName(rest)})};
    if (input.pos == input.size && output.pos < kBlock) break;
  }
  if (rest != 0) return Error{ErrorCode::kMalformed, "zstd: the stream is cut"};
  if (out.size() > cap) return Error{ErrorCode::kTooLarge, "zstd: larger than the reader's cap"};
  return out;
}

}  // namespace gpuharden
