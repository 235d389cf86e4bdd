// SPDX-License-Identifier: GPL-2.0-or-later
// The traits of a Jupyter program: its command line over its configuration files.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "checks/services/jupyter_config.h"
#include "checks/services/service_settings.h"
#include "engine/host/files.h"

namespace gpuharden {

struct KnownTrait {
  std::string value;
  Found found;
};

class JupyterTraits {
 public:
  // Both stay with the caller and live as long as this.
  JupyterTraits(const ServiceCall& call, const Files& files);

  // A later file wins. One that is not there sets nothing; one that cannot be read, or that may set
  // anything, is a doubt.
  void read_file(const std::string& path);
  void note(Error doubt) { doubt_ = std::move(doubt); }
  // Why what find() does not know from the command line may be set all the same.
  const std::optional<Error>& doubt() const { return doubt_; }

  // "--GROUP.name" or the alias, else what the files say for any of the groups; unread where it is
  // computed, or where the groups differ.
  std::optional<KnownTrait> find(std::span<const std::string_view> groups, std::string_view name,
                                 std::string_view alias) const;
  // The value of a variable; "" where it is not set.
  std::string variable(std::string_view name) const;
  std::span<const std::string> arguments() const { return arguments_; }

 private:
  void add(const JupyterConfig& config, const std::string& path);

  const ServiceCall& call_;
  const Files& files_;
  std::span<const std::string> arguments_;
  std::map<std::string, KnownTrait, std::less<>> traits_;
  std::optional<Error> doubt_;
};

// A port from a trait or variable; `fallback` for "", nothing for what is no port.
std::optional<std::uint32_t> jupyter_port(std::string_view text, std::uint32_t fallback);

}  // namespace gpuharden
