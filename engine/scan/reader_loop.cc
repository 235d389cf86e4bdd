// SPDX-License-Identifier: GPL-2.0-or-later
// The reader's side: requests in, rows and gaps out.
#include <sys/random.h>
#include <unistd.h>

#include <cerrno>

#include "engine/base/digest.h"
#include "engine/scan/reader.h"

namespace gpuharden {
namespace {

constexpr std::size_t kFlushBytes = std::size_t{64} << 10U;

bool write_all(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto count = ::write(socket, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

std::string random_salt() {
  std::string salt(16, '\0');
  // Without randomness the digests would only be easier to compare between runs.
  if (::getrandom(salt.data(), salt.size(), GRND_NONBLOCK) < 0) salt = std::to_string(::getpid());
  return salt;
}

// Streams a table; secrets leave the reader as digests only.
class StreamSink final : public RowSink {
 public:
  StreamSink(int socket, std::string salt) : socket_(socket), salt_(std::move(salt)) {}

  void begin(const TableRequest& request, std::uint64_t id) {
    schema_ = &request.probe->schema;
    delivered_ = delivered_columns(request);
    put(FrameWriter(FrameType::kBegin).number(id));
    flush();  // the parent's clock for this table starts now
  }
  void add_row(const std::vector<Value>& cells) override {
    row_.begin(FrameType::kRow);
    for (const auto i : delivered_) {
      const bool secret = schema_->columns[i].has(ColumnFlag::kSecret) && cells[i].kind == ValueKind::kText;
      const std::string digest = secret ? "secret:" + digest_of({salt_, cells[i].text}).substr(0, 12) : std::string();
      row_.value(secret ? Value::of(std::string_view(digest)) : cells[i]);
    }
    put(row_);
  }
  void add_gap(Gap gap) override {
    put(FrameWriter(FrameType::kGap)
            .text(gap.key)
            .text(gap.column)
            .number(static_cast<std::uint64_t>(gap.cause))
            .text(gap.sentence));
  }
  void fail(const std::string& sentence) { put(FrameWriter(FrameType::kFailure).text(sentence)); }
  void end(std::uint64_t id) {
    put(FrameWriter(FrameType::kEnd).number(id));
    flush();
  }

 private:
  void put(FrameWriter& frame) {
    buffer_ += frame.finish();
    if (buffer_.size() >= kFlushBytes) flush();
  }
  void put(FrameWriter&& frame) { put(frame); }
  void flush() {
    if (!write_all(socket_, buffer_)) ::_exit(0);  // the parent is gone
    buffer_.clear();
  }

  int socket_;
  std::string salt_;
  const TableSchema* schema_ = nullptr;
  std::vector<std::size_t> delivered_;
  FrameWriter row_{FrameType::kRow};  // one for all rows
  std::string buffer_;
};

}  // namespace

void run_reader(int socket, const Host& host, SharedFacts& shared) {
  StreamSink sink(socket, random_salt());
  FrameBuffer buffer;
  std::string block(4096, '\0');
  for (;;) {
    auto payload = buffer.next();
    if (!payload) return;
    if (payload->empty()) {
      buffer.compact();
      const auto count = ::read(socket, block.data(), block.size());
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return;
      buffer.append(std::string_view(block).substr(0, static_cast<std::size_t>(count)));
      continue;
    }
    FrameReader frame(payload->substr(1));
    std::uint64_t id = 0;
    const auto request = read_request(frame, id);
    if (!request) return;
    sink.begin(*request, id);
    run_probe(*request, host, shared, sink, [&](const std::string& sentence) { sink.fail(sentence); });
    sink.end(id);
  }
}

}  // namespace gpuharden
