// SPDX-License-Identifier: GPL-2.0-or-later
// Paths as relative references of RFC 3986.
#pragma once

#include <string>
#include <string_view>

namespace gpuharden {

// "/etc/a b.list" gives "etc/a%20b.list": no leading slash, every byte that a path segment may not hold
// percent-encoded, those of invalid UTF-8 too. Empty for "", "/" and what is only slashes.
std::string relative_uri(std::string_view path);

// One segment: '/' is encoded as well.
std::string uri_segment(std::string_view text);

}  // namespace gpuharden
