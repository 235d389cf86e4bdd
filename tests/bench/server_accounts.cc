// SPDX-License-Identifier: GPL-2.0-or-later
// People and services of the made-up server, their homes, and the files that shape every login.
#include <array>

#include "engine/base/text.h"
#include "tests/bench/gpu_server.h"

namespace gpuharden::test {
namespace {

constexpr std::array<std::string_view, 5> kServices = {"vllm", "ollama", "ray", "nvidia-dcgm", "nvidia-persistenced"};

void write_home(TreeWriter& tree, std::size_t number) {
  const std::string home = numbered("/home/user", number);
  tree.file(home + "/.profile",
            "if [ -n \"$BASH_VERSION\" ]; then . \"$HOME/.bashrc\"; fi\nPATH=\"$HOME/bin:$PATH\"\n");
  tree.file(home + "/.bashrc",
            "case $- in *i*) ;; *) return;; esac\nHISTSIZE=1000\nalias ll='ls -l'\nexport CUDA_HOME=/usr/local/cuda\n"
            "export PATH=$CUDA_HOME/bin:$PATH\nexport LD_LIBRARY_PATH=$CUDA_HOME/lib64\n");
  tree.file(home + "/.ssh/authorized_keys", concat({"ssh-ed25519 ", identity(home).substr(0, 60), " user@laptop\n"}));
  if (number % 3 == 0) tree.file(home + "/.config/pip/pip.conf", "[global]\ntimeout = 60\n");
  if (number % 4 == 0) tree.file(home + "/.config/environment.d/cuda.conf", "CUDA_CACHE_PATH=/scratch/cuda\n");
  if (number % 5 == 0) tree.file(home + "/.condarc", "channels: [conda-forge]\n");
  const std::string owner = concat({std::to_string(1000 + number), ":", std::to_string(1000 + number)});
  tree.owner(home, owner + " 0750");
  for (const auto* name : {"/.profile", "/.bashrc", "/.ssh"}) tree.owner(home + name, owner);
}

void write_databases(TreeWriter& tree, std::size_t users) {
  std::string passwd = "root:x:0:0:root:/root:/bin/bash\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n";
  std::string group = "root:x:0:\nadm:x:4:syslog\nsudo:x:27:user0,user1\n";
  std::string shadow = "root:*:19900:0:99999:7:::\n";
  std::string members;
  for (std::size_t i = 0; i < kServices.size(); ++i) {
    const std::string id = std::to_string(980 + i);
    passwd += concat({kServices.at(i), ":x:", id, ":", id, "::/var/lib/", kServices.at(i), ":/usr/sbin/nologin\n"});
    group += concat({kServices.at(i), ":x:", id, ":\n"});
  }
  for (std::size_t i = 0; i < users; ++i) {
    const std::string name = numbered("user", i);
    const std::string id = std::to_string(1000 + i);
    passwd += concat({name, ":x:", id, ":", id, ":User ", std::to_string(i), ",,,:/home/", name, ":/bin/bash\n"});
    group += concat({name, ":x:", id, ":\n"});
    shadow += concat({name, ":!:19900:0:99999:7:::\n"});
    members += concat({i == 0 ? "" : ",", name});
  }
  group += concat({"video:x:44:", members, "\nrender:x:109:", members, "\ndocker:x:998:user0\n"});
  tree.file("/etc/passwd", passwd);
  tree.file("/etc/group", group);
  tree.file("/etc/shadow", shadow);
  tree.facts("/etc/shadow", "mode: \"0640\", gid: 42");
}

void write_login_files(TreeWriter& tree) {
  tree.file("/etc/environment", "PATH=\"/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\"\n");
  tree.file("/etc/profile", "if [ -d /etc/profile.d ]; then for i in /etc/profile.d/*.sh; do . $i; done; fi\n");
  tree.file("/etc/profile.d/cuda.sh", "export PATH=/usr/local/cuda/bin:$PATH\n");
  for (std::size_t i = 0; i < 10; ++i)
    tree.file(concat({"/etc/profile.d/part", std::to_string(i), ".sh"}), "umask 022\n");
  tree.file("/etc/bash.bashrc", "shopt -s checkwinsize\n");
  tree.file("/etc/nsswitch.conf", "passwd: files systemd\ngroup: files systemd\n");
  tree.file("/etc/adduser.conf", "DSHELL=/bin/bash\n#ADD_EXTRA_GROUPS=1\n#EXTRA_GROUPS=\"users\"\n");
  tree.file("/etc/login.defs", "UMASK 022\nUSERGROUPS_ENAB yes\n");
  tree.file("/etc/sudoers", "Defaults env_reset\n%sudo ALL=(ALL:ALL) ALL\n@includedir /etc/sudoers.d\n");
  tree.file("/etc/security/pam_env.conf", "# nothing\n");
  tree.file("/etc/ssh/sshd_config", "Include /etc/ssh/sshd_config.d/*.conf\nPermitRootLogin no\nUsePAM yes\n");
  tree.file("/etc/ssh/sshd_config.d/50-cloud.conf", "PasswordAuthentication no\n");
  tree.file("/etc/ld.so.conf", "include /etc/ld.so.conf.d/*.conf\n");
  tree.file("/etc/ld.so.conf.d/libc.conf", "/usr/local/lib\n");
  tree.file("/etc/ld.so.conf.d/988_cuda-13.conf", "/usr/local/cuda-13/targets/x86_64-linux/lib\n");
  tree.folder("/usr/local/cuda-13/targets/x86_64-linux/lib");
  tree.file("/etc/crontab", "17 * * * * root cd / && run-parts --report /etc/cron.hourly\n");
  for (std::size_t i = 0; i < 6; ++i) tree.file(numbered("/etc/cron.d/part", i), "5 4 * * * root /usr/bin/true\n");
  tree.file("/etc/udev/rules.d/70-nvidia.rules", "KERNEL==\"nvidia*\", GROUP=\"video\", MODE=\"0660\"\n");
  for (std::size_t i = 0; i < 60; ++i) {
    tree.file(concat({"/usr/lib/udev/rules.d/", std::to_string(40 + i), "-part.rules"}),
              "SUBSYSTEM==\"drm\", TAG+=\"seat\"\n");
  }
}

}  // namespace

void write_accounts(TreeWriter& tree, const ServerSize& size) {
  write_databases(tree, size.users);
  write_login_files(tree);
  for (std::size_t i = 0; i < size.users; ++i) write_home(tree, i);
  tree.file("/root/.bashrc", "alias rm='rm -i'\n");
}

}  // namespace gpuharden::test
