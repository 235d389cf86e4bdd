// SPDX-License-Identifier: GPL-2.0-or-later
// Findings of many hosts, more than memory should hold: a private SQLite database in a temporary file that is gone
// with the process. SQLite's cache is all the memory that it takes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace gpuharden {

struct StoredFinding {
  std::string identity;
  std::int64_t outcome = 0;   // of the payload: the greatest of any host
  std::int64_t severity = 0;  // order only
  std::string rule;
  std::string payload;
  std::vector<std::pair<std::uint32_t, std::int64_t>> hosts;  // host and its outcome, rising by host
};

class FindingStore {
 public:
  static Result<std::unique_ptr<FindingStore>> create();
  virtual ~FindingStore() = default;
  // Of several payloads of one identity the first one of the greatest outcome stays. A host counts once, with its
  // greatest outcome.
  virtual Status add(const StoredFinding& finding, std::uint32_t host) = 0;
  // By outcome, severity and number of hosts (greatest first), then rule and identity.
  virtual Status each(const std::function<void(const StoredFinding&)>& take) = 0;
};

}  // namespace gpuharden
