// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/apply/action.h"
#include "remediations/settings_file.h"

namespace gpuharden {
namespace {

// Read after the distribution's own files: systemd and procps go by the names.
constexpr std::string_view kFile = "/etc/sysctl.d/zz-gpuharden.conf";

Status plan(const FixRequest& request, Draft& draft) {
  const auto& name = request.args.at("name");
  const auto& value = request.args.at("value");
  // A one-way switch is no setting: it could not be taken back, and at boot it comes before the drivers.
  if (name == "kernel.modules_disabled")
    return Error{ErrorCode::kUnsupported,
                 "it can only be taken back by a reboot, and would come before the GPU driver"};
  GH_RETURN_IF_ERROR(draft.edit(kFile, [&](std::string_view text) {
    return set_line(text, concat({name, " ="}), concat({name, " = ", value}));
  }));
  return draft.set_sysctl(name, value);
}

}  // namespace

Action sysctl_action() {
  return {"sysctl",
          "Sets a kernel setting now and for each boot, in /etc/sysctl.d/zz-gpuharden.conf",
          {{"name", "dotted, as sysctl(8) writes it"}, {"value", "its value"}},
          &plan};
}

}  // namespace gpuharden
