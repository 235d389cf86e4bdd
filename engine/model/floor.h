// SPDX-License-Identifier: GPL-2.0-or-later
// Which versions of a component are new enough, as files of rules/floors say. Plain data.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/rule.h"

namespace gpuharden {

enum class FloorStatus : std::uint8_t {
  kMaintained,
  kSuperseded,  // fixes go into newer branches; whether this one gets any is not known
  kEnded,       // gets no more fixes
  kPreview,     // never meant for production, whatever its number
};
// "maintained", "superseded", "ended", "preview"
std::string_view to_string(FloorStatus status);

// What is known of one branch. Dates are "2026-08-18"; what is not known is empty.
struct Floor {
  std::string branch;        // first numbers of its versions: "580", "7.2"; empty: every version
  std::string distribution;  // "ubuntu 24.04"; empty: as upstream makes it
  std::string device;        // the floor holds where this device is there: "gfx1201"; empty: anywhere
  FloorStatus status = FloorStatus::kMaintained;
  std::string scheme;       // of fixed and affected_to: the file's, or dpkg for a distribution's own packages
  std::string fixed;        // the first version that is new enough
  std::string affected_to;  // no version is known to be fixed; this one and older ones are affected
  std::string eol;          // the last day on which the branch is maintained
  std::string advisory;     // "NVIDIA 5821"
  std::string published;    // when the advisory was
  std::vector<std::string> cves;
  std::vector<std::string> open_cves;  // known, and fixed by no version that is known
  std::string source;                  // URL
};

// One file: everything that is known of one component.
struct FloorFile {
  std::string component;  // the file's name: "nvidia-driver"
  std::string title;
  std::string scheme;  // of upstream's versions: dpkg, dotted, semver, pep440
  std::string as_of;   // the day on which this was what there is to know
  std::vector<Floor> floors;
  SourcePlace place;
  bool overrides_shipped = false;
};

// Without a policy that says otherwise, older files make no pass.
constexpr std::int64_t kDefaultFloorsMaxAge = 180;  // days

}  // namespace gpuharden
