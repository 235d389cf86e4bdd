// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/services/service_rows.h"

#include "checks/environment/path_exposure.h"
#include "checks/services/jupyter_settings.h"
#include "checks/services/service_version.h"
#include "checks/system/if_any.h"
#include "checks/system/json_list.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"service", ColumnType::kText,
     "ollama, jupyter, jupyterhub, vllm, sglang, tgi, llama-server, llama-rpc, triton, ray, comfyui, gradio, "
     "open-webui, localai, "
     "litellm, mlflow or tensorboard",
     ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"source", ColumnType::kText, "process: it runs. unit: a systemd service would run it", ColumnFlag::kNotNull},
    {"pid", ColumnType::kInteger, "process id; NULL for a unit"},
    {"unit", ColumnType::kText, "the unit, or the service that the process belongs to; NULL for none"},
    {"state", ColumnType::kText, "enabled, disabled, masked, … of the unit; NULL for a process"},
    {"startable", ColumnType::kBoolean, "1 when something would start the unit; NULL for a process"},
    {"container", ColumnType::kText, "the process's container id; NULL for none and for a unit"},
    {"host_network", ColumnType::kBoolean,
     "1 when the process is in the host's network namespace, and for a unit that has no private network"},
    {"user", ColumnType::kText, "name of its user, or the number where there is no name"},
    {"exe", ColumnType::kPath, "its executable, in its own root"},
    {"file", ColumnType::kPath, "the unit file or drop-in with the command; NULL for a process"},
    {"line", ColumnType::kInteger, "line of that file, from 1"},
    {"address", ColumnType::kText,
     "the address or name that it is told to listen on, or would by default; empty means every address; NULL for a "
     "UNIX socket"},
    {"exposure", ColumnType::kText,
     "loopback (or a UNIX socket), all, specific (one other address) or unresolved (a host name)"},
    {"port", ColumnType::kInteger, "the TCP port that it is told or would take by default"},
    {"address_source", ColumnType::kText, "option, environment, config or default", ColumnFlag::kNotNull},
    {"address_name", ColumnType::kText, "the option, variable or setting; NULL for a default"},
    {"address_file", ColumnType::kPath, "the file that sets it; NULL for options, processes and defaults"},
    {"address_line", ColumnType::kInteger, "line of that file, from 1"},
    {"auth", ColumnType::kText,
     "whether it asks for a credential. set: one is configured. default: none is, and it asks by default. none: "
     "nothing is configured and it asks nobody by default, or it has no such setting. disabled: switched off"},
    {"auth_source", ColumnType::kText, "option, environment, config or default", ColumnFlag::kNotNull},
    {"auth_name", ColumnType::kText, "the option, variable or setting; never its value"},
    {"auth_file", ColumnType::kPath, "the file that sets it; NULL for options, processes and defaults"},
    {"auth_line", ColumnType::kInteger, "line of that file, from 1"},
    {"tls", ColumnType::kBoolean, "whether a certificate is configured; NULL where it has no such setting"},
    {"switches", ColumnType::kText,
     "JSON list of what else matters: trust-remote-code, dev-mode, insecure-serialization, prompt-embeds, local-media, "
     "origins-any, cors-any, share, remotes, no-cloud, log-requests, model-control-explicit, model-control-poll, "
     "restricted-http, restricted-grpc, allowed-hosts-any, no-xsrf-check, allow-root, unauthenticated-access",
     ColumnFlag::kNotNull},
    {"model_store", ColumnType::kPath, "the folder of its models, in its own root; NULL where that is not known"},
    {"model_store_exists", ColumnType::kBoolean, "whether that folder is there"},
    {"model_store_changeable_by", ColumnType::kText,
     "why others than root and its user can change that folder; NULL when they cannot"},
    {"version", ColumnType::kVersion, "its version as the files beside it say; NULL where none tells"},
    {"version_source", ColumnType::kText, "dist-info (a Python package), variable or file; NULL without a version"},
    {"version_file", ColumnType::kPath, "what says it; NULL for a variable"},
};

void set_found(Row& row, const std::string& prefix, const Found& found) {
  row.set(prefix + "_source", to_string(found.source))
      .set(prefix + "_name", if_any(found.name))
      .set(prefix + "_file", if_any(found.file));
  if (found.line > 0) row.set(prefix + "_line", found.line);
}

void set_address_cells(Row& row, const ServiceSettings& settings) {
  set_found(row, "address", settings.address_found);
  if (settings.address_found.error) {
    row.unread("address", *settings.address_found.error).unread("exposure", *settings.address_found.error);
    return;
  }
  row.set("address", settings.address).set("exposure", to_string(settings.exposure)).set("port", settings.port);
}

void set_auth_cells(Row& row, const ServiceSettings& settings) {
  set_found(row, "auth", settings.auth_found);
  if (settings.auth_found.error) {
    row.unread("auth", *settings.auth_found.error);
  } else {
    row.set("auth", to_string(settings.auth));
  }
  row.set("tls", settings.tls);
}

void set_store(TableReader& out, Row& row, const std::string& folder, const ServicePlace& place) {
  if (folder.empty()) return;
  row.set("model_store", folder);
  if (!out.wants("model_store_changeable_by") && !out.wants("model_store_exists")) return;
  if (place.files == nullptr) {
    row.unread("model_store_exists", *place.files_error).unread("model_store_changeable_by", *place.files_error);
    return;
  }
  PathExposure exposure(*place.files);
  const auto exists = exposure.exists(folder);
  const auto reason = exposure.of(folder, place.uid);
  row.set("model_store_exists", exists);
  row.set("model_store_changeable_by", reason);
}

void set_version(TableReader& out, Row& row, const ServiceCall& call, const ServicePlace& place) {
  if (!out.wants("version") && !out.wants("version_file") && !out.wants("version_source")) return;
  if (place.files == nullptr) {
    row.unread("version", *place.files_error);
    return;
  }
  const auto found = service_version(*place.files, call);
  if (!found) {
    row.unread("version", found.error());
  } else if (*found) {
    row.set("version", (*found)->version)
        .set("version_source", (*found)->source)
        .set("version_file", if_any((*found)->file));
  }
}

ServiceSettings settings_of_call(const ServiceCall& call, const ServicePlace& place) {
  const bool is_hub = call.service == "jupyterhub";
  if (!is_hub && call.service != "jupyter") return service_settings(call, place.home);
  if (place.files != nullptr)
    return is_hub ? jupyterhub_settings(call, {place.files, place.home})
                  : jupyter_settings(call, {place.files, place.home});
  ServiceSettings unread;
  unread.address_found.error = unread.auth_found.error = unread.switches_error = place.files_error;
  return unread;
}

}  // namespace

std::span<const Column> service_columns() { return kColumns; }

void set_service(TableReader& out, Row& row, const ServiceCall& call, const ServicePlace& place) {
  const auto settings = settings_of_call(call, place);
  row.set("service", call.service);
  set_address_cells(row, settings);
  set_auth_cells(row, settings);
  row.set("switches", json_list({settings.switches.begin(), settings.switches.end()}));
  if (settings.switches_error) out.gap(call.service, "switches", *settings.switches_error);
  set_store(out, row, settings.model_store, place);
  set_version(out, row, call, place);
}

}  // namespace gpuharden
