// SPDX-License-Identifier: GPL-2.0-or-later
// Where transactions are written down before they happen: one file each, appended to, never rewritten.
//
// A line is "<digest> <JSON>\n"; the digest is over the line's JSON and the digest of the line before, so a
// torn, lost or changed line ends what is believed. The first line holds the header and every step with its
// before-image: the file comes into being by a rename, complete or not at all.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/apply/transaction.h"

namespace gpuharden {

// The state folder of a root, and one writer at a time.
class Journal {
 public:
  // Makes the folder (0700) where it is missing, and takes the lock. kUnsupported, naming the other process,
  // when someone else has it.
  static Result<std::unique_ptr<Journal>> open(TreeWriter& tree);

  // The header and the steps of a new transaction, durably, before its first step.
  Status begin(const Transaction& transaction);
  // The next thing that happened to it, durably.
  Status note(const std::string& id, TransactionState state, const std::string& reason,
              const std::vector<std::string>& kept);

  static constexpr std::string_view kFolder = "/var/lib/gpuharden";

 private:
  explicit Journal(TreeWriter& tree) : tree_(tree) {}
  TreeWriter& tree_;
  UniqueFd lock_;
};

// All transactions of a root, oldest first. A journal that cannot be believed from its first line on is an
// error that names it: nothing may be applied beside it.
Result<std::vector<Transaction>> read_journals(const Files& files);

// One journal's text. kMalformed when its first line cannot be believed; a bad later line ends it.
struct JournalText {
  Transaction transaction;
  std::string digest;      // of the last line that is believed
  std::size_t length = 0;  // bytes that are believed
};
Result<JournalText> parse_journal(std::string_view text);
std::string journal_line(std::string_view digest_before, const std::string& json, std::string& digest);

}  // namespace gpuharden
