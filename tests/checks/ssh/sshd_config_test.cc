// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checks/ssh/sshd_settings.h"
#include "tests/support/capture.h"
#include "tests/support/table.h"

namespace gpuharden::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

// "value file:line match effective" of each row of an option.
std::vector<std::string> rows_of(const TableText& table, std::string_view option) {
  std::vector<std::string> out;
  for (const auto& row : table.rows) {
    if (row.at("option") != option) continue;
    out.push_back(row.at("value") + " " + row.at("file") + ":" + row.at("line") + " " + row.at("match") + " " +
                  row.at("effective"));
  }
  return out;
}

TEST(SshdConfig, TheFirstValueCountsAlsoInAnIncludedFile) {
  Capture capture;
  capture.file("/etc/ssh/sshd_config", "Include sshd_config.d/*.conf\nPasswordAuthentication no\n")
      .file("/etc/ssh/sshd_config.d/50-cloud-init.conf", "PasswordAuthentication yes\n")
      .file("/etc/ssh/sshd_config.d/60-x.conf.bak", "PermitRootLogin yes\n");
  const auto table = read_table(*capture.open(), "sshd_config");
  EXPECT_THAT(
      rows_of(table, "passwordauthentication"),
      ElementsAre("yes /etc/ssh/sshd_config.d/50-cloud-init.conf:1 NULL 1", "no /etc/ssh/sshd_config:2 NULL 0"));
  EXPECT_THAT(rows_of(table, "permitrootlogin"), ElementsAre("prohibit-password NULL:NULL NULL 1"));
  EXPECT_THAT(table.gap_words(), IsEmpty());
}

TEST(SshdConfig, AMatchBlockEndsWithItsFile) {
  Capture capture;
  capture.file("/etc/ssh/sshd_config", "Include /etc/ssh/a.conf\nPermitRootLogin no\n")
      .file("/etc/ssh/a.conf",
            "Match User bob\nX11Forwarding yes\nMatch Address 10.0.0.0/8 User al\nPermitRootLogin yes\n");
  const auto table = read_table(*capture.open(), "sshd_config");
  EXPECT_THAT(rows_of(table, "permitrootlogin"),
              ElementsAre("yes /etc/ssh/a.conf:4 Address 10.0.0.0/8 User al 1", "no /etc/ssh/sshd_config:2 NULL 1"));
  EXPECT_EQ(table.where("value", "yes").at("match_line"), "1");
}

TEST(SshdConfig, AnIncludeInsideABlockIsNarrowedByIt) {
  Capture capture;
  capture.file("/etc/ssh/sshd_config", "Match Group ml\nInclude b.conf\nPermitTTY no\n")
      .file("/etc/ssh/b.conf", "GatewayPorts yes\nMatch User bob\nPermitRootLogin yes\n");
  const auto table = read_table(*capture.open(), "sshd_config");
  EXPECT_THAT(rows_of(table, "gatewayports"), Contains("yes /etc/ssh/b.conf:1 Group ml 1"));
  EXPECT_THAT(rows_of(table, "permitrootlogin"), Contains("yes /etc/ssh/b.conf:3 Group ml + User bob 1"));
  EXPECT_THAT(rows_of(table, "permittty"), ElementsAre("no /etc/ssh/sshd_config:3 Group ml 1"));
}

TEST(SshdConfig, ABlockForAllWinsOverWhatStandsOutside) {
  Capture capture;
  capture.file("/etc/ssh/sshd_config",
               "PermitRootLogin no\nMatch all\nPermitRootLogin yes\nMatch User bob\nPermitRootLogin no\n");
  EXPECT_THAT(rows_of(read_table(*capture.open(), "sshd_config"), "permitrootlogin"),
              ElementsAre("no /etc/ssh/sshd_config:1 NULL 0", "yes /etc/ssh/sshd_config:3 all 1",
                          "no /etc/ssh/sshd_config:5 User bob 0"));
}

TEST(SshdConfig, OptionsOfTheCommandComeFirst) {
  Capture capture;
  capture.file("/etc/ssh/other", "PermitRootLogin no\n")
      .file("/etc/default/ssh", "SSHD_OPTS=\"-oPermitRootLogin=yes -p 2222\"\n")
      .file("/usr/lib/systemd/system/ssh.service",
            "[Service]\nEnvironmentFile=-/etc/default/ssh\nExecStart=/usr/sbin/sshd -D -h /etc/ssh/foo -f "
            "/etc/ssh/other $SSHD_OPTS\n");
  const auto table = read_table(*capture.open(), "sshd_config");
  EXPECT_THAT(rows_of(table, "permitrootlogin"),
              ElementsAre("yes /usr/lib/systemd/system/ssh.service:3 NULL 1", "no /etc/ssh/other:1 NULL 0"));
  EXPECT_EQ(table.where("option", "port").at("value"), "2222");
  EXPECT_EQ(table.where("option", "port").at("config"), "/etc/ssh/other");
}

// C53: the port of ssh.socket.
TEST(SshdConfig, TellsWhatTheSocketListensOn) {
  Capture capture;
  capture.file("/etc/ssh/sshd_config", "Include /etc/ssh/sshd_config.d/*.conf\n#Port 22\nPermitRootLogin no\n")
      .file("/usr/lib/systemd/system/ssh.socket",
            "[Socket]\nListenStream=22\nAccept=no\n[Install]\nWantedBy=sockets.target\n")
      .file("/etc/systemd/system/ssh.socket.d/override.conf", "[Socket]\nListenStream=\nListenStream=10.20.0.5:2222\n")
      .link("/etc/systemd/system/sockets.target.wants/ssh.socket", "/usr/lib/systemd/system/ssh.socket");
  EXPECT_THAT(rows_of(read_table(*capture.open(), "sshd_config"), "listenstream"),
              ElementsAre("10.20.0.5:2222 /etc/systemd/system/ssh.socket.d/override.conf:3 NULL 1"));
}

TEST(SshdConfig, IsAGapWhenAFileCannotBeRead) {
  Capture capture;
  capture.file("/etc/ssh/sshd_config", "Include /etc/ssh/sshd_config.d/*.conf\nBanner \"x\n")
      .file("/etc/ssh/sshd_config.d/a.conf", "PermitRootLogin yes\n")
      .yaml("paths: {/etc/ssh/sshd_config.d/a.conf: {error: permission}}");
  EXPECT_THAT(read_table(*capture.open(), "sshd_config").gap_words(), ElementsAre("* * malformed", "* * permission"));
}

TEST(SshdConfig, EndsWhenFilesIncludeEachOther) {
  Capture capture;
  capture.file("/etc/ssh/sshd_config", "Include /etc/ssh/sshd_config /etc/ssh/sshd_config\n");
  EXPECT_THAT(read_table(*capture.open(), "sshd_config").gap_words(), Contains("* * too-large"));
}

TEST(SshdConfig, HasNoRowWithoutADaemon) {
  Capture capture;
  const auto table = read_table(*capture.file("/etc/ssh/ssh_config", "Host *\n").open(), "sshd_config");
  EXPECT_THAT(table.rows, IsEmpty());
  EXPECT_THAT(table.gaps, IsEmpty());
}

}  // namespace
}  // namespace gpuharden::test
