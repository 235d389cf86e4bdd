// SPDX-License-Identifier: GPL-2.0-or-later
// The units of the made-up server's systemd: vendor files, local ones, drop-ins, and what is enabled.
#include <array>

#include "engine/base/text.h"
#include "tests/bench/gpu_server.h"

namespace gpuharden::test {
namespace {

constexpr std::string_view kVendor = "/usr/lib/systemd/system/";
constexpr std::string_view kLocal = "/etc/systemd/system/";

std::string service(std::string_view description, std::string_view command, std::string_view settings) {
  return concat({"[Unit]\nDescription=", description,
                 "\nAfter=network-online.target\nWants=network-online.target\n\n[Service]\n", "ExecStart=", command,
                 "\nRestart=on-failure\n", settings, "\n[Install]\nWantedBy=multi-user.target\n"});
}

struct ServingUnit {
  std::string_view name, command, settings;
};
constexpr std::array<ServingUnit, 6> kServing = {
    {{"vllm", "/opt/model0/bin/vllm serve /srv/models/llama --host 0.0.0.0 --port 8000",
      "User=vllm\nEnvironment=CUDA_VISIBLE_DEVICES=0,1,2,3\nNoNewPrivileges=yes\n"},
     {"ollama", "/usr/local/bin/ollama serve",
      "User=ollama\nGroup=ollama\nEnvironment=\"OLLAMA_HOST=127.0.0.1:11434\"\n"},
     {"ray-head", "/opt/model0/bin/ray start --head --block --dashboard-host 127.0.0.1", "User=ray\n"},
     {"jupyterhub", "/opt/model1/bin/jupyterhub -f /etc/jupyterhub/config.py",
      "Environment=PATH=/opt/model1/bin:/usr/bin\n"},
     {"nvidia-dcgm", "/usr/bin/nv-hostengine -n --service-account nvidia-dcgm", ""},
     {"triton", "/usr/bin/docker run --rm --gpus all -p 127.0.0.1:8001:8001 tritonserver", "TimeoutStartSec=0\n"}}};

void enable(TreeWriter& tree, std::string_view folder, std::string_view unit) {
  tree.link(concat({kLocal, "multi-user.target.wants/", unit}), concat({folder, unit}));
}

void write_serving(TreeWriter& tree) {
  for (const auto& [name, command, settings] : kServing) {
    const std::string unit = concat({name, ".service"});
    tree.file(concat({kLocal, unit}), service(name, command, settings));
    tree.file(concat({kLocal, unit, ".d/10-limits.conf"}), "[Service]\nLimitMEMLOCK=infinity\nLimitNOFILE=1048576\n");
    tree.file(concat({kLocal, unit, ".d/20-environment.conf"}),
              "[Service]\nEnvironment=NCCL_DEBUG=WARN HF_HUB_OFFLINE=1\n");
    enable(tree, kLocal, unit);
  }
}

// One of every eight is a socket, one a timer, one a target; every fourth service has a drop-in.
void write_vendor_unit(TreeWriter& tree, std::size_t number) {
  const std::string base = numbered("part", number);
  if (number % 8 == 5) {
    tree.file(concat({kVendor, base, ".socket"}),
              concat({"[Socket]\nListenStream=/run/", base, ".socket\n\n[Install]\nWantedBy=sockets.target\n"}));
  } else if (number % 8 == 6) {
    tree.file(concat({kVendor, base, ".timer"}), "[Timer]\nOnCalendar=daily\n\n[Install]\nWantedBy=timers.target\n");
  } else if (number % 8 == 7) {
    tree.file(concat({kVendor, base, ".target"}), concat({"[Unit]\nDescription=Group ", base, "\n"}));
  } else {
    const std::string unit = base + ".service";
    tree.file(concat({kVendor, unit}), service(base, concat({"/usr/lib/", base, "/", base, "d --foreground"}),
                                               "ProtectSystem=strict\nPrivateTmp=yes\nNoNewPrivileges=yes\n"));
    if (number % 4 == 0) tree.file(concat({kVendor, unit, ".d/vendor.conf"}), "[Service]\nNice=5\n");
    if (number % 2 == 0) enable(tree, kVendor, unit);
  }
}

}  // namespace

void write_units(TreeWriter& tree, const ServerSize& size) {
  write_serving(tree);
  for (std::size_t i = kServing.size(); i < size.units; ++i) write_vendor_unit(tree, i);
  for (const auto* name : {"multi-user", "basic", "sysinit", "network-online", "sockets", "timers"}) {
    tree.file(concat({kVendor, name, ".target"}), concat({"[Unit]\nDescription=", name, "\n"}));
  }
  tree.link(concat({kVendor, "default.target"}), "multi-user.target");
  tree.file("/etc/systemd/system.conf", "[Manager]\n#DefaultEnvironment=\n");
  tree.file("/etc/systemd/system.conf.d/limits.conf", "[Manager]\nDefaultLimitMEMLOCK=infinity\n");
}

}  // namespace gpuharden::test
