// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/apply/action.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::uint32_t kAllBits = 07777;

Result<std::uint32_t> octal(const std::string& text, const char* what) {
  const auto bits = parse_unsigned(text, 8);
  if (!bits || *bits > kAllBits) return Error{ErrorCode::kMalformed, concat({what, ": not an octal mode: ", text})};
  return static_cast<std::uint32_t>(*bits);
}

// An access control list opens what the mode closes: it goes when the mode is tightened.
void drop_access_lists(FileState& file) {
  file.xattrs.erase("system.posix_acl_access");
  file.xattrs.erase("system.posix_acl_default");
}

Error nothing_to_close(const std::string& path) {
  return {ErrorCode::kUnsupported, concat({path, ": neither its mode nor its owner is the reason"})};
}

// Whoever may write to a folder may put another file in the place of this one. Folders of others than root are
// theirs to decide about.
Status close_folders(std::string path, Draft& draft, bool& has_changed) {
  constexpr std::uint32_t kOthersWrite = 0022;
  constexpr std::uint32_t kSticky = 01000;
  while (path.rfind('/') > 0) {
    path.resize(path.rfind('/'));
    GH_ASSIGN_OR_RETURN(FileState folder, draft.state(path));
    if (folder.uid != 0)
      return Error{ErrorCode::kUnsupported, concat({path, " belongs to uid ", std::to_string(folder.uid),
                                                    ": whether it may is for a person to say"})};
    const bool is_open = (folder.mode & kOthersWrite) != 0 && (folder.mode & kSticky) == 0;
    if (!is_open) continue;
    folder.mode &= ~kOthersWrite;
    has_changed = true;
    GH_RETURN_IF_ERROR(draft.put(path, std::move(folder)));
  }
  return {};
}

Status plan(const FixRequest& request, Draft& draft) {
  const auto argument = [&](const char* name) { return request.argument(name); };
  GH_ASSIGN_OR_RETURN(FileState file, draft.state(argument("path")));
  const FileState before = file;
  if (!file.exists) return Error{ErrorCode::kNotFound, concat({argument("path"), ": is gone"})};
  if (!argument("mode").empty()) {
    GH_ASSIGN_OR_RETURN(file.mode, octal(argument("mode"), "mode"));
  }
  if (!argument("clear").empty()) {
    GH_ASSIGN_OR_RETURN(const std::uint32_t bits, octal(argument("clear"), "clear"));
    file.mode &= ~bits;
  }
  if (argument("owner") == "root") file.uid = file.gid = 0;
  if (argument("access_lists") == "drop") drop_access_lists(file);
  bool has_changed = !is_same(before, file);
  GH_RETURN_IF_ERROR(draft.put(argument("path"), std::move(file)));
  if (!argument("folders").empty()) GH_RETURN_IF_ERROR(close_folders(argument("path"), draft, has_changed));
  return has_changed ? Status() : Status(nothing_to_close(argument("path")));
}

}  // namespace

Action file_mode_action() {
  return {"file_mode",
          "Tightens the mode of a file or folder, and gives it to root",
          {{"path", "the file or folder"},
           {"mode", "its new mode, octal", false},
           {"clear", "bits that are taken away, octal", false},
           {"owner", "root: it and its group become root's", false},
           {"folders", "yes: folders of root's above it are closed to others' writing as well", false},
           {"access_lists", "drop: its access control lists go", false}},
          &plan};
}

}  // namespace gpuharden
