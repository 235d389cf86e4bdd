// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/kernel/kernel_log.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::size_t kMaxEvents = 1000;
constexpr std::size_t kMaxText = 400;
constexpr std::uint64_t kFirstProgramPriority = 8;

struct Line {
  std::int64_t seconds = -1;
  std::string_view text;
};

struct Event {
  std::string_view kind, device, about;
};

// Nothing for what is not the kernel's own.
std::optional<Line> parse_line(std::string_view line) {
  const auto close = line.find('>');
  if (!line.starts_with('<') || close == std::string_view::npos) return std::nullopt;
  const auto priority = parse_unsigned(line.substr(1, close - 1));
  if (!priority || *priority >= kFirstProgramPriority) return std::nullopt;
  Line out{-1, line.substr(close + 1)};
  const auto end = out.text.find("] ");
  if (!out.text.starts_with('[') || end == std::string_view::npos) return out;
  const auto stamp = trim(out.text.substr(1, end - 1));
  const auto seconds = parse_unsigned(stamp.substr(0, stamp.find('.')));
  if (!seconds || stamp.find('.') == std::string_view::npos) return out;
  return Line{static_cast<std::int64_t>(*seconds), out.text.substr(end + 2)};
}

// What follows `marker`, up to the first of `ends`; empty when there is no marker.
std::string_view after(std::string_view text, std::string_view marker, std::string_view ends) {
  const auto at = text.find(marker);
  if (at == std::string_view::npos) return {};
  const auto rest = text.substr(at + marker.size());
  return rest.substr(0, rest.find_first_of(ends));
}

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// "0000:3b:00" of "0000:3b:00.0", "PCI:0000:3b:00" and "GPU 0000:3b:00.0".
std::string_view device_of(std::string_view text) {
  if (text.starts_with("PCI:")) text.remove_prefix(4);
  const auto end = text.find_first_not_of("0123456789abcdefABCDEF:");
  text = text.substr(0, end);
  if (text.ends_with(':')) text.remove_suffix(1);
  return text.size() >= 7 && has(text, ":") ? text : std::string_view();
}

std::optional<Event> nvidia_event(std::string_view text) {
  if (has(text, "NVRM: Xid (")) {
    const auto number = after(text, "): ", ", ");
    const bool is_number = parse_unsigned(number).has_value();
    return Event{"xid", device_of(after(text, "NVRM: Xid (", ")")), is_number ? number : std::string_view()};
  }
  if (!has(text, "NVRM: ")) return std::nullopt;
  if (has(text, "fallen off the bus")) {
    const auto named = after(text, "NVRM: GPU at ", " ");
    return Event{"fell-off-bus", device_of(named.empty() ? after(text, "NVRM: GPU ", " ") : named), {}};
  }
  if (has(text, "API mismatch")) return Event{"version-mismatch", {}, {}};
  return std::nullopt;
}

std::optional<Event> amd_event(std::string_view text) {
  const bool is_amd = has(text, "amdgpu");
  if (!is_amd) return std::nullopt;
  const auto device = device_of(after(text, "amdgpu ", " "));
  if (has(text, "ring ") && has(text, " timeout")) return Event{"ring-timeout", device, after(text, "ring ", " ,")};
  if (has(text, "GPU reset begin")) return Event{"gpu-reset", device, {}};
  const bool has_reset_failed = has(text, "GPU reset end with ret = -") || has(text, "GPU Recovery Failed") ||
                                (has(text, "GPU reset(") && has(text, ") failed"));
  if (has_reset_failed) return Event{"reset-failed", device, {}};
  if (has(text, "uncorrectable hardware errors detected in"))
    return Event{"uncorrectable", device, after(text, "detected in ", " ,")};
  if (has(text, "RAS controller interrupt") || has(text, "poison is consumed") || has(text, "ncorrectable error"))
    return Event{"uncorrectable", device, {}};
  if (has(text, "correctable hardware errors detected in"))
    return Event{"correctable", device, after(text, "detected in ", " ,")};
  return std::nullopt;
}

std::optional<Event> module_event(std::string_view text) {
  if (has(text, ": module verification failed")) return Event{"module-unverified", {}, text.substr(0, text.find(':'))};
  constexpr std::array<std::string_view, 4> kRefused = {
      "unsigned module loading is restricted", "Loading of unsigned module is rejected",
      "Loading of module with unavailable key is rejected", "Loading of module with unsupported crypto is rejected"};
  for (const auto sentence : kRefused) {
    if (has(text, sentence)) return Event{"module-refused", {}, {}};
  }
  return std::nullopt;
}

std::optional<Event> event_of(std::string_view text) {
  if (auto event = nvidia_event(text)) return event;
  if (auto event = amd_event(text)) return event;
  return module_event(text);
}

class Collector {
 public:
  void add(const Line& line) {
    ++summary_.lines;
    if (!summary_.oldest && line.seconds >= 0) summary_.oldest = line.seconds;
    const auto event = event_of(line.text);
    if (!event) return;
    const auto key = std::tuple(std::string(event->kind), std::string(event->device), std::string(event->about));
    auto known = places_.find(key);
    if (known == places_.end()) {
      if (places_.size() >= kMaxEvents) {
        summary_.has_too_many = true;
        return;
      }
      known = places_.emplace(key, summary_.events.size()).first;
      summary_.events.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), 0, line.seconds, 0, {}});
    }
    auto& out = summary_.events[known->second];
    ++out.count;
    out.last = line.seconds;
    out.text = line.text.substr(0, kMaxText);
  }
  KernelLogSummary take() { return std::move(summary_); }

 private:
  KernelLogSummary summary_;
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> places_;
};

}  // namespace

KernelLogSummary parse_kernel_log(std::string_view text) {
  Collector collector;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    if (const auto line = parse_line(text.substr(0, end))) collector.add(*line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return collector.take();
}

}  // namespace gpuharden
