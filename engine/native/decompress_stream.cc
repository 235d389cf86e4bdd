// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/native/decompress_stream.h"

#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <limits>
#include <memory>
#include <string>

#include "engine/base/handle.h"
#include "engine/base/text.h"
#include "engine/native/decompress.h"

namespace gpuharden {
namespace {

constexpr std::size_t kBlock = 131072;
constexpr int kGzipFormat = 15 + 16;
constexpr int kLargestWindow = 27;  // 128 MiB, which the file chooses
constexpr std::uint64_t kMemoryLimit = std::uint64_t{256} << 20U;

// Hands pieces on and counts them.
class Output {
 public:
  Output(std::size_t cap, const ByteSink& sink) : cap_(cap), sink_(sink), block_(kBlock, '\0') {}
  char* data() { return block_.data(); }
  // False when no more is wanted.
  bool take(std::size_t count) {
    total_ += count;
    if (total_ > cap_) return false;
    is_wanted_ = sink_(std::string_view(block_).substr(0, count));
    return is_wanted_;
  }
  bool is_over() const { return total_ > cap_; }
  bool is_wanted() const { return is_wanted_; }

 private:
  std::size_t cap_;
  std::size_t total_ = 0;
  bool is_wanted_ = true;
  const ByteSink& sink_;
  std::string block_;
};

Error over_cap() { return {ErrorCode::kTooLarge, "larger, unpacked, than the reader's cap"}; }

Result<std::size_t> unpack_gzip(std::string_view bytes, Output& output) {
  if (bytes.size() > std::numeric_limits<uInt>::max()) return Error{ErrorCode::kTooLarge, "gzip: too large"};
  z_stream stream{};
  if (::inflateInit2(&stream, kGzipFormat) != Z_OK) return Error{ErrorCode::kLibrary, "gzip: no memory"};
  const std::unique_ptr<z_stream, int (*)(z_stream*)> owner(&stream, &::inflateEnd);
  // zlib's interface takes the input as not const, but does not write to it.
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  int state = Z_OK;
  while (state == Z_OK) {
    stream.next_out = reinterpret_cast<Bytef*>(output.data());
    stream.avail_out = kBlock;
    state = ::inflate(&stream, Z_NO_FLUSH);
    if (!output.take(kBlock - stream.avail_out)) break;
  }
  if (output.is_over()) return over_cap();
  if (output.is_wanted() && state != Z_STREAM_END)
    return Error{ErrorCode::kMalformed, "gzip: the stream is cut or damaged"};
  return bytes.size() - stream.avail_in;
}

Result<std::size_t> unpack_xz(std::string_view bytes, Output& output) {
  lzma_stream stream = LZMA_STREAM_INIT;
  if (::lzma_stream_decoder(&stream, kMemoryLimit, 0) != LZMA_OK) return Error{ErrorCode::kLibrary, "xz: no memory"};
  const std::unique_ptr<lzma_stream, void (*)(lzma_stream*)> owner(&stream, &::lzma_end);
  stream.next_in = reinterpret_cast<const std::uint8_t*>(bytes.data());
  stream.avail_in = bytes.size();
  lzma_ret state = LZMA_OK;
  while (state == LZMA_OK) {
    stream.next_out = reinterpret_cast<std::uint8_t*>(output.data());
    stream.avail_out = kBlock;
    state = ::lzma_code(&stream, LZMA_FINISH);
    if (!output.take(kBlock - stream.avail_out)) break;
  }
  if (output.is_over()) return over_cap();
  if (output.is_wanted() && state != LZMA_STREAM_END)
    return Error{ErrorCode::kMalformed, "xz: the stream is cut or damaged"};
  return bytes.size() - stream.avail_in;
}

Result<std::size_t> unpack_zstd(std::string_view bytes, Output& output) {
  const Handle<ZSTD_DCtx, &::ZSTD_freeDCtx> context(::ZSTD_createDCtx());
  if (!context) return Error{ErrorCode::kLibrary, "zstd: no memory"};
  ::ZSTD_DCtx_setParameter(context.get(), ZSTD_d_windowLogMax, kLargestWindow);
  ZSTD_inBuffer input{bytes.data(), bytes.size(), 0};
  std::size_t rest = 1;  // 0 at the end of a frame; what was packed by several threads has many
  const auto goes_on = [&] { return compression_of(bytes.substr(input.pos)) == Compression::kZstd; };
  while (rest != 0 || goes_on()) {
    ZSTD_outBuffer block{output.data(), kBlock, 0};
    const std::size_t old_position = input.pos;
    rest = ::ZSTD_decompressStream(context.get(), &block, &input);
    if (::ZSTD_isError(rest) != 0) return Error{ErrorCode::kMalformed, concat({"zstd: ", ::ZSTD_getErrorName(rest)})};
    if (!output.take(block.pos)) break;
    if (rest != 0 && block.pos == 0 && input.pos == old_position)
      return Error{ErrorCode::kMalformed, "zstd: the stream is cut"};
  }
  if (output.is_over()) return over_cap();
  return input.pos;
}

}  // namespace

Result<std::size_t> decompress_stream(std::string_view bytes, std::size_t cap, const ByteSink& sink) {
  Output output(cap, sink);
  switch (compression_of(bytes)) {
    case Compression::kGzip: return unpack_gzip(bytes, output);
    case Compression::kXz: return unpack_xz(bytes, output);
    case Compression::kZstd: return unpack_zstd(bytes, output);
    case Compression::kNone: break;
  }
  return Error{ErrorCode::kUnsupported, "compressed in a way that is not known here"};
}

}  // namespace gpuharden
