// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/scan/database.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>

#include "engine/base/text.h"
#include "engine/scan/virtual_table.h"

namespace gpuharden {
namespace {

// One statement may take this many virtual-machine steps: seconds, not minutes.
constexpr std::uint64_t kMaxSteps = 200'000'000;
constexpr int kStepsPerCallback = 10'000;
constexpr int kLookasideBytes = 1200;
constexpr int kLookasideSlots = 200;

constexpr std::array<std::pair<int, int>, 9> kLimits = {{
    {SQLITE_LIMIT_SQL_LENGTH, 64 << 10},
    {SQLITE_LIMIT_LENGTH, 16 << 20},
    {SQLITE_LIMIT_EXPR_DEPTH, 100},
    {SQLITE_LIMIT_VDBE_OP, 50'000},
    {SQLITE_LIMIT_COMPOUND_SELECT, 20},
    {SQLITE_LIMIT_FUNCTION_ARG, 32},
    {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000},
    {SQLITE_LIMIT_VARIABLE_NUMBER, 64},
    {SQLITE_LIMIT_ATTACHED, 0},
}};

void harden(sqlite3* handle) {
  // A mistyped column in double quotes must not become a string that is always true.
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DQS_DML, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DQS_DDL, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
  for (const auto& [limit, value] : kLimits) sqlite3_limit(handle, limit, value);
}

bool is_json_table(std::string_view name) { return name == "json_each" || name == "json_tree"; }

}  // namespace

ColumnRead column_read(const Probe& probe, std::string_view column) {
  for (const auto& known : probe.schema.columns) {
    if (known.name == column) return {probe.schema.name, known.name};
  }
  return {probe.schema.name, {}};
}

namespace {

// The audit has one thread and lives for milliseconds: without locks, statistics and with memory of its own
// for small things, statements are prepared in less time.
void configure_sqlite() {
  static const bool kDone = [] {
    sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    sqlite3_config(SQLITE_CONFIG_LOOKASIDE, kLookasideBytes, kLookasideSlots);
    return true;
  }();
  static_cast<void>(kDone);
}

}  // namespace

Database::Database(TableSource& source) : source_(source) {
  configure_sqlite();
  const int code =
      sqlite3_open_v2(":memory:", &handle_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX, nullptr);
  GH_CHECK(code == SQLITE_OK);
  harden(handle_);
  register_functions(handle_);
  register_tables(handle_, *this);
  sqlite3_set_authorizer(handle_, &Database::authorize, this);
  sqlite3_progress_handler(handle_, kStepsPerCallback, &Database::progress, this);
  connect_tables();
  armed_ = true;
}

Database::~Database() { sqlite3_close_v2(handle_); }

// A table's first use looks at sqlite_master and changes it; afterwards statements only read.
void Database::connect_tables() {
  std::vector<std::string> names = {"json_each"};
  for (const auto& probe : all_probes()) names.emplace_back(probe.schema.name);
  for (const auto& name : names) {
    sqlite3_stmt* statement = nullptr;
    // Tables that need an argument refuse here, and are connected all the same.
    sqlite3_prepare_v2(handle_, ("SELECT 1 FROM " + name).c_str(), -1, &statement, nullptr);
    sqlite3_finalize(statement);
  }
}

int Database::authorize(void* self, int action, const char* first, const char* second, const char*, const char*) {
  auto& database = *static_cast<Database*>(self);
  if (!database.armed_) return SQLITE_OK;
  switch (action) {
    case SQLITE_SELECT: return SQLITE_OK;
    case SQLITE_READ: {
      if (const Probe* probe = find_probe(first)) {
        database.reads_.insert(column_read(*probe, second));
        return SQLITE_OK;
      }
      if (is_json_table(first) || *first == '\0') return SQLITE_OK;
      database.refusal_ = concat({"table ", first, " is not a probe's table"});
      return SQLITE_DENY;
    }
    case SQLITE_FUNCTION:
      if (is_allowed_function(second)) return SQLITE_OK;
      database.refusal_ = concat({"function ", second, "() is not allowed in rules"});
      return SQLITE_DENY;
    default: database.refusal_ = "only SELECT on probe tables is allowed"; return SQLITE_DENY;
  }
}

int Database::progress(void* self) {
  auto& database = *static_cast<Database*>(self);
  database.steps_ += kStepsPerCallback;
  return database.steps_ > kMaxSteps ? 1 : 0;
}

Result<Statement> Database::prepare(std::string_view sql) {
  reads_.clear();
  refusal_.clear();
  error_offset_ = std::string_view::npos;
  sqlite3_stmt* raw = nullptr;
  const char* tail = nullptr;
  const int code = sqlite3_prepare_v2(handle_, sql.data(), static_cast<int>(sql.size()), &raw, &tail);
  if (code != SQLITE_OK) {
#if SQLITE_VERSION_NUMBER >= 3038000
    const int offset = sqlite3_error_offset(handle_);
    if (offset >= 0) error_offset_ = static_cast<std::size_t>(offset);
#endif
    return Error{ErrorCode::kMalformed, refusal_.empty() ? sqlite3_errmsg(handle_) : refusal_};
  }
  Statement statement(*this, raw);
  if (raw == nullptr) return Error{ErrorCode::kMalformed, "there is no statement"};
  const auto rest = trim(sql.substr(static_cast<std::size_t>(tail - sql.data())));
  if (!rest.empty()) return Error{ErrorCode::kMalformed, "more than one statement"};
  return statement;
}

bool Database::expects(const std::set<ColumnRead>& reads) const {
  return std::all_of(reads.begin(), reads.end(), [this](const ColumnRead& read) {
    const auto wanted = wanted_.find(read.first);
    return wanted != wanted_.end() && (read.second.empty() || wanted->second.contains(read.second));
  });
}

void Database::forget(std::string_view table) {
  scans_.clear();
  std::erase_if(loaded_, [&](const auto& entry) { return entry.first.substr(0, entry.first.find('\0')) == table; });
}

void Database::expect(const std::set<ColumnRead>& reads) {
  std::set<std::string> grown;
  for (const auto& [table, column] : reads) {
    const auto [wanted, is_new] = wanted_.try_emplace(std::string(table));
    const bool has_grown = !column.empty() && wanted->second.emplace(column).second;
    if (is_new || has_grown) grown.insert(wanted->first);
  }
  std::vector<TableRequest> requests;
  for (const auto& table : grown) {
    forget(table);
    const Probe& probe = *find_probe(table);
    if (!needs_argument(probe.schema)) requests.push_back(request_for(probe, {}));
  }
  source_.expect(std::move(requests));
}

// What is announced and what is read must be the same question, or a table is read twice.
TableRequest Database::request_for(const Probe& probe, std::vector<Argument> arguments) const {
  TableRequest request{&probe, std::move(arguments), {}};
  const auto wanted = wanted_.find(probe.schema.name);
  if (wanted == wanted_.end()) return request;
  request.columns.assign(wanted->second.begin(), wanted->second.end());
  // Where rows are only counted, any one column will do; none at all would mean all of them.
  if (request.columns.empty()) request.columns.emplace_back(probe.schema.columns.front().name);
  return request;
}

std::string Database::cache_key(const Probe& probe, const std::vector<Argument>& arguments) {
  std::string key(probe.schema.name);
  for (const auto& argument : arguments) {
    key += '\0';
    key += argument.value;
  }
  return key;
}

Database::LoadedTables::value_type& Database::loaded_entry(const Probe& probe, const std::vector<Argument>& arguments) {
  auto& entry = *loaded_.try_emplace(cache_key(probe, arguments)).first;
  if (!entry.second) entry.second = source_.read(request_for(probe, arguments));
  return entry;
}

const TableData& Database::load(const Probe& probe, const std::vector<Argument>& arguments) {
  return *loaded_entry(probe, arguments).second;
}

Database::Scan& Database::scan_of(const Probe& probe, const std::vector<Argument>& arguments) {
  const auto& entry = loaded_entry(probe, arguments);
  auto& scan = scans_[&entry.first];
  scan.data = entry.second.get();
  return scan;
}

}  // namespace gpuharden
