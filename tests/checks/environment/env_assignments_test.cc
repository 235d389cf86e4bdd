// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ctime>

#include "tests/support/capture.h"
#include "tests/support/table.h"

namespace gpuharden::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr auto kPasswd = "root:x:0:0::/root:/bin/bash\nmallory:x:1007:1007::/home/mallory:/bin/bash\n";

// Rows of one variable as "file:line value effective".
std::vector<std::string> rows_of(const TableText& table, std::string_view name) {
  std::vector<std::string> out;
  for (const auto& row : table.rows) {
    if (row.at("name") != name) continue;
    out.push_back(row.at("file") + ":" + row.at("line") + " " + row.at("value") + " " + row.at("effective"));
  }
  return out;
}

// C71: a drop-in's Environment= loses against the EnvironmentFile= of the unit.
TEST(EnvAssignments, EnvironmentFileWinsOverEnvironment) {
  Capture capture;
  capture.file("/etc/passwd", kPasswd)
      .file("/etc/default/ollama", "# managed by image build\nOLLAMA_HOST=\"0.0.0.0:11434\"\n")
      .file("/etc/systemd/system/ollama.service",
            "[Service]\nEnvironmentFile=-/etc/default/ollama\nExecStart=/usr/local/bin/ollama serve\n")
      .file("/etc/systemd/system/ollama.service.d/90-x.conf",
            "[Service]\nEnvironment=OLLAMA_HOST=127.0.0.1 DROP=1\nUnsetEnvironment=DROP\n");
  const auto host = capture.open();
  TableText unit;
  for (const auto& row : read_table(*host, "env_assignments").rows) {
    if (row.at("scope") == "unit") unit.rows.push_back(row);
  }
  EXPECT_THAT(rows_of(unit, "OLLAMA_HOST"), ElementsAre("/etc/systemd/system/ollama.service.d/90-x.conf:2 127.0.0.1 0",
                                                        "/etc/default/ollama:2 0.0.0.0:11434 1"));
  EXPECT_THAT(rows_of(unit, "DROP"), ElementsAre("/etc/systemd/system/ollama.service.d/90-x.conf:2 1 0",
                                                 "/etc/systemd/system/ollama.service.d/90-x.conf:3  0"));
  const auto ollama = read_table(*host, "ollama_config");
  ASSERT_EQ(ollama.rows.size(), 1U);
  EXPECT_EQ(ollama.rows[0].at("exposure") + " " + ollama.rows[0].at("file"), "all /etc/default/ollama");
}

// C70: the files of the case.
TEST(EnvAssignments, FindsEmptyElementsOfPathLists) {
  Capture capture;
  capture.file("/etc/passwd", kPasswd)
      .file("/etc/profile.d/cuda.sh",
            "export PATH=/usr/local/cuda/bin${PATH:+:${PATH}}\nexport "
            "LD_LIBRARY_PATH=/usr/local/cuda/lib64:$LD_LIBRARY_PATH\n")
      .file("/etc/systemd/system/train.service",
            "[Service]\nEnvironment=LD_LIBRARY_PATH=/opt/hpcx/lib::/usr/local/cuda/lib64 "
            "\"LD_PRELOAD=/usr/lib/libjemalloc.so.2:\"\n")
      .file("/root/.bashrc",
            "LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}/opt/rocm/lib\nexport LD_LIBRARY_PATH\n");
  const auto table = read_table(*capture.open(), "env_assignments");
  EXPECT_EQ(table.where("name", "PATH").at("empty_element"), "0");
  const auto cuda = table.where("file", "/etc/profile.d/cuda.sh");
  EXPECT_EQ(table.where("value", "/usr/local/cuda/lib64:$LD_LIBRARY_PATH").at("empty_element"), "1");
  EXPECT_EQ(table.where("value", "/usr/local/cuda/lib64:$LD_LIBRARY_PATH").at("empty_element_always"), "0");
  EXPECT_EQ(table.where("unit", "train.service").at("empty_element_always"), "1");
  EXPECT_EQ(table.where("name", "LD_PRELOAD").at("empty_element"), "0");
  EXPECT_EQ(table.where("file", "/root/.bashrc").at("empty_element"), "0");
  EXPECT_EQ(table.where("file", "/root/.bashrc").at("exported"), "1");
}

TEST(EnvAssignments, ReadsEverySyntax) {
  Capture capture;
  capture.file("/etc/passwd", kPasswd)
      .folder("/home/mallory")
      .file("/etc/environment", "V=environment\n")
      .file("/etc/security/pam_env.conf", "V DEFAULT=pam\n")
      .file("/etc/environment.d/50-x.conf", "V=d\n")
      .file("/etc/fish/config.fish", "set -gx V fish\n")
      .file("/etc/csh.cshrc", "setenv V csh\n")
      .file("/etc/zsh/zshenv", "export V=zsh\n")
      .file("/etc/default/app", "V=default\n")
      .file("/etc/cron.d/job", "V=cron\n")
      .file("/etc/systemd/system.conf", "[Manager]\nDefaultEnvironment=V=manager\n")
      .file("/etc/systemd/user.conf.d/1.conf", "[Manager]\nDefaultEnvironment=V=usermanager\n")
      .file("/home/mallory/.ssh/environment", "V=ssh\n")
      .file("/home/mallory/.config/systemd/user/x.service", "[Service]\nEnvironment=V=userunit\n")
      .file("/home/mallory/.config/environment.d/1.conf", "V=userd\n");
  const auto table = read_table(*capture.open(), "env_assignments");
  std::vector<std::string> found;
  for (const auto& row : table.rows) found.push_back(row.at("scope") + " " + row.at("value"));
  EXPECT_THAT(found, testing::UnorderedElementsAre("login environment", "login pam", "user-manager d", "login fish",
                                                   "login csh", "login zsh", "default default", "cron cron",
                                                   "manager manager", "user-manager usermanager", "user ssh",
                                                   "user-unit userunit", "user-manager userd"));
  EXPECT_THAT(table.gaps, IsEmpty());
}

TEST(EnvAssignments, NeverKeepsCredentials) {
  Capture capture;
  capture.file("/etc/passwd", kPasswd)
      .file("/etc/environment", "HF_TOKEN=hf_abcdefghijk\nhttp_proxy=http://me:pw@proxy:1\n")
      .file("/etc/profile.d/x.sh", "export API_KEY=$(cat /k)\n");
  const auto table = read_table(*capture.open(), "env_assignments");
  EXPECT_EQ(table.where("name", "HF_TOKEN").at("value"), "<redacted 14 bytes>");
  EXPECT_EQ(table.where("name", "HF_TOKEN").at("raw"), "<redacted 14 bytes>");
  EXPECT_EQ(table.where("name", "http_proxy").at("is_credential"), "1");
  EXPECT_EQ(table.where("name", "API_KEY").at("is_credential"), "0");
}

TEST(EnvAssignments, JudgesThePathsInValues) {
  Capture capture;
  capture.file("/etc/passwd", kPasswd)
      .folder("/tmp")
      .folder("/home/mallory/lib")
      .file("/usr/lib/ok.so", "")
      .file("/etc/environment", "A=/usr/lib/ok.so\nB=/usr/lib/ok.so:/tmp/gone.so\nC=/home/mallory/lib/x.so\nD=plain\n")
      .file("/home/mallory/.profile", "export E=$HOME/lib/x.so\n")
      .yaml(
          "paths:\n  /tmp: {mode: \"1777\"}\n  /home/mallory: {uid: 1007}\n  /home/mallory/lib: {uid: 1007}\n  "
          "/home/mallory/.profile: {uid: 1007}\n");
  const auto table = read_table(*capture.open(), "env_assignments");
  EXPECT_EQ(table.where("name", "A").at("path_changeable_by"), "NULL");
  EXPECT_EQ(table.where("name", "A").at("path_exists"), "1");
  EXPECT_EQ(table.where("name", "B").at("path_value") + table.where("name", "B").at("path_exists"), "/tmp/gone.so0");
  EXPECT_THAT(table.where("name", "B").at("path_changeable_by"), HasSubstr("world-writable"));
  EXPECT_THAT(table.where("name", "C").at("path_changeable_by"), HasSubstr("uid 1007"));
  EXPECT_EQ(table.where("name", "D").at("path_value"), "NULL");
  EXPECT_EQ(table.where("name", "E").at("value"), "/home/mallory/lib/x.so");
  EXPECT_EQ(table.where("name", "E").at("path_changeable_by"), "NULL");
  EXPECT_EQ(table.where("name", "E").at("file_changeable_by"), "NULL");
}

// C76
TEST(ShellSettings, TheLastUnconditionalUmaskIsEffective) {
  Capture capture;
  capture.file("/etc/passwd", kPasswd)
      .file("/etc/profile",
            "if [ \"$(id -u)\" -gt 199 ]; then\n    umask 002\nelse\n    umask 022\nfi\nfor i in /etc/profile.d/*.sh; "
            "do [ -r \"$i\" ] && . \"$i\"; done\n")
      .file("/etc/profile.d/aa.sh.disabled", "umask 000\n")
      .file("/etc/profile.d/zz-umask.sh",
            "# umask 000 was used before\ncat <<EOF >/dev/null\numask 000\nEOF\numask 027\n");
  std::vector<std::string> found;
  for (const auto& row : read_table(*capture.open(), "shell_settings").rows) {
    if (row.at("name") == "umask") found.push_back(row.at("file") + " " + row.at("umask") + " " + row.at("effective"));
  }
  EXPECT_THAT(found, ElementsAre("/etc/profile 2 0", "/etc/profile 18 0", "/etc/profile.d/zz-umask.sh 23 1"));
}

// C180: nothing blocks, nothing is read that is not the user's, and each trap is a row and a gap.
TEST(StartupFiles, SurviveWhatUsersPutInTheirPlace) {
  Capture capture;
  capture.file("/etc/passwd", kPasswd)
      .file("/etc/shadow", "PATH=secret\n")
      .folder("/home/mallory/.zshrc")
      .link("/home/mallory/.profile", "/dev/zero")
      .link("/home/mallory/.zprofile", "/etc/shadow")
      .link("/home/mallory/.xprofile", ".xprofile")
      .link("/home/mallory/.kshrc", "/gone")
      .yaml(
          "paths:\n  /home/mallory: {uid: 1007}\n  /home/mallory/.bashrc: {type: fifo, uid: 1007}\n  "
          "/home/mallory/.bash_profile: {type: socket, uid: 1007}\n"
          "  /home/mallory/.bash_aliases: {type: file, size: 53687091200, uid: 1007}\n  /home/mallory/.condarc: {type: "
          "file, size: 53687091200, uid: 1007}\n"
          "  /dev/zero: {type: char, major: 1, minor: 5}\n  /etc/shadow: {mode: \"0640\"}\n");
  const auto host = capture.open();
  const auto begin = std::clock();
  const auto files = read_table(*host, "startup_files");
  const auto variables = read_table(*host, "env_assignments");
  EXPECT_LT(std::clock() - begin, 2 * CLOCKS_PER_SEC);
  const auto regular = [&](const char* name) {
    return files.where("path", std::string("/home/mallory/") + name).at("is_regular");
  };
  EXPECT_EQ(regular(".bashrc") + regular(".bash_profile") + regular(".profile") + regular(".zshrc"), "0000");
  EXPECT_EQ(regular(".condarc"), "1");
  EXPECT_EQ(files.where("path", "/home/mallory/.condarc").at("size"), "53687091200");
  EXPECT_EQ(files.where("path", "/home/mallory/.zprofile").at("is_foreign"), "1");
  EXPECT_EQ(files.where("path", "/home/mallory/.kshrc").at("present"), "0");
  EXPECT_THAT(rows_of(variables, "PATH"), IsEmpty());
  EXPECT_THAT(variables.gap_words(),
              ElementsAre("/home/mallory/.bash_aliases * too-large", "/home/mallory/.bash_profile * not-regular",
                          "/home/mallory/.bashrc * not-regular", "/home/mallory/.profile * not-regular",
                          "/home/mallory/.xprofile * loop", "/home/mallory/.zprofile * not-regular",
                          "/home/mallory/.zshrc * not-regular"));
}

// C181: a home on a network file system is a gap, and is not entered.
TEST(StartupFiles, RemoteHomesAreGaps) {
  Capture capture;
  capture.file("/etc/passwd", "root:x:0:0::/root:/bin/bash\nalice:x:1000:1000::/home/alice:/bin/bash\n")
      .file("/home/alice/.bashrc", "export LD_PRELOAD=/tmp/x.so\n")
      .file("/proc/self/mountinfo",
            "22 1 8:2 / / rw,relatime shared:1 - ext4 /dev/sda2 rw\n35 22 0:31 / /home rw,relatime shared:20 - autofs "
            "auto.home rw\n"
            "80 35 0:52 / /home/alice rw,relatime shared:44 - nfs4 nas01.example.invalid:/export/home/alice rw\n");
  const auto host = capture.open();
  for (const auto* table : {"env_assignments", "startup_files", "shell_settings"}) {
    const auto text = read_table(*host, table);
    EXPECT_THAT(text.gap_words(), ElementsAre("* * remote")) << table;
    EXPECT_THAT(text.rows, IsEmpty()) << table;
  }
}

// C184: a directory service is never asked; that its users are not known is a gap. Many local
// users cost one listing of their common folder.
TEST(StartupFiles, UsersOfADirectoryAreAGapAndManyLocalOnesAreCheap) {
  std::string passwd = "root:x:0:0::/root:/bin/bash\n";
  for (int i = 0; i < 200000; ++i)
    passwd += "u" + std::to_string(i) + ":x:" + std::to_string(10000 + i) + ":100::/home/u" + std::to_string(i) +
              ":/bin/bash\n";
  Capture capture;
  capture.file("/etc/passwd", passwd)
      .file("/etc/nsswitch.conf", "passwd: files sss # all\n")
      .file("/home/u777/.profile", "export A=b\n");
  const auto host = capture.open();
  const auto begin = std::clock();
  const auto table = read_table(*host, "env_assignments");
  EXPECT_LT(std::clock() - begin, 10 * CLOCKS_PER_SEC);
  EXPECT_EQ(table.rows.size(), 1U);
  EXPECT_THAT(table.gap_words(), ElementsAre("* * unsupported"));
}

TEST(StartupFiles, AnUnreadablePasswdIsAGap) {
  Capture capture;
  capture.file("/etc/passwd", kPasswd).yaml("paths: {/etc/passwd: {error: permission}}");
  EXPECT_THAT(read_table(*capture.open(), "startup_files").gap_words(), ElementsAre("* * permission"));
}

TEST(OllamaConfig, ReadsCommandsManagersAndDefaults) {
  Capture capture;
  capture
      .file("/etc/systemd/system/a.service",
            "[Service]\nExecStart=/usr/bin/env OLLAMA_HOST=0.0.0.0 /usr/bin/ollama "
            "serve\nEnvironment=OLLAMA_HOST=127.0.0.1\n")
      .file("/etc/systemd/system/b.service", "[Service]\nExecStart=/bin/sh -c 'OLLAMA_HOST=:8080 exec ollama serve'\n")
      .file("/etc/systemd/system/c.service", "[Service]\nExecStart=/usr/bin/ollama serve\n")
      .file("/etc/systemd/system/d.service",
            "[Service]\nExecStart=/usr/bin/ollama serve\nUnsetEnvironment=OLLAMA_HOST\n")
      .file("/etc/systemd/system/e.service",
            "[Service]\nExecStart=/usr/bin/ollama serve\nPassEnvironment=OLLAMA_HOST\n")
      .file("/etc/systemd/system/f.service", "[Service]\nExecStart=/usr/bin/other\n")
      .file("/etc/systemd/system.conf.d/x.conf", "[Manager]\nDefaultEnvironment=OLLAMA_HOST=192.0.2.1\n");
  const auto table = read_table(*capture.open(), "ollama_config");
  const auto exposure = [&](const char* unit) { return table.where("unit", unit).at("exposure"); };
  EXPECT_EQ(exposure("a.service"), "all");
  EXPECT_EQ(exposure("b.service"), "all");
  EXPECT_EQ(exposure("c.service"), "specific");
  EXPECT_EQ(exposure("d.service"), "loopback");
  EXPECT_EQ(exposure("e.service"), "UNREAD");
  EXPECT_FALSE(table.has("unit", "f.service"));
}

TEST(OllamaConfig, AnUnreadableEnvironmentFileIsAGapOfTheUnit) {
  Capture capture;
  capture
      .file("/etc/systemd/system/ollama.service",
            "[Service]\nExecStart=/usr/bin/ollama serve\nEnvironmentFile=/etc/default/ollama\n")
      .file("/etc/default/ollama", "OLLAMA_HOST=0.0.0.0\n")
      .yaml("paths: {/etc/default/ollama: {error: permission}}");
  EXPECT_THAT(read_table(*capture.open(), "ollama_config").gap_words(), ElementsAre("ollama.service * permission"));
}

}  // namespace
}  // namespace gpuharden::test
