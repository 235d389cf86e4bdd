// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/native/finding_store.h"

#include <sqlite3.h>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

struct CloseDatabase {
  void operator()(sqlite3* database) const { ::sqlite3_close(database); }
};
struct Finalize {
  void operator()(sqlite3_stmt* statement) const { ::sqlite3_finalize(statement); }
};
using DatabaseHandle = std::unique_ptr<sqlite3, CloseDatabase>;
using StatementHandle = std::unique_ptr<sqlite3_stmt, Finalize>;

// Nothing of it must survive: no journal and no waiting for the disk. The cache is in KiB.
constexpr const char* kSchema =
    "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -16384; PRAGMA temp_store = FILE;"
    "CREATE TABLE finding (id INTEGER PRIMARY KEY, identity TEXT NOT NULL UNIQUE, outcome INTEGER NOT NULL,"
    " severity INTEGER NOT NULL, rule TEXT NOT NULL, payload BLOB NOT NULL);"
    "CREATE TABLE seen (finding INTEGER NOT NULL, host INTEGER NOT NULL, outcome INTEGER NOT NULL,"
    " PRIMARY KEY (finding, host)) WITHOUT ROWID;"
    "BEGIN;";
// No RETURNING: SQLite of 2021-02 does not have it.
constexpr const char* kFind = "SELECT id, outcome FROM finding WHERE identity = ?1";
constexpr const char* kInsert =
    "INSERT INTO finding (identity, outcome, severity, rule, payload) VALUES (?1, ?2, ?3, ?4, ?5)";
constexpr const char* kReplace =
    "UPDATE finding SET outcome = ?2, severity = max(severity, ?3), payload = ?5 WHERE id = ?1";
constexpr const char* kSee =
    "INSERT INTO seen (finding, host, outcome) VALUES (?1, ?2, ?3)"
    " ON CONFLICT (finding, host) DO UPDATE SET outcome = max(outcome, excluded.outcome)";
constexpr const char* kEach =
    "SELECT id, identity, outcome, severity, rule, payload FROM finding"
    " ORDER BY outcome DESC, severity DESC, (SELECT count(*) FROM seen WHERE seen.finding = finding.id) DESC,"
    " rule, identity";
constexpr const char* kHosts = "SELECT host, outcome FROM seen WHERE finding = ?1 ORDER BY host";

class SqliteStore final : public FindingStore {
 public:
  Status open() {
    sqlite3* handle = nullptr;
    // The empty name: a file of its own in the system's temporary folder, deleted when it is closed.
    const int code = ::sqlite3_open_v2("", &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
    database_.reset(handle);
    if (code != SQLITE_OK) return failure("opening a temporary database");
    if (::sqlite3_exec(database_.get(), kSchema, nullptr, nullptr, nullptr) != SQLITE_OK)
      return failure("preparing a temporary database");
    for (auto& [statement, sql] :
         {std::pair{&find_, kFind}, std::pair{&insert_, kInsert}, std::pair{&replace_, kReplace},
          std::pair{&see_, kSee}, std::pair{&each_, kEach}, std::pair{&hosts_, kHosts}}) {
      sqlite3_stmt* raw = nullptr;
      if (::sqlite3_prepare_v2(database_.get(), sql, -1, &raw, nullptr) != SQLITE_OK)
        return failure("preparing a temporary database");
      statement->reset(raw);
    }
    return {};
  }

  Status add(const StoredFinding& finding, std::uint32_t host) override {
    bind_text(find_, 1, finding.identity);
    const bool is_known = ::sqlite3_step(find_.get()) == SQLITE_ROW;
    std::int64_t id = is_known ? ::sqlite3_column_int64(find_.get(), 0) : 0;
    const bool is_worse = is_known && ::sqlite3_column_int64(find_.get(), 1) < finding.outcome;
    ::sqlite3_reset(find_.get());
    if (!is_known) {
      bind_text(insert_, 1, finding.identity);
      bind_finding(insert_, finding);
      bind_text(insert_, 4, finding.rule);
      GH_RETURN_IF_ERROR(run(insert_));
      id = ::sqlite3_last_insert_rowid(database_.get());
    } else if (is_worse) {
      ::sqlite3_bind_int64(replace_.get(), 1, id);
      bind_finding(replace_, finding);
      GH_RETURN_IF_ERROR(run(replace_));
    }
    ::sqlite3_bind_int64(see_.get(), 1, id);
    ::sqlite3_bind_int64(see_.get(), 2, host);
    ::sqlite3_bind_int64(see_.get(), 3, finding.outcome);
    return run(see_);
  }

  Status each(const std::function<void(const StoredFinding&)>& take) override {
    int code = SQLITE_ROW;
    while ((code = ::sqlite3_step(each_.get())) == SQLITE_ROW) {
      StoredFinding finding;
      finding.identity = text(each_, 1);
      finding.outcome = ::sqlite3_column_int64(each_.get(), 2);
      finding.severity = ::sqlite3_column_int64(each_.get(), 3);
      finding.rule = text(each_, 4);
      finding.payload = text(each_, 5);
      ::sqlite3_bind_int64(hosts_.get(), 1, ::sqlite3_column_int64(each_.get(), 0));
      while (::sqlite3_step(hosts_.get()) == SQLITE_ROW)
        finding.hosts.emplace_back(static_cast<std::uint32_t>(::sqlite3_column_int64(hosts_.get(), 0)),
                                   ::sqlite3_column_int64(hosts_.get(), 1));
      if (::sqlite3_reset(hosts_.get()) != SQLITE_OK) return failure("reading a temporary database");
      take(finding);
    }
    ::sqlite3_reset(each_.get());
    return code == SQLITE_DONE ? Status() : failure("reading a temporary database");
  }

 private:
  Error failure(std::string_view doing) const {
    return {ErrorCode::kLibrary, concat({doing, ": ", database_ ? ::sqlite3_errmsg(database_.get()) : "no memory"})};
  }
  static void bind_text(StatementHandle& statement, int index, std::string_view text) {
    ::sqlite3_bind_blob64(statement.get(), index, text.data(), text.size(), SQLITE_STATIC);
  }
  static void bind_finding(StatementHandle& statement, const StoredFinding& finding) {
    ::sqlite3_bind_int64(statement.get(), 2, finding.outcome);
    ::sqlite3_bind_int64(statement.get(), 3, finding.severity);
    bind_text(statement, 5, finding.payload);
  }
  static std::string text(const StatementHandle& statement, int column) {
    const void* bytes = ::sqlite3_column_blob(statement.get(), column);
    const auto size = static_cast<std::size_t>(::sqlite3_column_bytes(statement.get(), column));
    return bytes == nullptr ? std::string() : std::string(static_cast<const char*>(bytes), size);
  }
  Status run(StatementHandle& statement) {
    const int code = ::sqlite3_step(statement.get());
    ::sqlite3_reset(statement.get());
    return code == SQLITE_DONE ? Status() : failure("writing a temporary database");
  }

  DatabaseHandle database_;  // outlives the statements
  StatementHandle find_, insert_, replace_, see_, each_, hosts_;
};

}  // namespace

Result<std::unique_ptr<FindingStore>> FindingStore::create() {
  auto store = std::make_unique<SqliteStore>();
  GH_RETURN_IF_ERROR(store->open());
  return std::unique_ptr<FindingStore>(std::move(store));
}

}  // namespace gpuharden
