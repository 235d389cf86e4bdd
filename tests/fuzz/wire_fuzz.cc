// SPDX-License-Identifier: GPL-2.0-or-later
// What the parent and its reader say to each other: a reader that was taken over may say anything.
#include "engine/scan/wire.h"
#include "tests/fuzz/target.h"

namespace gpuharden::test {
namespace {

void take_apart(std::string_view payload) {
  FrameReader numbers(payload.substr(1));
  while (numbers.ok() && !numbers.at_end()) (void)numbers.number();
  FrameReader values(payload.substr(1));
  while (values.ok() && !values.at_end()) {
    const auto value = values.value();
    require(value.kind != ValueKind::kText || value.text.size() <= payload.size());
  }
  FrameReader request(payload.substr(1));
  std::uint64_t id = 0;
  const auto read = read_request(request, id);
  if (!read) return;
  // Said again, it is the same.
  FrameBuffer buffer;
  buffer.append(write_request(id, *read));
  FrameReader again(buffer.next()->substr(1));
  std::uint64_t same_id = 0;
  const auto same = read_request(again, same_id);
  require(same.has_value() && same_id == id && same->columns == read->columns);
}

}  // namespace
}  // namespace gpuharden::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  gpuharden::FrameBuffer buffer;
  const auto bytes = gpuharden::test::text_of(data, size);
  // In two parts, as a socket may deliver them.
  buffer.append(bytes.substr(0, size / 2));
  for (const auto part : {bytes.substr(size / 2), std::string_view()}) {
    for (;;) {
      const auto payload = buffer.next();
      if (!payload) return 0;
      if (payload->empty()) break;
      gpuharden::test::take_apart(*payload);
    }
    buffer.compact();
    buffer.append(part);
  }
  return 0;
}
