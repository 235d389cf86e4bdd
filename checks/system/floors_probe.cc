// SPDX-License-Identifier: GPL-2.0-or-later
// The table of rules/floors. Its rows come with the rules (engine/scan/floor_source.h), never from the
// audited machine; this is what is left where no rules are loaded.
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"component", ColumnType::kText, "the component that is asked for: a file of rules/floors without its ending",
     ColumnFlag::kArgument | ColumnFlag::kNotNull},
    {"branch", ColumnType::kText,
     "first numbers of the versions that the row is about, see in_branch(); empty: every version. No row for a "
     "version: "
     "nothing is known of its branch",
     ColumnFlag::kNotNull},
    {"distribution", ColumnType::kText, "ubuntu 24.04, for versions as that distribution packs them; empty: upstream's",
     ColumnFlag::kNotNull},
    {"device", ColumnType::kText, "the floor holds where this device is there: gfx1201; empty: anywhere",
     ColumnFlag::kNotNull},
    {"status", ColumnType::kText, "maintained, superseded, ended or preview", ColumnFlag::kNotNull},
    {"ended", ColumnType::kBoolean, "whether the branch gets no more fixes: by its status, or because eol has passed",
     ColumnFlag::kNotNull},
    {"scheme", ColumnType::kText, "for version_lt(): dpkg, dotted, semver or pep440", ColumnFlag::kNotNull},
    {"fixed", ColumnType::kVersion, "first version that is new enough; NULL when there is none or none is needed"},
    {"affected_to", ColumnType::kVersion,
     "without a fixed version: this version and older ones are known to be affected"},
    {"advisory", ColumnType::kText, "who says so: NVIDIA 5821", ColumnFlag::kNotNull},
    {"published", ColumnType::kText, "day of the advisory"},
    {"cves", ColumnType::kText, "what the fixed version fixes, separated by blanks; empty when not listed",
     ColumnFlag::kNotNull},
    {"open_cves", ColumnType::kText, "known, and fixed in no version that is known; separated by blanks",
     ColumnFlag::kNotNull},
    {"eol", ColumnType::kText, "last day on which the branch is maintained; NULL when not known"},
    {"source", ColumnType::kText, "URL of the advisory", ColumnFlag::kNotNull},
    {"as_of", ColumnType::kText, "day on which this was what there is to know", ColumnFlag::kNotNull},
    {"age_days", ColumnType::kInteger, "days from then to the machine's today; NULL when its clock is not known"},
};

void read_floors(TableReader& out) {
  out.gap({ErrorCode::kUnsupported, "the floors come with the rules, and no rules are loaded"});
}

}  // namespace

Probe floors_probe() {
  return {
      {"floors",
       "Which versions of a component are new enough: floors('nvidia-driver'). From the files of rules/floors. Files "
       "that are older than the profile allows are a gap.",
       kColumns},
      &read_floors};
}

}  // namespace gpuharden
