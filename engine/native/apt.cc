// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/native/apt.h"

#include <apt-pkg/configuration.h>
#include <apt-pkg/error.h>
#include <apt-pkg/indexfile.h>
#include <apt-pkg/init.h>
#include <apt-pkg/metaindex.h>
#include <apt-pkg/pkgsystem.h>
#include <apt-pkg/sourcelist.h>

#include <cstdlib>
#include <set>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

// Empties the library's queue of messages, which otherwise spoils the next call.
void drain(AptReading& reading) {
  std::string message;
  while (!_error->empty(GlobalError::DEBUG)) {
    const bool is_error = _error->PopMessage(message);
    (is_error ? reading.errors : reading.warnings).push_back(message);
  }
}

// Settings made before pkgInitConfig stay: it only fills in what is not there.
bool set_up(const std::string& root) {
  ::unsetenv("APT_CONFIG");
  _config->Clear();
  _config->Set("Dir", root + "/");
  _config->Set("APT::Architecture", "amd64");
  _config->Set("APT::Architectures::", "amd64");  // else the library runs dpkg to ask
  _config->Set("Dir::State::status", root + "/var/lib/dpkg/status");
  return pkgInitConfig(*_config) && pkgInitSystem(*_config, _system);
}

AptRepository repository(metaIndex& index) {
  AptRepository out;
  out.uri = index.GetURI();
  out.suite = index.GetDist();
  out.signed_by = index.GetSignedBy();
  if (index.GetTrusted() == metaIndex::TRI_YES) out.trusted = true;
  if (index.GetTrusted() == metaIndex::TRI_NO) out.trusted = false;
  std::set<std::string> types;
  std::set<std::string> components;
  for (const auto& target : index.GetIndexTargets()) {
    types.insert(target.Option(IndexTarget::TARGET_OF));
    const auto component = target.Option(IndexTarget::COMPONENT);
    if (!component.empty()) components.insert(component);
  }
  out.types.assign(types.begin(), types.end());
  out.components.assign(components.begin(), components.end());
  return out;
}

}  // namespace

std::string apt_library_version() { return pkgVersion; }

Result<AptReading> read_sources(const std::string& root) {
  AptReading reading;
  const bool ready = set_up(root);
  drain(reading);
  if (!ready) return Error{ErrorCode::kLibrary, concat({"libapt-pkg: ", join(reading.errors, "; ")})};
  pkgSourceList list;
  reading.accepted = list.ReadMainList() && !_error->PendingError();
  for (auto* index : list) reading.repositories.push_back(repository(*index));
  drain(reading);
  return reading;
}

}  // namespace gpuharden
