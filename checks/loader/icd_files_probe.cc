// SPDX-License-Identifier: GPL-2.0-or-later
// The manifests by which OpenCL, Vulkan and EGL find drivers.
#include <array>

#include "checks/environment/path_exposure.h"
#include "checks/loader/icd_text.h"
#include "checks/systemd/unit_loader.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"file", ColumnType::kPath, "the manifest", ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"api", ColumnType::kText, "opencl, vulkan, vulkan-layer or egl", ColumnFlag::kNotNull},
    {"library", ColumnType::kText, "the library as written; a name without a slash is looked up by ld.so",
     ColumnFlag::kNotNull},
    {"library_path", ColumnType::kPath,
     "where it is: as written, or beside a JSON manifest; NULL for a name without a slash, and where it depends on the "
     "folder that a program is in"},
    {"library_is_relative", ColumnType::kBoolean, "1 where it is looked up from the folder that a program is in",
     ColumnFlag::kNotNull},
    {"library_exists", ColumnType::kBoolean, "the library is there; NULL without library_path"},
    {"library_changeable_by", ColumnType::kText,
     "who else than root can change the library, or could make it; NULL when nobody, or without library_path"},
    {"file_changeable_by", ColumnType::kText, "who else than root can change the manifest; NULL when nobody"},
};

struct Place {
  std::string_view folder, api, suffix;
};
constexpr std::array<Place, 13> kPlaces = {{{"/etc/OpenCL/vendors", "opencl", ".icd"},
                                            {"/etc/vulkan/icd.d", "vulkan", ".json"},
                                            {"/usr/local/share/vulkan/icd.d", "vulkan", ".json"},
                                            {"/usr/share/vulkan/icd.d", "vulkan", ".json"},
                                            {"/etc/vulkan/implicit_layer.d", "vulkan-layer", ".json"},
                                            {"/usr/local/share/vulkan/implicit_layer.d", "vulkan-layer", ".json"},
                                            {"/usr/share/vulkan/implicit_layer.d", "vulkan-layer", ".json"},
                                            {"/etc/vulkan/explicit_layer.d", "vulkan-layer", ".json"},
                                            {"/usr/local/share/vulkan/explicit_layer.d", "vulkan-layer", ".json"},
                                            {"/usr/share/vulkan/explicit_layer.d", "vulkan-layer", ".json"},
                                            {"/etc/glvnd/egl_vendor.d", "egl", ".json"},
                                            {"/usr/local/share/glvnd/egl_vendor.d", "egl", ".json"},
                                            {"/usr/share/glvnd/egl_vendor.d", "egl", ".json"}}};

class IcdReader {
 public:
  explicit IcdReader(TableReader& out) : out_(out), exposure_(out.files()) {}

  void read_folder(const Place& place) {
    const auto entries = out_.files().list(place.folder);
    if (!entries && entries.error().code == ErrorCode::kNotFound) return;
    if (!entries) return out_.gap(entries.error());
    for (const auto& entry : *entries) {
      if (entry.name.ends_with(place.suffix)) read_manifest(place, concat({place.folder, "/", entry.name}));
    }
  }

 private:
  void read_manifest(const Place& place, const std::string& file) {
    const auto bytes = out_.files().read(file);
    if (!bytes && bytes.error().code == ErrorCode::kNotFound) return;
    if (!bytes) return out_.gap(file, "*", bytes.error());
    if (bytes->truncated)
      return out_.gap(file, "*", {ErrorCode::kTooLarge, concat({file, ": too large, it was not read"})});
    if (place.api == "opencl") {
      const auto library = parse_opencl_icd(bytes->bytes);
      return library.empty() ? void() : add(place, file, library);
    }
    const auto libraries = parse_icd_json(bytes->bytes);
    if (!libraries) return out_.gap(file, "*", {ErrorCode::kMalformed, concat({file, ": no JSON object"})});
    for (const auto& library : *libraries) add(place, file, library);
  }

  void add(const Place& place, const std::string& file, const std::string& library) {
    const bool has_slash = library.find('/') != std::string::npos;
    const bool is_absolute = library.starts_with('/');
    const bool is_relative = has_slash && !is_absolute && place.api == "opencl";
    auto row = out_.row();
    row.set("file", file).set("api", place.api).set("library", library).set("library_is_relative", is_relative);
    row.set("file_changeable_by", exposure_.of(file));
    if (!has_slash || is_relative) return;
    const auto path = link_target(file, library);  // beside the manifest where it is relative
    row.set("library_path", path);
    const auto exists = exposure_.exists(path);
    row.set("library_exists", exists);
    row.set("library_changeable_by", exposure_.of(path));
  }

  TableReader& out_;
  PathExposure exposure_;
};

void read_icd_files(TableReader& out) {
  IcdReader reader(out);
  for (const auto& place : kPlaces) reader.read_folder(place);
}

}  // namespace

Probe icd_files_probe() {
  return {{"icd_files",
           "The drivers and layers that OpenCL, Vulkan and EGL loaders open in each process: one row for each library "
           "that a manifest of the system names.",
           kColumns},
          &read_icd_files};
}

}  // namespace gpuharden
