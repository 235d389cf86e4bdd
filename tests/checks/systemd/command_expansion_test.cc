// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/systemd/command_expansion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checks/systemd/unit_environments.h"
#include "tests/support/capture.h"

namespace gpuharden::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

UnitEnvironment three_variables() {
  UnitEnvironment out;
  out.variables = {{UnitVariableKind::kSet, "ARGS", "--host '0.0.0.0' -v", "/f", 1, true},
                   {UnitVariableKind::kSet, "KEY", "a b", "/f", 2, true},
                   {UnitVariableKind::kPass, "OUT", "", "/f", 3, true}};
  return out;
}

std::vector<std::string> expanded(std::string_view command) {
  return expand_command(parse_unit_command(command), three_variables()).words;
}

TEST(ExpandCommand, SplitsAWordAndKeepsBraces) {
  EXPECT_THAT(expanded("/bin/x $ARGS ${KEY} --k=${KEY}"),
              ElementsAre("/bin/x", "--host", "0.0.0.0", "-v", "a b", "--k=a b"));
  EXPECT_THAT(expanded("/bin/x $NONE a$KEY $$KEY ${NONE} ${"), ElementsAre("/bin/x", "a$KEY", "$KEY", "", "${"));
  EXPECT_THAT(expanded(":/bin/x $ARGS"), ElementsAre("/bin/x", "$ARGS"));
  EXPECT_THAT(expanded("/bin/$KEY"), ElementsAre("/bin/$KEY"));
  EXPECT_THAT(expanded(""), IsEmpty());
}

TEST(ExpandCommand, NamesWhatIsNotKnown) {
  EXPECT_THAT(expand_command(parse_unit_command("/bin/x ${OUT}"), three_variables()).unread, ElementsAre("OUT"));
}

// "value (file)" of a variable of a unit.
std::string effective(const Capture& capture, std::string_view name) {
  const auto host = capture.open();
  SharedFacts shared;
  const auto environment = unit_environments(*host, shared).of("a-b.service");
  const auto* variable = environment.find(name);
  return variable == nullptr ? "none" : variable->value + " (" + variable->file + ")";
}

// systemd.exec(5): "settings from these files override settings made with Environment="; of several
// files, and of several lines of Environment=, the later one wins. systemd.unit(5): drop-ins of all
// folders are read in the order of their names, and those of a type or prefix count for the unit too.
TEST(UnitEnvironment, HasTheDocumentedOrder) {
  Capture capture;
  capture
      .file("/usr/lib/systemd/system/a-b.service",
            "[Service]\nEnvironment=A=unit B=unit C=unit D=unit\nEnvironmentFile=/e/1 "
            "\nEnvironmentFile=-/e/2*\nExecStart=/x\n")
      .file("/e/1", "C=one\nD=one\n")
      .file("/e/2b", "D=two-b\n")
      .file("/e/2a", "D=two-a\n")
      .file("/usr/lib/systemd/system/a-b.service.d/50-x.conf",
            "[Service]\nEnvironment=A=vendor\nEnvironment=B=vendor C=drop\n")
      .file("/run/systemd/system/a-b.service.d/60-x.conf", "[Service]\nEnvironment=A=runtime\n")
      .file("/etc/systemd/system/a-b.service.d/40-x.conf", "[Service]\nEnvironment=A=administrator\n");
  EXPECT_EQ(effective(capture, "A"), "runtime (/run/systemd/system/a-b.service.d/60-x.conf)");
  EXPECT_EQ(effective(capture, "B"), "vendor (/usr/lib/systemd/system/a-b.service.d/50-x.conf)");
  EXPECT_EQ(effective(capture, "C"), "one (/e/1)");
  EXPECT_EQ(effective(capture, "D"), "two-b (/e/2b)");
}

TEST(UnitEnvironment, IsWeakestInTheManager) {
  Capture capture;
  capture.file("/etc/systemd/system.conf", "[Manager]\nDefaultEnvironment=A=manager B=manager\n")
      .file("/etc/systemd/system/a-b.service", "[Service]\nEnvironment=B=unit\nUnsetEnvironment=A\nExecStart=/x\n");
  EXPECT_EQ(effective(capture, "A"), "none");
  EXPECT_EQ(effective(capture, "B"), "unit (/etc/systemd/system/a-b.service)");
}

}  // namespace
}  // namespace gpuharden::test
