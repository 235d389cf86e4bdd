// SPDX-License-Identifier: GPL-2.0-or-later
// Environment variables that change what a GPU program loads, trusts or tells.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpuharden {

// injection: names code that is loaded into the process. search: folders where code is looked for.
// cache: folders of compiled code. setting: switches and addresses. credential: a secret.
enum class VariableKind { kInjection, kSearch, kCache, kSetting, kCredential };
std::string_view to_string(VariableKind kind);

struct VariableOfInterest {
  std::string_view name;  // "NCCL_*" stands for every name that begins so
  VariableKind kind;
};

// nullptr for a variable that nobody needs to know about.
const VariableOfInterest* find_variable(std::string_view name);

// The paths in a value, split where the loaders split: LD_PRELOAD at blanks and colons, others at
// colons. Empty parts of a search list mean the current folder and are kept as "". Values that are
// no paths ("1", a gfx version) give none.
std::vector<std::string> paths_of(const VariableOfInterest& variable, std::string_view name, std::string_view value);

}  // namespace gpuharden
