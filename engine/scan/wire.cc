// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/scan/wire.h"

#include <algorithm>
#include <cstring>

namespace gpuharden {
namespace {

constexpr std::size_t kHeader = sizeof(std::uint32_t);

const Column* find_column(const Probe& probe, std::string_view name) {
  for (const auto& column : probe.schema.columns) {
    if (column.name == name) return &column;
  }
  return nullptr;
}

}  // namespace

void FrameWriter::begin(FrameType type) {
  packed_.bytes().assign(kHeader, '\0');
  packed_.byte(static_cast<char>(type));
}

FrameWriter& FrameWriter::number(std::uint64_t value) {
  packed_.number(value);
  return *this;
}

FrameWriter& FrameWriter::text(std::string_view bytes) {
  packed_.text(bytes);
  return *this;
}

FrameWriter& FrameWriter::value(const Value& value) {
  packed_.byte(static_cast<char>(value.kind));
  if (value.kind == ValueKind::kInteger) number(static_cast<std::uint64_t>(value.integer));
  if (value.kind == ValueKind::kText) text(value.text);
  return *this;
}

std::string_view FrameWriter::finish() {
  std::string& bytes = packed_.bytes();
  const auto size = static_cast<std::uint32_t>(bytes.size() - kHeader);
  std::memcpy(bytes.data(), &size, sizeof size);
  return bytes;
}

std::string FrameWriter::take() {
  finish();
  return std::move(packed_.bytes());
}

Value FrameReader::value() {
  const auto kind = byte();
  if (!ok()) return Value::null();
  switch (static_cast<ValueKind>(kind)) {
    case ValueKind::kNull: return Value::null();
    case ValueKind::kUnread: return {ValueKind::kUnread, 0, {}};
    case ValueKind::kInteger: return Value::of(static_cast<std::int64_t>(number()));
    case ValueKind::kText: return Value::of(text());
  }
  fail();
  return Value::null();
}

Result<std::string_view> FrameBuffer::next() {
  const auto rest = std::string_view(bytes_).substr(at_);
  if (rest.size() < kHeader) return std::string_view();
  std::uint32_t size = 0;
  std::memcpy(&size, rest.data(), sizeof size);
  if (size == 0 || size > kMaxFrameBytes) return Error{ErrorCode::kMalformed, "a frame of impossible size"};
  if (rest.size() < kHeader + size) return std::string_view();
  at_ += kHeader + size;
  return rest.substr(kHeader, size);
}

void FrameBuffer::compact() {
  bytes_.erase(0, at_);
  at_ = 0;
}

std::string write_request(std::uint64_t id, const TableRequest& request) {
  FrameWriter frame(FrameType::kRequest);
  frame.number(id).text(request.probe->schema.name).number(request.arguments.size());
  for (const auto& argument : request.arguments) frame.text(argument.column).text(argument.value);
  frame.number(request.columns.size());
  for (const auto& column : request.columns) frame.text(column);
  return frame.take();
}

Result<TableRequest> read_request(FrameReader& frame, std::uint64_t& id) {
  const Error bad{ErrorCode::kMalformed, "a request that makes no sense"};
  id = frame.number();
  TableRequest request;
  request.probe = find_probe(frame.text());
  if (request.probe == nullptr) return bad;
  for (auto left = frame.number(); left > 0 && frame.ok(); --left) {
    const Column* column = find_column(*request.probe, frame.text());
    if (column == nullptr) return bad;
    request.arguments.push_back({column->name, std::string(frame.text())});
  }
  for (auto left = frame.number(); left > 0 && frame.ok(); --left) {
    const Column* column = find_column(*request.probe, frame.text());
    if (column == nullptr) return bad;
    request.columns.emplace_back(column->name);
  }
  if (!frame.ok()) return bad;
  return request;
}

}  // namespace gpuharden
