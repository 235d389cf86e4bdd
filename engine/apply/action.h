// SPDX-License-Identifier: GPL-2.0-or-later
// What a fix of a rule calls: an action turns one failing row into changes of a draft. Nothing is changed yet.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/host/file_state.h"
#include "engine/host/host.h"
#include "engine/scan/probe.h"

namespace gpuharden {

// What a change may cost, in rising order. The last two are accepted for one run at a time only.
enum class Risk : std::uint8_t {
  kNone,
  kRestart,  // a service is restarted: its jobs end
  kReboot,   // takes effect at the next boot only
  kGpuLoss,  // the GPU may be gone for someone
  kLockout,  // someone may no longer get in
};
std::string_view to_string(Risk risk);
std::optional<Risk> parse_risk(std::string_view word);

// One failing row of a rule with a fix.
struct FixRequest {
  std::string rule;
  std::string subject;
  std::map<std::string, std::string> args;  // with the row's columns filled in; what has no value is not there

  // Empty where it is not given.
  std::string argument(const std::string& name) const;
};

// Changes in the making. Every call sees what earlier ones did: all rows of one file become one edit against one
// captured image. A request whose action fails leaves nothing in the draft.
class Draft {
 public:
  virtual ~Draft() = default;

  virtual const Host& host() const = 0;
  // What was read of the host for earlier requests.
  virtual SharedFacts& shared() = 0;

  // A file as it will be; no_file() where there is none. Links at the end are followed.
  virtual Result<FileState> state(std::string_view path) = 0;
  // What it shall be instead; folders on its way that are missing are made. kUnsupported where it must not be
  // changed. `is_shared`: others edit it as well, and are not overwritten when it is taken back.
  virtual Status put(std::string_view path, FileState wanted, bool is_shared = false) = 0;
  // Its text, changed; owner, mode and attributes stay, a new file is root's with mode 0644.
  using Edit = std::function<Result<std::string>(std::string_view text)>;
  Status edit(std::string_view path, const Edit& edit, bool is_shared = false);

  // Adds an item to a named list that requests of one plan share; all of it, each once, in the order of adding.
  virtual std::vector<std::string> gather(const std::string& list, const std::string& item) = 0;

  virtual Status remove_member(const std::string& group, const std::string& user) = 0;
  // Of the running kernel; nothing where the host has none.
  virtual Status set_sysctl(const std::string& name, const std::string& value) = 0;
  virtual Status load_audit_rules(const std::vector<std::string>& rules) = 0;
  // In any layout; an error when the kernel lacks what it asks for.
  virtual Status load_table(const std::string& text) = 0;
  // Services are told once, after everything else. restart_unit() reloads as well, and does nothing where the unit
  // does not run.
  virtual void reload_units() = 0;
  // One of our own, whose file is put by the same request; taking it back stops it.
  virtual void start_unit(const std::string& unit) = 0;
  virtual Status restart_unit(const std::string& unit) = 0;

  // The risk of this request is at least this, and why: who is affected.
  virtual void risk(Risk risk, const std::string& why) = 0;
  // What is left to do or to wait for until the change is in force: "reboot", "run update-initramfs -u".
  virtual void pending(const std::string& what) = 0;
};

struct ActionArgument {
  std::string_view name;
  std::string_view doc;
  bool is_required = true;
};

struct Action {
  std::string_view name;
  std::string_view doc;
  std::vector<ActionArgument> arguments;
  Status (*plan)(const FixRequest& request, Draft& draft) = nullptr;
};

// Every action of remediations/, sorted by name; made by the build.
const std::vector<Action>& all_actions();
const Action* find_action(std::string_view name);

}  // namespace gpuharden
