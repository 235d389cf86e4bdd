// SPDX-License-Identifier: GPL-2.0-or-later
// What the service manager is asked and told. By sd-bus, which is loaded when it is needed: over systemd's own
// socket, which root may use without a bus, else over the system bus.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/result.h"

namespace gpuharden {

struct BusUnit {
  bool is_loaded = false;      // the manager has read its files
  bool is_active = false;      // active, activating or reloading
  bool needs_reload = false;   // the files are newer than what the manager has read
  bool refuses_start = false;  // RefuseManualStart=
  bool refuses_stop = false;   // RefuseManualStop=
};

// Errors: kUnsupported where systemd does not run or the library is not installed, kNotFound for a unit that is not
// there, kPermission, kTimeout, kLibrary with the manager's own words. Every call has a deadline.
class SystemdBus {
 public:
  // Of this machine.
  static Result<std::unique_ptr<SystemdBus>> open();
  // At an address of D-Bus ("unix:path=…"), where the manager itself listens or a bus that it is on.
  enum class Peer { kManager, kBus };
  static Result<std::unique_ptr<SystemdBus>> open_at(const std::string& address, std::chrono::milliseconds patience,
                                                     Peer peer);
  SystemdBus(const SystemdBus&) = delete;
  SystemdBus& operator=(const SystemdBus&) = delete;
  ~SystemdBus();

  // A unit that does not exist is not loaded.
  Result<BusUnit> unit(const std::string& name);
  // Returns when all units are read anew.
  Status reload();
  // Returns when the job has ended; a job that failed is an error with its result. What is not running is started.
  Status restart(const std::string& name);
  // A timer that runs a program once, as root and without a shell, some seconds from now, by the monotonic clock;
  // it goes with the boot. `name` is that of its two units, without suffix; an earlier one of that name must
  // be stopped first.
  Status start_timer(const std::string& name, std::chrono::seconds after, const std::string& program,
                     const std::vector<std::string>& arguments);
  // Success also where it does not run.
  Status stop(const std::string& name);

 private:
  struct Connection;
  explicit SystemdBus(std::unique_ptr<Connection> connection);
  std::unique_ptr<Connection> connection_;
};

}  // namespace gpuharden
