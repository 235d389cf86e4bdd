// SPDX-License-Identifier: GPL-2.0-or-later
// A headless Chromium that is spoken to through its DevTools pipe: real keys, a real printer, its own console.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/base/handle.h"
#include "tests/support/capture.h"

namespace gpuharden::test {

class Browser {
 public:
  // Whether there is one that starts.
  static bool is_here();

  Browser();  // throws when it does not start
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;
  ~Browser();

  // Shows a page, once it is loaded.
  void open(const std::string& page);
  // One command to the page and its result; throws when the browser refuses it or is silent for a minute.
  nlohmann::json call(const std::string& method, nlohmann::json params = nlohmann::json::object());
  // The value of a JavaScript expression in the page.
  nlohmann::json evaluate(const std::string& expression);
  void press(const std::string& key, int key_code, const std::string& text = "");
  // What the console and the browser's own log have said since the last time.
  std::vector<std::string> take_console();

 private:
  nlohmann::json command(const std::string& method, nlohmann::json params, bool to_page);
  nlohmann::json receive();
  void note(const nlohmann::json& event);

  TemporaryFolder folder_;
  UniqueFd to_, from_;
  int pid_ = -1;
  int last_id_ = 0;
  int loaded_ = 0;
  std::string session_, waiting_;
  std::vector<std::string> console_;
};

}  // namespace gpuharden::test
