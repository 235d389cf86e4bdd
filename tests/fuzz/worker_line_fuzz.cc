// SPDX-License-Identifier: GPL-2.0-or-later
// Lines of gpu-worker, in whose process a vendor's library runs; and what is made of them.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/base/text.h"
#include "engine/gpu/verdict.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gpuharden;
  static Expectations expectations;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  WorkerTranscript transcript;
  transcript.exit_code = 0;
  for (const auto line : split(text, '\n')) {
    auto parsed = WorkerLine::parse(line);
    if (parsed) transcript.lines.push_back(std::move(*parsed));
  }
  // The corpus was made for this seed; only what the whole of it says can pass.
  const auto verdict = judge(transcript, {kernels::Level::kTiny, 5, 0, 0}, expectations);
  if (verdict.outcome == GpuOutcome::kPass && verdict.checks.size() < 10) __builtin_trap();
  return 0;
}
