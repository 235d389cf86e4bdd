// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/report/browser.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <stdexcept>

#include "tests/support/program.h"

namespace gpuharden::test {
namespace {

using Json = nlohmann::json;

constexpr const char* kBrowser = "/usr/bin/chromium";
constexpr int kPatience = 60'000;  // milliseconds

// The browser reads commands from descriptor 3 and writes answers to 4.
[[noreturn]] void become_browser(int commands, int answers, const std::string& folder) {
  const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int stream : {0, 1, 2}) ::dup2(null, stream);
  // Out of the way first: one of the two may be 3 or 4 itself.
  const int high_commands = ::fcntl(commands, F_DUPFD_CLOEXEC, 10);
  const int high_answers = ::fcntl(answers, F_DUPFD_CLOEXEC, 10);
  ::dup2(high_commands, 3);
  ::dup2(high_answers, 4);
  const std::string profile = "--user-data-dir=" + folder + "/profile";
  // A group of its own, so that none of its processes stays.
  ::setpgid(0, 0);
  ::execl(kBrowser, kBrowser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
          "--remote-debugging-pipe", "--window-size=1280,1600", profile.c_str(), "about:blank", nullptr);
  ::_exit(98);
}

}  // namespace

bool Browser::is_here() {
  if (!is_program(kBrowser)) return false;
  return run_command({kBrowser, "--version"}).exit_code == 0;
}

Browser::Browser() {
  std::array<int, 2> commands{}, answers{};
  if (::pipe2(commands.data(), O_CLOEXEC) != 0 || ::pipe2(answers.data(), O_CLOEXEC) != 0)
    throw std::runtime_error("pipe2 failed");
  pid_ = ::fork();
  if (pid_ == 0) become_browser(commands[0], answers[1], folder_.path());
  ::close(commands[0]);
  ::close(answers[1]);
  to_ = UniqueFd(commands[1]);
  from_ = UniqueFd(answers[0]);
  const Json target = command("Target.createTarget", {{"url", "about:blank"}}, false);
  session_ =
      command("Target.attachToTarget", {{"targetId", target["targetId"]}, {"flatten", true}}, false)["sessionId"];
  for (const auto* domain : {"Page.enable", "Runtime.enable", "Log.enable"}) call(domain);
}

Browser::~Browser() {
  ::kill(-pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

void Browser::open(const std::string& page) {
  const std::string file = folder_.path() + "/page.html";
  std::ofstream(file, std::ios::binary) << page;
  const int before = loaded_;
  call("Page.navigate", {{"url", "file://" + file}});
  while (loaded_ == before) note(receive());
}

Json Browser::call(const std::string& method, Json params) { return command(method, std::move(params), true); }

Json Browser::evaluate(const std::string& expression) {
  const Json answer = call("Runtime.evaluate", {{"expression", expression}, {"returnByValue", true}});
  if (answer.contains("exceptionDetails")) throw std::runtime_error(answer["exceptionDetails"].dump());
  return answer["result"].value("value", Json());
}

void Browser::press(const std::string& key, int key_code, const std::string& text) {
  Json event = {{"type", text.empty() ? "rawKeyDown" : "keyDown"},
                {"key", key},
                {"code", key},
                {"windowsVirtualKeyCode", key_code}};
  if (!text.empty()) event["text"] = text;
  call("Input.dispatchKeyEvent", event);
  event["type"] = "keyUp";
  event.erase("text");
  call("Input.dispatchKeyEvent", event);
}

std::vector<std::string> Browser::take_console() { return std::exchange(console_, {}); }

Json Browser::command(const std::string& method, Json params, bool to_page) {
  Json message = {{"id", ++last_id_}, {"method", method}, {"params", std::move(params)}};
  if (to_page) message["sessionId"] = session_;
  const std::string bytes = message.dump() + '\0';
  if (::write(to_.get(), bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
    throw std::runtime_error("the browser does not listen");
  while (true) {
    const Json answer = receive();
    note(answer);
    if (answer.value("id", 0) != last_id_) continue;
    if (answer.contains("error")) throw std::runtime_error(method + ": " + answer["error"].dump());
    return answer["result"];
  }
}

Json Browser::receive() {
  std::size_t end = waiting_.find('\0');
  while (end == std::string::npos) {
    pollfd ready{from_.get(), POLLIN, 0};
    if (::poll(&ready, 1, kPatience) <= 0) throw std::runtime_error("the browser does not answer");
    std::array<char, 65'536> bytes{};
    const auto count = ::read(from_.get(), bytes.data(), bytes.size());
    if (count <= 0) throw std::runtime_error("the browser has ended");
    const auto searched = waiting_.size();
    waiting_.append(bytes.data(), static_cast<std::size_t>(count));
    end = waiting_.find('\0', searched);
  }
  Json message = Json::parse(waiting_.substr(0, end));
  waiting_.erase(0, end + 1);
  return message;
}

void Browser::note(const Json& event) {
  const std::string method = event.value("method", "");
  if (method == "Page.loadEventFired") ++loaded_;
  for (const auto* loud : {"Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"}) {
    if (method == loud) console_.push_back(event["params"].dump());
  }
}

}  // namespace gpuharden::test
