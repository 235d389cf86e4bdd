// SPDX-License-Identifier: GPL-2.0-or-later
// A service manager of two units behind a socket of its own, as systemd's is. It can do what it is told, lie about it,
// and never answer.
#pragma once

#include <sys/types.h>

#include <string>

namespace gpuharden::test {

enum class Behaviour {
  kWorks,         // jobs end as "done"
  kJobFails,      // jobs end as "failed"
  kJobHangs,      // jobs never end
  kNeverGreets,   // takes what it is sent, from the first byte on
  kNeverAnswers,  // greets, and answers no call
  kDies,          // hangs up at the first call
};

// Serves one connection in a process of its own, which ends with the object.
class FakeSystemd {
 public:
  // Makes the socket in a folder.
  FakeSystemd(const std::string& folder, Behaviour behaviour);
  FakeSystemd(const FakeSystemd&) = delete;
  FakeSystemd& operator=(const FakeSystemd&) = delete;
  ~FakeSystemd();
  std::string address() const { return "unix:path=" + path_; }
  // What it was told, a line each: "RestartUnit ollama.service replace".
  std::string told() const;

 private:
  std::string path_, log_;
  pid_t child_ = -1;
};

}  // namespace gpuharden::test
