// SPDX-License-Identifier: GPL-2.0-or-later
// Steps as JSON, for the journal.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "engine/apply/step.h"

namespace gpuharden {

nlohmann::json to_json(const Step& step);
// kMalformed, naming the member, when it is none.
Result<Step> step_from_json(const nlohmann::json& json);

// Any bytes as a JSON value: the text itself where it is UTF-8, else {"base64": …}.
nlohmann::json bytes_to_json(std::string_view bytes);

}  // namespace gpuharden
