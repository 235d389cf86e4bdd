// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/services/jupyter_config.h"

#include <gtest/gtest.h>

namespace gpuharden {
namespace {

// "value", "UNREAD" or "NONE".
std::string trait(std::string_view text, std::string_view name) {
  const auto config = parse_jupyter_python(text);
  const auto found = config.traits.find(name);
  if (found == config.traits.end()) return config.is_opaque ? "OPAQUE" : "NONE";
  return found->second.is_unread ? "UNREAD" : found->second.value;
}

TEST(ParseJupyterPython, BelievesLiterals) {
  const auto text =
      "c = get_config()  # noqa\nc.ServerApp.ip = '0.0.0.0'  # all\nc.ServerApp.token = u\"\"\nc.ServerApp.port = 99\n";
  EXPECT_EQ(trait(text, "ServerApp.ip"), "0.0.0.0");
  EXPECT_EQ(trait(text, "ServerApp.token"), "");
  EXPECT_EQ(trait(text, "ServerApp.port"), "99");
  EXPECT_EQ(parse_jupyter_python(text).traits.find("ServerApp.token")->second.line, 3U);
  EXPECT_FALSE(parse_jupyter_python(text).is_opaque);
}

TEST(ParseJupyterPython, LeavesWhatIsComputedUnread) {
  EXPECT_EQ(trait("c.ServerApp.ip = os.environ['IP']\n", "ServerApp.ip"), "UNREAD");
  EXPECT_EQ(trait("c.ServerApp.ip = 'a' + 'b'\n", "ServerApp.ip"), "UNREAD");
  EXPECT_EQ(trait("if x:\n    c.ServerApp.ip = 'a'\n", "ServerApp.ip"), "UNREAD");
  EXPECT_EQ(trait("if x: c.ServerApp.ip = 'a'\n", "ServerApp.ip"), "UNREAD");
  EXPECT_EQ(trait("c.ServerApp.ip = f'{x}'\n", "ServerApp.ip"), "UNREAD");
  EXPECT_EQ(trait("c.ServerApp.ip = 'a'; c.ServerApp.token = ''\n", "ServerApp.token"), "UNREAD");
}

TEST(ParseJupyterPython, ReadsNothingOutOfCommentsAndStrings) {
  EXPECT_EQ(trait("# c.ServerApp.ip = '*'\n'''\nc.ServerApp.ip = '*'\n'''\n", "ServerApp.ip"), "NONE");
  EXPECT_EQ(trait("x = \"c.ServerApp.ip = '*' #\"\nc.ServerApp.ip = '::1'\n", "ServerApp.ip"), "::1");
}

TEST(ParseJupyterPython, KnowsWhatReachesEverything) {
  for (const auto* line :
       {"load_subconfig('x.py')\n", "exec(open('x').read())\n", "d = c\n", "c.ServerApp.update({})\n",
        "cfg = get_config()\n", "c['ServerApp'] = {}\n", "setattr(c.ServerApp, 'ip', '')\n", "x = '''\n"}) {
    EXPECT_EQ(trait(line, "ServerApp.ip"), "OPAQUE") << line;
  }
  EXPECT_EQ(trait("import os\nfrom pathlib import Path\nmusic = abc.c.d\n", "ServerApp.ip"), "NONE");
}

TEST(ParseJupyterJson, TakesTextsNumbersAndBooleans) {
  const auto config =
      parse_jupyter_json(R"({"ServerApp": {"ip": "*", "port": 9, "allow_root": true, "x": []}, "a": 1})");
  ASSERT_TRUE(config);
  EXPECT_EQ(config->traits.find("ServerApp.ip")->second.value, "*");
  EXPECT_EQ(config->traits.find("ServerApp.allow_root")->second.value, "True");
  EXPECT_TRUE(config->traits.find("ServerApp.x")->second.is_unread);
  EXPECT_FALSE(parse_jupyter_json("{"));
}

}  // namespace
}  // namespace gpuharden
