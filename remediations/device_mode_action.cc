// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/apply/action.h"
#include "remediations/settings_file.h"

namespace gpuharden {
namespace {

// After the vendors' rules: the last assignment of MODE and GROUP wins.
constexpr std::string_view kRules = "/etc/udev/rules.d/zz-gpuharden.rules";

bool is_node(std::string_view path) {
  return path.starts_with("/dev/") && path.find_first_of("\"\n*?[\\ ") == std::string_view::npos &&
         path.find("/../") == std::string_view::npos;
}

Status plan(const FixRequest& request, Draft& draft) {
  const auto path = request.argument("path");
  const auto mode = parse_unsigned(request.argument("mode"), 8);
  if (!is_node(path) || !mode || *mode > 0777) return Error{ErrorCode::kMalformed, "no device node and mode"};
  GH_ASSIGN_OR_RETURN(FileState node, draft.state(path));
  if (node.exists && node.type != FileType::kCharacterDevice && node.type != FileType::kBlockDevice)
    return Error{ErrorCode::kNotRegular, concat({path, ": is no device node"})};
  // NVIDIA's own tools make these nodes anew, with the mode that the driver was told.
  if (path.starts_with("/dev/nvidia") && !path.starts_with("/dev/nvidia-uvm"))
    draft.pending("NVreg_DeviceFileMode as well (rule nvidia.device-file-mode): nvidia-modprobe makes the node anew");
  const std::string name = path.substr(5);
  const std::string start = concat({"KERNEL==\"", name, "\", "});
  GH_RETURN_IF_ERROR(draft.edit(kRules, [&](std::string_view text) {
    return set_line(text, start, concat({start, "MODE=\"", format_mode(static_cast<unsigned>(*mode)), "\""}));
  }));
  if (!node.exists) return {};
  node.mode = static_cast<std::uint32_t>(*mode);
  return draft.put(path, std::move(node));
}

}  // namespace

Action device_mode_action() {
  return {"device_mode",
          "Sets the mode of a device node now, and by a udev rule for each time that it is made",
          {{"path", "the node"}, {"mode", "its mode, octal"}},
          &plan};
}

}  // namespace gpuharden
