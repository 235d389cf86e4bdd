// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/capture.h"
#include "tests/support/table.h"

namespace gpuharden::test {
namespace {

using testing::ElementsAre;

constexpr auto kVendor = "/usr/lib/systemd/system/";
constexpr auto kEtc = "/etc/systemd/system/";

std::string vendor(const char* name) { return std::string(kVendor) + name; }
std::string etc(const char* name) { return std::string(kEtc) + name; }

TEST(SystemdUnits, MergesDropInsWithListReset) {
  Capture capture;
  capture
      .file(vendor("nvidia-dcgm.service"),
            "[Service]\nUser=root\nExecStart=/usr/bin/nv-hostengine -n\n[Install]\nWantedBy=multi-user.target\n")
      .file(etc("nvidia-dcgm.service.d/10-remote.conf"),
            "[Service]\nExecStart=\nExecStart=/usr/bin/nv-hostengine -n -b ALL \\\n    -p 5555\n");
  const auto row = read_table(*capture.open(), "systemd_units").where("unit", "nvidia-dcgm.service");
  EXPECT_EQ(row.at("exec_start"), R"(["/usr/bin/nv-hostengine -n -b ALL  -p 5555"])");
  EXPECT_EQ(row.at("dropins"), R"(["/etc/systemd/system/nvidia-dcgm.service.d/10-remote.conf"])");
  EXPECT_EQ(row.at("state"), "disabled");
  EXPECT_EQ(row.at("uses_gpu"), "1");
}

TEST(SystemdUnits, StrongerFoldersShadowFragmentsAndDropInsByName) {
  Capture capture;
  capture.file(vendor("a.service"), "[Service]\nUser=vendor\n")
      .file("/run/systemd/system/a.service", "[Service]\nUser=run\n")
      .file(etc("a.service"), "[Service]\nUser=etc\n")
      .file(vendor("a.service.d/50-x.conf"), "[Service]\nGroup=vendor\n")
      .file(etc("a.service.d/50-x.conf"), "[Service]\nGroup=etc\n")
      .file("/run/systemd/system/a.service.d/60-y.conf", "[Service]\nProtectSystem=full\n");
  const auto row = read_table(*capture.open(), "systemd_units").where("unit", "a.service");
  EXPECT_EQ(row.at("user"), "etc");
  EXPECT_EQ(row.at("group"), "etc");
  EXPECT_EQ(row.at("dropins"),
            R"(["/etc/systemd/system/a.service.d/50-x.conf","/run/systemd/system/a.service.d/60-y.conf"])");
}

TEST(SystemdUnits, DropInsOfPrefixTemplateAndTypeApply) {
  Capture capture;
  capture
      .file(vendor("gpu-serve@.service"), "[Service]\nExecStart=/opt/serve %i\n[Install]\nWantedBy=multi-user.target\n")
      .link(etc("multi-user.target.wants/gpu-serve@llama.service"), "/usr/lib/systemd/system/gpu-serve@.service")
      .file(etc("gpu-.service.d/10-a.conf"), "[Service]\nUser=prefix\n")
      .file(etc("gpu-serve@.service.d/20-b.conf"), "[Service]\nGroup=template\n")
      .file(etc("service.d/30-c.conf"), "[Service]\nPrivateDevices=yes\n");
  const auto table = read_table(*capture.open(), "systemd_units");
  const auto row = table.where("unit", "gpu-serve@llama.service");
  EXPECT_EQ(row.at("exec_start"), R"(["/opt/serve llama"])");
  EXPECT_EQ(row.at("user") + row.at("group") + row.at("private_devices"), "prefixtemplate1");
  EXPECT_EQ(row.at("state"), "enabled");
  EXPECT_TRUE(table.has("unit", "gpu-serve@.service"));
}

// C63: a link in .wants does not enable what is masked; a socket starts a disabled service.
TEST(SystemdUnits, MasksAndActivatingSocketsAreSeen) {
  Capture capture;
  capture.file(vendor("kdump.service"), "[Service]\nExecStart=/bin/true\n")
      .link(etc("kdump.service"), "/dev/null")
      .link(etc("multi-user.target.wants/kdump.service"), "/usr/lib/systemd/system/kdump.service")
      .file(vendor("rpcbind.service"), "[Service]\nExecStart=/sbin/rpcbind\n[Install]\nWantedBy=multi-user.target\n")
      .file(vendor("rpcbind.socket"),
            "[Socket]\nListenStream=0.0.0.0:111\nListenStream=\nListenStream=[::]:111\n[Install]\nWantedBy=sockets."
            "target\n")
      .link(etc("sockets.target.wants/rpcbind.socket"), "/usr/lib/systemd/system/rpcbind.socket");
  const auto table = read_table(*capture.open(), "systemd_units");
  EXPECT_EQ(table.where("unit", "kdump.service").at("state"), "masked");
  EXPECT_EQ(table.where("unit", "kdump.service").at("startable"), "0");
  EXPECT_EQ(table.where("unit", "rpcbind.service").at("state"), "disabled");
  EXPECT_EQ(table.where("unit", "rpcbind.service").at("startable"), "1");
  EXPECT_EQ(table.where("unit", "rpcbind.service").at("enabled_by"), "rpcbind.socket");
  EXPECT_EQ(table.where("unit", "rpcbind.socket").at("listen"), R"(["[::]:111"])");
}

// C63: the mask of a unit reaches its aliases; the mask of an alias does not reach the unit.
TEST(SystemdUnits, AliasesAreResolvedByNameBeforeMasksCount) {
  Capture capture;
  capture.link(etc("a.service"), "/dev/null")
      .link(etc("b.service"), "/usr/lib/systemd/system/a.service")
      .file(vendor("a.service"), "[Service]\nExecStart=/bin/a\n")
      .file(vendor("real.service"), "[Service]\nExecStart=/bin/real\n[Install]\nWantedBy=multi-user.target\n")
      .link(vendor("name.service"), "real.service")
      .link(etc("name.service"), "/dev/null")
      .link(etc("multi-user.target.wants/real.service"), "/usr/lib/systemd/system/real.service")
      .file(etc("empty.service"), "");
  const auto table = read_table(*capture.open(), "systemd_units");
  EXPECT_EQ(table.where("unit", "b.service").at("state"), "masked");
  EXPECT_EQ(table.where("unit", "name.service").at("state"), "masked");
  EXPECT_EQ(table.where("unit", "name.service").at("aliases"), R"(["real.service"])");
  EXPECT_EQ(table.where("unit", "real.service").at("startable"), "1");
  EXPECT_EQ(table.where("unit", "empty.service").at("state"), "masked");
}

// C191: an absolute link through a merged /usr stays inside the root.
TEST(SystemdUnits, FollowsAliasesThroughAMergedUsr) {
  Capture capture;
  capture.link("/lib", "usr/lib")
      .file(vendor("ssh.service"), "[Service]\nExecStart=/usr/sbin/sshd -D\n")
      .link(etc("sshd.service"), "/lib/systemd/system/ssh.service");
  for (const auto& host : {capture.open(), capture.open_image()}) {
    const auto table = read_table(*host, "systemd_units");
    EXPECT_EQ(table.rows.size(), 2U);
    EXPECT_EQ(table.where("unit", "sshd.service").at("alias_of"), "ssh.service");
    EXPECT_EQ(table.where("unit", "sshd.service").at("exec_start"), R"(["/usr/sbin/sshd -D"])");
    EXPECT_EQ(table.where("unit", "ssh.service").at("aliases"), R"(["sshd.service"])");
  }
}

TEST(SystemdUnits, KnowsTheOtherWordsOfIsEnabled) {
  Capture capture;
  capture.file(vendor("static.service"), "[Service]\nExecStart=/bin/a\n")
      .file(vendor("indirect.service"), "[Service]\nExecStart=/bin/a\n[Install]\nAlso=static.service\n")
      .file("/run/systemd/generator/g.service", "[Service]\nExecStart=/bin/a\n")
      .file("/opt/app/l.service", "[Service]\nExecStart=/bin/a\n")
      .link(etc("l.service"), "/opt/app/l.service")
      .link(etc("gone.service"), "/opt/app/gone.service")
      .link(etc("loop.service"), "/etc/systemd/system/loop2.service")
      .link(etc("loop2.service"), "/etc/systemd/system/loop.service");
  const auto table = read_table(*capture.open(), "systemd_units");
  const auto state = [&](const char* unit) { return table.where("unit", unit).at("state"); };
  EXPECT_EQ(state("static.service"), "static");
  EXPECT_EQ(state("indirect.service"), "indirect");
  EXPECT_EQ(state("g.service"), "generated");
  EXPECT_EQ(state("l.service"), "linked");
  EXPECT_EQ(state("gone.service"), "missing");
  EXPECT_EQ(state("loop.service"), "missing");
}

TEST(SystemdUnits, TheBusStartsWhatItNames) {
  Capture capture;
  capture.file(vendor("colord.service"), "[Service]\nExecStart=/usr/libexec/colord\n")
      .file("/usr/share/dbus-1/system-services/org.freedesktop.ColorManager.service",
            "[D-BUS Service]\nName=org.freedesktop.ColorManager\nSystemdService=colord.service\n");
  EXPECT_EQ(read_table(*capture.open(), "systemd_units").where("unit", "colord.service").at("startable"), "1");
}

TEST(SystemdUnits, AnUnreadableDropInIsAGapOfItsUnit) {
  Capture capture;
  capture.file(vendor("a.service"), "[Service]\nUser=x\n")
      .file(etc("a.service.d/1.conf"), "[Service]\nUser=y\n")
      .file(vendor("b.service"), "[Service]\nUser=x\n")
      .yaml("paths: {/etc/systemd/system/a.service.d/1.conf: {error: permission}}");
  EXPECT_THAT(read_table(*capture.open(), "systemd_units").gap_words(), ElementsAre("a.service * permission"));
}

TEST(SystemdUnits, AnUnreadableFolderIsAGapOfAll) {
  Capture capture;
  capture.file(etc("a.service"), "[Service]\nUser=x\n").yaml("paths: {/etc/systemd/system: {error: permission}}");
  EXPECT_FALSE(read_table(*capture.open(), "systemd_units").gaps.empty());
}

TEST(SystemdUnits, AFifoWhereAUnitIsExpectedIsAGap) {
  Capture capture;
  capture.folder("/etc/systemd/system").yaml("paths: {/etc/systemd/system/a.service: {type: fifo}}");
  EXPECT_THAT(read_table(*capture.open(), "systemd_units").gap_words(), ElementsAre("a.service * not-regular"));
}

TEST(SystemdUnits, SaysWhoElseCanChangeAUnit) {
  Capture capture;
  capture.file(vendor("a.service"), "[Service]\nUser=x\n")
      .folder(etc("a.service.d"))
      .file(vendor("b.service"), "[Service]\nUser=x\n")
      .file(vendor("c.service"), "[Service]\nUser=x\n")
      .yaml(
          "paths:\n  /etc/systemd/system/a.service.d: {mode: \"0777\"}\n  /usr/lib/systemd/system/b.service: {uid: "
          "1000}\n");
  const auto table = read_table(*capture.open(), "systemd_units");
  EXPECT_THAT(table.where("unit", "a.service").at("changeable_by"), testing::HasSubstr("world-writable"));
  EXPECT_THAT(table.where("unit", "b.service").at("changeable_by"), testing::HasSubstr("uid 1000"));
  EXPECT_EQ(table.where("unit", "c.service").at("changeable_by"), "NULL");
}

TEST(SystemdSettings, RedactsCredentialsAndMarksResets) {
  Capture capture;
  capture
      .file(vendor("a.service"),
            "[Service]\nEnvironment=HF_TOKEN=abcdef A=1\nDeviceAllow=/dev/kfd\nExecStart=/bin/x --api-key s3cret "
            "-v\nUser=one\n")
      .file(etc("a.service.d/1.conf"), "[Service]\nDeviceAllow=\nDeviceAllow=char-drm rw\nUser=two\n");
  const auto table = read_table(*capture.open(), "systemd_settings");
  EXPECT_EQ(table.where("name", "Environment").at("value"), "\"HF_TOKEN=<redacted 6 bytes>\" A=1");
  EXPECT_EQ(table.where("name", "ExecStart").at("value"), "/bin/x --api-key \"<redacted 6 bytes>\" -v");
  EXPECT_EQ(table.where("name", "DeviceAllow").at("value"), "char-drm rw");
  EXPECT_EQ(table.where("name", "DeviceAllow").at("after_reset"), "1");
  EXPECT_EQ(table.where("name", "User").at("value"), "two");
  EXPECT_EQ(table.rows.size(), 4U);
}

TEST(SystemdCommands, JudgesProgramsScriptsAndLinksOnTheWay) {
  Capture capture;
  capture.file("/etc/passwd", "root:x:0:0::/root:/bin/bash\nbob:x:1000:1000::/home/bob:/bin/bash\n")
      .file("/usr/bin/python3", "")
      .folder("/home/bob/venv/bin")
      .link("/home/bob/venv/bin/python", "/usr/bin/python3")
      .file("/srv/app.py", "")
      .file(etc("a.service"), "[Service]\nExecStart=/home/bob/venv/bin/python /srv/app.py\n")
      .file(etc("b.service"), "[Service]\nUser=bob\nExecStart=/home/bob/venv/bin/python -m x\n")
      .file(etc("c.service"), "[Service]\nExecStart=-/opt/gone/x\n")
      .yaml(
          "paths:\n  /home/bob: {uid: 1000}\n  /home/bob/venv: {uid: 1000}\n  /home/bob/venv/bin: {uid: 1000}\n  "
          "/srv/app.py: {mode: \"0666\"}\n");
  const auto table = read_table(*capture.open(), "systemd_commands");
  EXPECT_THAT(table.where("unit", "a.service").at("changeable_by"),
              testing::HasSubstr("/home/bob belongs to uid 1000"));
  EXPECT_THAT(table.where("unit", "a.service").at("script_changeable_by"), testing::HasSubstr("world-writable"));
  EXPECT_EQ(table.where("unit", "b.service").at("changeable_by"), "NULL");
  EXPECT_EQ(table.where("unit", "b.service").at("script"), "NULL");
  EXPECT_EQ(table.where("unit", "c.service").at("present"), "0");
  EXPECT_EQ(table.where("unit", "c.service").at("changeable_by"), "NULL");
}

// C74: an optional file may be missing; a line that is no KEY=VALUE is counted.
TEST(SystemdEnvironmentFiles, CountsMatchesAndBadLines) {
  Capture capture;
  capture.file("/etc/default/gpu-a.env", "ulimit -n 2048\nexport OLLAMA_HOST=0.0.0.0\n; note\n")
      .file("/etc/default/gpu-b.env", "OLLAMA_KEEP_ALIVE=5m # minutes\n")
      .file(etc("ollama.service"),
            "[Service]\nEnvironmentFile=-/etc/default/gpu*.env\nEnvironmentFile=/etc/default/none\nExecStart=/usr/bin/"
            "ollama serve\n");
  const auto table = read_table(*capture.open(), "systemd_environment_files");
  const auto row = table.where("pattern", "/etc/default/gpu*.env");
  EXPECT_EQ(row.at("matches") + row.at("bad_lines") + row.at("optional"), "221");
  EXPECT_EQ(table.where("pattern", "/etc/default/none").at("matches"), "0");
  EXPECT_THAT(table.gaps, testing::IsEmpty());
}

}  // namespace
}  // namespace gpuharden::test
