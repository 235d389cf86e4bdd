// SPDX-License-Identifier: GPL-2.0-or-later
// Names of systemd units: prefix, instance and type (systemd.unit(5)).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpuharden {

struct UnitName {
  std::string_view prefix;    // "getty" of getty@tty1.service
  std::string_view instance;  // "tty1"; "" for a template and for a plain unit
  std::string_view type;      // "service"
  bool has_at = false;        // a template, or an instance of one

  bool is_template() const { return has_at && instance.empty(); }
  bool is_instance() const { return has_at && !instance.empty(); }
};

// Nothing when it is no name of a unit: unknown type, a character that systemd refuses, too long.
std::optional<UnitName> parse_unit_name(std::string_view name);

// "getty@.service" of "getty@tty1.service".
std::string template_of(const UnitName& name);

// The names whose .d folders hold drop-ins of this unit, the most specific first: foo-bar@x.service,
// foo-bar@.service, foo-.service. The one for the whole type ("service") is not among them.
std::vector<std::string> drop_in_names(std::string_view unit);

// Replaces the % specifiers that are the same on every boot (%n %N %p %P %i %I %j %J %t %S %C %L %E
// %T %V %h %u %U %%, of the system manager); others stay as they are.
std::string expand_specifiers(std::string_view value, std::string_view unit);

}  // namespace gpuharden
