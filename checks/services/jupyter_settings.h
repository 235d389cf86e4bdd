// SPDX-License-Identifier: GPL-2.0-or-later
// The settings of a Jupyter server: command line, variables and configuration files.
#pragma once

#include <string>

#include "checks/services/service_settings.h"
#include "engine/host/files.h"

namespace gpuharden {

// Where a Jupyter server looks for its files. `files` is the root that its process lives in.
struct JupyterPlace {
  const Files* files = nullptr;
  std::string home;  // of its user; empty when it is not known
};

// Files of lower precedence are read first, as Jupyter does: /etc/jupyter, /usr/local/etc/jupyter,
// PREFIX/etc/jupyter, JUPYTER_CONFIG_PATH, ~/.jupyter (or JUPYTER_CONFIG_DIR), --config. A file that
// cannot be read leaves what it might set unread, unless the command line sets it.
ServiceSettings jupyter_settings(const ServiceCall& call, const JupyterPlace& place);
// The same for JupyterHub, whose only file is the one that -f or --config names.
ServiceSettings jupyterhub_settings(const ServiceCall& call, const JupyterPlace& place);

}  // namespace gpuharden
