// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/scan/floor_source.h"

#include <algorithm>

#include "engine/base/date.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::string_view kFloors = "floors";
constexpr std::string_view kClock = "clock";

const Probe& clock_table() {
  const Probe* probe = find_probe(kClock);
  GH_CHECK(probe != nullptr);
  return *probe;
}

// One row by the names of its columns.
class Cells {
 public:
  explicit Cells(const TableSchema& schema) : schema_(schema), cells_(schema.columns.size()) {}

  void set(std::string_view column, Value value) {
    const auto found = std::find_if(schema_.columns.begin(), schema_.columns.end(),
                                    [&](const Column& candidate) { return candidate.name == column; });
    GH_CHECK(found != schema_.columns.end());
    cells_[static_cast<std::size_t>(found - schema_.columns.begin())] = value;
  }
  void set_if_any(std::string_view column, std::string_view text) {
    if (!text.empty()) set(column, Value::of(text));
  }
  const std::vector<Value>& values() const { return cells_; }

 private:
  const TableSchema& schema_;
  std::vector<Value> cells_;
};

bool has_ended(const Floor& floor, std::optional<std::int64_t> today) {
  const auto last_day = parse_date(floor.eol);
  return floor.status == FloorStatus::kEnded || (last_day && today && *today > *last_day);
}

void add_row(const FloorFile& file, const Floor& floor, std::optional<std::int64_t> today, const TableSchema& schema,
             TableData& data) {
  const std::string cves = join(floor.cves, " ");
  const std::string open_cves = join(floor.open_cves, " ");
  const auto as_of = parse_date(file.as_of);
  Cells cells(schema);
  cells.set("component", Value::of(std::string_view(file.component)));
  cells.set("branch", Value::of(std::string_view(floor.branch)));
  cells.set("distribution", Value::of(std::string_view(floor.distribution)));
  cells.set("device", Value::of(std::string_view(floor.device)));
  cells.set("status", Value::of(to_string(floor.status)));
  cells.set("ended", Value::of(std::int64_t{has_ended(floor, today)}));
  cells.set("scheme", Value::of(std::string_view(floor.scheme)));
  cells.set_if_any("fixed", floor.fixed);
  cells.set_if_any("affected_to", floor.affected_to);
  cells.set("advisory", Value::of(std::string_view(floor.advisory)));
  cells.set_if_any("published", floor.published);
  cells.set("cves", Value::of(std::string_view(cves)));
  cells.set("open_cves", Value::of(std::string_view(open_cves)));
  cells.set_if_any("eol", floor.eol);
  cells.set("source", Value::of(std::string_view(floor.source)));
  cells.set("as_of", Value::of(std::string_view(file.as_of)));
  if (today && as_of) cells.set("age_days", Value::of(*today - *as_of));
  data.add_row(cells.values());
}

Gap gap(std::string_view table, ErrorCode cause, std::string sentence) {
  return {std::string(table), "*", "*", cause, std::move(sentence)};
}

std::string before_its_time(std::int64_t today, std::string_view what, std::string_view as_of) {
  return concat({"the clock says ", format_date(today), ", before ", what, " were written (", as_of, ")"});
}

// The day of the newest file; empty without files.
std::string newest(const std::vector<FloorFile>& files) {
  std::string day;
  for (const auto& file : files) day = std::max(day, file.as_of);
  return day;
}

}  // namespace

void FloorSource::use(const std::vector<FloorFile>& files, std::int64_t max_age) {
  files_ = &files;
  max_age_ = max_age;
}

void FloorSource::expect(std::vector<TableRequest> requests) {
  std::erase_if(requests, [](const TableRequest& request) {
    return request.probe->schema.name == kFloors || request.probe->schema.name == kClock;
  });
  if (!clock_) requests.push_back({&clock_table(), {}, {}});
  inner_.expect(std::move(requests));
}

std::unique_ptr<TableData> FloorSource::read(const TableRequest& request) {
  if (request.probe->schema.name == kClock) return read_clock(request);
  if (request.probe->schema.name == kFloors && files_ != nullptr) return read_floors(request);
  return inner_.read(request);
}

const FloorSource::HostClock& FloorSource::clock() {
  if (clock_) return *clock_;
  clock_.emplace();
  const auto data = inner_.read({&clock_table(), {}, {}});
  clock_->gaps = data->gaps();
  clock_->failure = data->failure();
  if (data->row_count() == 1 && data->cell(0, 0).kind == ValueKind::kInteger) clock_->now = data->cell(0, 0).integer;
  return *clock_;
}

std::unique_ptr<TableData> FloorSource::read_clock(const TableRequest& request) {
  const HostClock& host = clock();
  auto data = std::make_unique<TableData>(request.probe->schema.columns.size());
  for (const auto& each : host.gaps) data->add_gap(each);
  data->set_failure(host.failure);
  if (!host.now) return data;
  const auto today = day_of(*host.now);
  const std::string text = format_date(today);
  Cells cells(request.probe->schema);
  cells.set("now", Value::of(*host.now));
  cells.set("today", Value::of(std::string_view(text)));
  data->add_row(cells.values());
  const std::string as_of = files_ == nullptr ? std::string() : newest(*files_);
  const auto day = parse_date(as_of);
  if (day && today < *day) data->add_gap(gap(kClock, ErrorCode::kStale, before_its_time(today, "the rules", as_of)));
  return data;
}

std::unique_ptr<TableData> FloorSource::read_floors(const TableRequest& request) {
  const auto& schema = request.probe->schema;
  auto data = std::make_unique<TableData>(schema.columns.size());
  const std::string component = request.arguments.empty() ? std::string() : request.arguments.front().value;
  const auto file = std::find_if(files_->begin(), files_->end(),
                                 [&](const FloorFile& candidate) { return candidate.component == component; });
  if (file == files_->end()) {
    data->add_gap(gap(kFloors, ErrorCode::kNotFound, concat({"there are no floors of \"", component, "\""})));
    return data;
  }
  const auto now = clock().now;
  const auto today = now ? std::optional(day_of(*now)) : std::nullopt;
  for (const auto& floor : file->floors) add_row(*file, floor, today, schema, *data);
  add_gaps(*file, *data);
  return data;
}

void FloorSource::add_gaps(const FloorFile& file, TableData& data) {
  const HostClock& host = clock();
  const auto as_of = parse_date(file.as_of);
  if (!host.now || !as_of) {
    const std::string why = host.failure.empty() && !host.gaps.empty() ? host.gaps.front().sentence : host.failure;
    data.add_gap(gap(kFloors, ErrorCode::kStale, concat({"how old the floors of ", file.component, " are: ", why})));
    return;
  }
  const auto today = day_of(*host.now);
  const std::string what = concat({"the floors of ", file.component});
  if (today < *as_of) {
    data.add_gap(gap(kFloors, ErrorCode::kStale, before_its_time(today, what, file.as_of)));
  } else if (today - *as_of > max_age_) {
    data.add_gap(gap(kFloors, ErrorCode::kStale,
                     concat({what, " are as of ", file.as_of, ", ", std::to_string(today - *as_of),
                             " days old; the profile allows ", std::to_string(max_age_)})));
  }
}

}  // namespace gpuharden
