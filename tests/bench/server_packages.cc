// SPDX-License-Identifier: GPL-2.0-or-later
// What is installed on the made-up server: packages and their sources, Python environments.
#include <array>

#include "engine/base/text.h"
#include "tests/bench/gpu_server.h"

namespace gpuharden::test {
namespace {

struct NamedPackage {
  std::string_view name, version;
};
constexpr std::array<NamedPackage, 12> kGpuPackages = {{{"nvidia-driver-580-open", "580.95.05-0ubuntu1"},
                                                        {"nvidia-dkms-580-open", "580.95.05-0ubuntu1"},
                                                        {"libnvidia-compute-580", "580.95.05-0ubuntu1"},
                                                        {"nvidia-utils-580", "580.95.05-0ubuntu1"},
                                                        {"nvidia-container-toolkit", "1.17.8-1"},
                                                        {"libnvidia-container1", "1.17.8-1"},
                                                        {"cuda-toolkit-13-0", "13.0.1-1"},
                                                        {"datacenter-gpu-manager-4-core", "1:4.4.1-1"},
                                                        {"docker-ce", "5:28.4.0-1~ubuntu.24.04~noble"},
                                                        {"openssh-server", "1:9.6p1-3ubuntu13.13"},
                                                        {"systemd", "255.4-1ubuntu8.10"},
                                                        {"auditd", "1:3.1.2-2.1build1"}}};

std::string stanza(std::string_view name, std::string_view version) {
  return concat(
      {"Package: ", name, "\nStatus: install ok installed\nPriority: optional\nSection: libs\nInstalled-Size: 2841\n",
       "Maintainer: Ubuntu Developers <ubuntu-devel-discuss@lists.ubuntu.com>\nArchitecture: amd64\nSource: ", name,
       "-src\nVersion: ", version,
       "\nDepends: libc6 (>= 2.38), libgcc-s1 (>= 3.3.1), libstdc++6 (>= 13.1), zlib1g (>= 1:1.2.6)\n"
       "Description: one package of many\n It stands here so that the file has the size that it has on a server.\n"
       " .\n Its text goes on for a few lines, as most descriptions do, and says little.\n"
       "Homepage: https://example.org/",
       name, "\n\n"});
}

// The files of a package, as dpkg lists them.
void write_list(TreeWriter& tree, std::string_view name) {
  std::string list = "/.\n/usr\n/usr/lib\n/usr/share\n/usr/share/doc\n";
  for (std::size_t i = 0; i < 20; ++i) list += concat({"/usr/lib/", name, "/", numbered("file", i), "\n"});
  tree.file(concat({"/var/lib/dpkg/info/", name, ".list"}), list);
}

void write_status(TreeWriter& tree, std::size_t packages) {
  std::string status;
  for (const auto& [name, version] : kGpuPackages) {
    status += stanza(name, version);
    write_list(tree, name);
  }
  for (std::size_t i = kGpuPackages.size(); i < packages; ++i) {
    const std::string name = numbered("libpart", i);
    status += stanza(name, concat({"1.", std::to_string(i % 40), "-", std::to_string(i % 7), "ubuntu1"}));
    write_list(tree, name);
  }
  tree.file("/var/lib/dpkg/status", status);
  tree.file("/var/lib/dpkg/arch", "amd64\n");
}

struct Source {
  std::string_view name, uri, suite, components;
};
constexpr std::array<Source, 4> kSources = {
    {{"cuda-ubuntu2404", "https://developer.download.nvidia.com/compute/cuda/repos/ubuntu2404/x86_64/", "/", ""},
     {"nvidia-container-toolkit", "https://nvidia.github.io/libnvidia-container/stable/deb/amd64", "/", ""},
     {"rocm", "https://repo.radeon.com/rocm/apt/7.0", "noble", "main"},
     {"docker", "https://download.docker.com/linux/ubuntu", "noble", "stable"}}};

// What apt calls the list of a URI: without the scheme, '/' as '_'.
std::string list_name(std::string_view uri, std::string_view suite) {
  std::string name(uri.substr(uri.find("//") + 2));
  if (suite != "/") name += concat({"/dists/", suite, "/"});
  for (char& c : name) c = c == '/' ? '_' : c;
  return name;
}

void write_sources(TreeWriter& tree) {
  for (const auto& [name, uri, suite, components] : kSources) {
    tree.file(concat({"/etc/apt/sources.list.d/", name, ".list"}),
              concat({"deb [signed-by=/usr/share/keyrings/", name, ".gpg] ", uri, " ", suite,
                      components.empty() ? "" : " ", components, "\n"}));
    tree.file(concat({"/usr/share/keyrings/", name, ".gpg"}), openpgp_key(concat({name, " <packages@example.org>"})));
    tree.file(
        concat({"/var/lib/apt/lists/", list_name(uri, suite), "Release"}),
        concat({"Origin: ", name, "\nLabel: ", name, "\nSuite: ", suite, "\nDate: Mon, 31 Aug 2026 00:00:00 UTC\n"}));
  }
  tree.file(
      "/etc/apt/sources.list.d/ubuntu.sources",
      "Types: deb\nURIs: http://archive.ubuntu.com/ubuntu\nSuites: noble noble-updates noble-security\n"
      "Components: main restricted universe multiverse\nSigned-By: /usr/share/keyrings/ubuntu-archive-keyring.gpg\n");
  tree.file("/usr/share/keyrings/ubuntu-archive-keyring.gpg", openpgp_key("Ubuntu Archive <ftpmaster@ubuntu.com>"));
  tree.file("/etc/apt/sources.list", "# see sources.list.d\n");
  tree.file("/etc/apt/apt.conf.d/20auto-upgrades",
            "APT::Periodic::Update-Package-Lists \"1\";\nAPT::Periodic::Unattended-Upgrade \"1\";\n");
  for (std::size_t i = 0; i < 8; ++i) {
    tree.file(concat({"/etc/apt/apt.conf.d/", std::to_string(50 + i), "part"}), "APT::Get::Show-Upgraded \"true\";\n");
  }
  tree.file("/etc/apt/preferences.d/cuda-repository-pin-600",
            "Package: *\nPin: release l=NVIDIA CUDA\nPin-Priority: 600\n");
}

void write_distribution(TreeWriter& tree, const std::string& site, std::string_view name, std::string_view version) {
  const std::string folder = concat({site, "/", name, "-", version, ".dist-info"});
  tree.file(folder + "/METADATA",
            concat({"Metadata-Version: 2.1\nName: ", name, "\nVersion: ", version, "\nSummary: made up\n\n"}));
  tree.file(folder + "/INSTALLER", "pip\n");
  tree.file(folder + "/RECORD", concat({name, "/__init__.py,sha256=", identity(name).substr(0, 43), ",120\n"}));
}

void write_environment(TreeWriter& tree, const std::string& top, std::string_view serving) {
  const std::string site = top + "/lib/python3.12/site-packages";
  tree.file(top + "/pyvenv.cfg", "home = /usr/bin\ninclude-system-site-packages = false\nversion = 3.12.3\n");
  tree.folder(top + "/bin");
  tree.link(top + "/bin/python3", "/usr/bin/python3");
  constexpr std::array<NamedPackage, 6> kKnown = {{{"torch", "2.8.0"},
                                                   {"numpy", "2.1.3"},
                                                   {"transformers", "4.56.1"},
                                                   {"ray", "2.49.1"},
                                                   {"triton", "3.4.0"},
                                                   {"requests", "2.32.5"}}};
  for (const auto& [name, version] : kKnown) write_distribution(tree, site, name, version);
  write_distribution(tree, site, serving, "0.10.2");
  for (std::size_t i = 0; i < 140; ++i)
    write_distribution(tree, site, numbered("wheel", i), concat({"1.", std::to_string(i % 9), ".0"}));
  tree.file(site + "/distutils-precedence.pth", "import os; var = 'SETUPTOOLS_USE_DISTUTILS'\n");
  tree.file(site + "/editable.pth", "/srv/code/model\n");
}

}  // namespace

void write_packages(TreeWriter& tree, const ServerSize& size) {
  write_status(tree, size.packages);
  write_sources(tree);
}

void write_python(TreeWriter& tree, const ServerSize& size) {
  for (std::size_t i = 0; i < size.environments; ++i) {
    write_environment(tree, numbered("/opt/model", i), i % 2 == 0 ? "vllm" : "mlflow");
  }
  tree.file("/usr/lib/python3/dist-packages/apt.pth", "# nothing\n");
  tree.file("/usr/lib/python3.12/sitecustomize.py", "# install the apport exception handler if available\n");
  tree.file("/etc/pip.conf", "[global]\nindex-url = https://pypi.example.org/simple\n");
}

}  // namespace gpuharden::test
