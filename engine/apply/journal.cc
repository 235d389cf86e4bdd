// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/apply/journal.h"

#include <unistd.h>

#include <ctime>
#include <nlohmann/json.hpp>

#include "engine/apply/step_json.h"
#include "engine/base/digest.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {
using Json = nlohmann::json;

constexpr std::size_t kMaxJournalBytes = std::size_t{256} << 20U;
constexpr std::size_t kDigestLength = 32;  // hexadecimal digits
constexpr int kFormat = 1;

const std::string kTransactions = std::string(Journal::kFolder) + "/transactions";
const std::string kEnding = ".journal";

std::string path_of(const std::string& id) { return concat({kTransactions, "/", id, kEnding}); }

Json optional_number(const std::optional<std::int64_t>& number) { return number ? Json(*number) : Json(nullptr); }

Json header_to_json(const TransactionHeader& header) {
  return {{"format", kFormat},
          {"id", header.id},
          {"tool_version", header.tool_version},
          {"profile", header.profile},
          {"started", header.started},
          {"boot_id", header.boot_id},
          {"confirm_until", optional_number(header.confirm_until)},
          {"confirm_until_uptime", optional_number(header.confirm_until_uptime)},
          {"survives_boot", header.survives_boot}};
}

std::optional<std::int64_t> number_or_none(const Json& json) {
  if (json.is_null()) return std::nullopt;
  return json.get<std::int64_t>();
}

// Throws nlohmann's exceptions where something is missing or of another kind.
TransactionHeader header_from_json(const Json& json) {
  return {json.at("id").get<std::string>(),
          json.at("tool_version").get<std::string>(),
          json.at("profile").get<std::string>(),
          json.at("started").get<std::int64_t>(),
          json.at("boot_id").get<std::string>(),
          number_or_none(json.at("confirm_until")),
          number_or_none(json.at("confirm_until_uptime")),
          json.at("survives_boot").get<bool>()};
}

Status read_first(const Json& json, Transaction& transaction) {
  if (json.at("format") != kFormat)
    return Error{ErrorCode::kUnsupported, "written by a newer gpuharden: use that one to take it back"};
  transaction.header = header_from_json(json);
  transaction.ended = transaction.header.started;
  for (const auto& step : json.at("steps")) {
    GH_ASSIGN_OR_RETURN(Step read, step_from_json(step));
    transaction.steps.push_back(std::move(read));
  }
  return {};
}

Status read_note(const Json& json, Transaction& transaction) {
  const auto word = json.at("state").get<std::string>();
  for (const auto state : {TransactionState::kApplied, TransactionState::kConfirmed, TransactionState::kReverting,
                           TransactionState::kReverted}) {
    if (word != to_string(state)) continue;
    transaction.state = state;
    transaction.reason = json.at("reason").get<std::string>();
    transaction.kept = json.at("kept").get<std::vector<std::string>>();
    transaction.ended = json.at("time").get<std::int64_t>();
    return {};
  }
  return Error{ErrorCode::kMalformed, concat({"no state '", word, "'"})};
}

std::string digest_after(std::string_view before, std::string_view json) {
  return digest_of({before, json}).substr(0, kDigestLength);
}

// The JSON of the line that begins `text`; nothing where the line is torn or was changed.
std::optional<std::string_view> believed(std::string_view text, std::string_view digest_before) {
  const auto end = text.find('\n');
  if (end == std::string_view::npos || end < kDigestLength + 1 || text[kDigestLength] != ' ') return std::nullopt;
  const auto json = text.substr(kDigestLength + 1, end - kDigestLength - 1);
  if (text.substr(0, kDigestLength) != digest_after(digest_before, json)) return std::nullopt;
  return json;
}

Status read_line(std::string_view line, bool is_first, Transaction& transaction) {
  try {
    const Json json = Json::parse(line);
    return is_first ? read_first(json, transaction) : read_note(json, transaction);
  } catch (const Json::exception& error) {
    return Error{ErrorCode::kMalformed, error.what()};
  }
}

Status make_folder(TreeWriter& tree, const std::string& path, std::uint32_t mode) {
  GH_ASSIGN_OR_RETURN(const FileState found, tree.capture(path));
  if (found.exists && found.type != FileType::kDirectory)
    return Error{ErrorCode::kNotRegular, concat({path, ": is no folder"})};
  if (!found.exists || found.mode == (mode & 0700U)) return tree.change(path, no_file(), new_folder(mode), "new");
  return {};
}

// What others could write would be undone with root's rights.
Status check_trust(const TreeWriter& tree, const std::string& path) {
  GH_ASSIGN_OR_RETURN(const FileState found, tree.capture(path));
  if (found.uid == ::geteuid() && (found.mode & 022U) == 0) return {};
  return Error{ErrorCode::kPermission, concat({path, ": others than its user could change it; not used"})};
}

}  // namespace

std::string journal_line(std::string_view digest_before, const std::string& json, std::string& digest) {
  digest = digest_after(digest_before, json);
  return concat({digest, " ", json, "\n"});
}

Result<JournalText> parse_journal(std::string_view text) {
  JournalText result;
  bool is_first = true;
  while (const auto json = believed(text.substr(result.length), result.digest)) {
    const auto read = read_line(*json, is_first, result.transaction);
    if (!read) return read.error();
    is_first = false;
    result.digest = digest_after(result.digest, *json);
    result.length += kDigestLength + 1 + json->size() + 1;
  }
  if (is_first) return Error{ErrorCode::kMalformed, "its first line is damaged"};
  return result;
}

Result<std::unique_ptr<Journal>> Journal::open(TreeWriter& tree) {
  const std::string folder(kFolder);
  GH_RETURN_IF_ERROR(make_folder(tree, "/var", 0755));
  GH_RETURN_IF_ERROR(make_folder(tree, "/var/lib", 0755));
  GH_RETURN_IF_ERROR(make_folder(tree, folder, 0700));
  GH_RETURN_IF_ERROR(check_trust(tree, folder));
  GH_RETURN_IF_ERROR(make_folder(tree, kTransactions, 0700));
  GH_RETURN_IF_ERROR(check_trust(tree, kTransactions));
  std::unique_ptr<Journal> journal(new Journal(tree));
  auto lock = tree.lock(folder + "/lock");
  if (!lock) return std::move(lock.error()).while_("another gpuharden is at work");
  journal->lock_ = std::move(lock).value();
  return journal;
}

Status Journal::begin(const Transaction& transaction) {
  Json json = header_to_json(transaction.header);
  json["steps"] = Json::array();
  for (const auto& step : transaction.steps) json["steps"].push_back(to_json(step));
  std::string digest;
  const std::string line = journal_line({}, json.dump(), digest);
  if (line.size() > kMaxJournalBytes / 2) return Error{ErrorCode::kTooLarge, "the plan is too large for the journal"};
  return tree_.change(path_of(transaction.header.id), no_file(), new_file(line, 0600), "new");
}

Status Journal::note(const std::string& id, TransactionState state, const std::string& reason,
                     const std::vector<std::string>& kept) {
  const std::string path = path_of(id);
  GH_ASSIGN_OR_RETURN(const FileBytes text, tree_.files().read(path, kMaxJournalBytes));
  GH_ASSIGN_OR_RETURN(const JournalText journal, parse_journal(text.bytes));
  const Json json = {{"state", to_string(state)},
                     {"time", std::int64_t{::time(nullptr)}},
                     {"reason", replace_invalid_utf8(reason)},
                     {"kept", kept}};
  std::string digest;
  const std::string line =
      journal_line(journal.digest, json.dump(-1, ' ', false, Json::error_handler_t::replace), digest);
  return tree_.append(path, journal.length, line);
}

Result<std::vector<Transaction>> read_journals(const Files& files) {
  std::vector<Transaction> transactions;
  const auto entries = files.list(kTransactions);
  if (!entries && entries.error().code == ErrorCode::kNotFound) return transactions;
  if (!entries) return entries.error();
  for (const auto& entry : *entries) {
    if (!entry.name.ends_with(kEnding) || entry.name.starts_with('.')) continue;
    const std::string path = concat({kTransactions, "/", entry.name});
    GH_ASSIGN_OR_RETURN(const FileBytes text, files.read(path, kMaxJournalBytes));
    auto journal = parse_journal(text.bytes);
    if (!journal) return std::move(journal.error()).while_(path);
    if (journal->transaction.header.id + kEnding != entry.name)
      return Error{ErrorCode::kMalformed, concat({path, ": is the journal of another transaction"})};
    transactions.push_back(std::move(journal->transaction));
  }
  return transactions;
}

}  // namespace gpuharden
