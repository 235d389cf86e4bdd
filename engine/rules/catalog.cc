// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/rules/catalog.h"

#include <unistd.h>

#include <algorithm>
#include <climits>

#include "engine/base/digest.h"
#include "engine/base/text.h"
#include "engine/host/mounts.h"
#include "engine/rules/floor_loader.h"
#include "engine/rules/policy_loader.h"
#include "engine/rules/rule_loader.h"
#include "engine/rules/trust.h"

namespace gpuharden {
namespace {

constexpr std::string_view kFloorsFolder = "/floors/";
constexpr std::size_t kCompiledCap = std::size_t{64} << 20U;

void add_error(std::string_view code, const std::string& file, std::string sentence,
               std::vector<Diagnostic>& diagnostics) {
  diagnostics.push_back({std::string(code), std::move(sentence), {file, 1, 1}, {}});
}

// One place of rules and policies, its files and their texts.
class Loader {
 public:
  Loader(const Files& files, std::vector<Diagnostic>& diagnostics, std::vector<CompiledSource>& sources)
      : files_(files), diagnostics_(diagnostics), sources_(sources) {}

  void load_techniques(const std::string& rules, TechniqueTables& tables) {
    for (const auto& [name, table] : {std::pair{"attack", &tables.attack}, std::pair{"atlas", &tables.atlas}}) {
      const std::string path = concat({rules, "/reference/", name, ".tsv"});
      const auto file = read(path);
      if (file) *table = parse_techniques(*file);
    }
  }

  void load_rules(const std::string& folder, const TechniqueTables& techniques, bool is_override, Catalog& catalog) {
    for (const auto& path : find(folder + "/*/*.yaml")) {
      if (path.starts_with(concat({folder, kFloorsFolder}))) continue;
      const std::string id = rule_id(path.substr(folder.size() + 1));
      if (id.empty()) {
        add_error("file-name", path, "a rule lies in <area>/<name>.yaml, lower case with hyphens", diagnostics_);
        continue;
      }
      const auto text = read(path);
      if (!text) continue;
      Rule rule = load_rule(id, path, *text, techniques, diagnostics_);
      digest_parts_ += digest_of({id, *text});
      put(catalog.rules, std::move(rule), is_override);
    }
  }

  // A file of a known component replaces it.
  void load_floors_of(const std::string& folder, bool is_override, Catalog& catalog) {
    for (const auto& path : find(folder + "/*.yaml")) {
      const std::string component = floor_component(path.substr(folder.size() + 1));
      if (component.empty()) {
        add_error("file-name", path, "a component's name is lower case with hyphens", diagnostics_);
        continue;
      }
      const auto text = read(path);
      if (!text) continue;
      FloorFile file = load_floors(component, path, *text, diagnostics_);
      digest_parts_ += digest_of({kFloorsFolder, component, *text});
      file.overrides_shipped = is_override && std::erase_if(catalog.floors, [&](const FloorFile& old) {
                                                return old.component == component;
                                              }) > 0;
      catalog.floors.push_back(std::move(file));
    }
  }

  void load_policies(const std::string& folder, Catalog& catalog) {
    for (const auto& path : find(folder + "/*.yaml")) {
      const auto text = read(path);
      if (!text) continue;
      const auto name =
          path.substr(folder.size() + 1, path.size() - folder.size() - 1 - std::string_view(".yaml").size());
      digest_parts_ += digest_of({name, *text});
      std::erase_if(catalog.policies, [&](const Policy& policy) { return policy.name == name; });
      catalog.policies.push_back(load_policy(name, path, *text, diagnostics_));
    }
  }

  const std::string& digest_parts() const { return digest_parts_; }

 private:
  std::vector<std::string> find(const std::string& pattern) {
    std::vector<Error> errors;
    auto paths = expand_glob(files_, pattern, errors);
    for (auto& error : errors) add_error("unreadable", pattern, error.message, diagnostics_);
    return paths;
  }

  std::optional<std::string> read(const std::string& path) {
    auto file = files_.read(path);
    if (!file) {
      add_error("unreadable", path, file.error().message, diagnostics_);
      return std::nullopt;
    }
    if (file->truncated) add_error("too-large", path, "the file is larger than 1 MiB", diagnostics_);
    sources_.push_back({path, file->stat.size, file->stat.mtime});
    return std::move(file->bytes);
  }

  // A rule with a known id replaces it.
  static void put(std::vector<Rule>& rules, Rule rule, bool is_override) {
    const auto old = std::find_if(rules.begin(), rules.end(), [&](const Rule& other) { return other.id == rule.id; });
    if (old == rules.end()) {
      rules.push_back(std::move(rule));
      return;
    }
    rule.overrides_shipped = is_override;
    *old = std::move(rule);
  }

  const Files& files_;
  std::vector<Diagnostic>& diagnostics_;
  std::vector<CompiledSource>& sources_;
  std::string digest_parts_;
};

void sort_catalog(Catalog& catalog) {
  std::sort(catalog.rules.begin(), catalog.rules.end(), [](const Rule& a, const Rule& b) { return a.id < b.id; });
  std::sort(catalog.policies.begin(), catalog.policies.end(),
            [](const Policy& a, const Policy& b) { return a.name < b.name; });
  std::sort(catalog.floors.begin(), catalog.floors.end(),
            [](const FloorFile& a, const FloorFile& b) { return a.component < b.component; });
}

// Whether a compiled file says what the sources say now.
bool is_fresh(const CompiledRules& compiled, const CatalogPlaces& places, const Files& files) {
  if (compiled.tool_version != GPUHARDEN_VERSION) return false;
  std::vector<Error> errors;
  auto paths = expand_glob(files, places.rules + "/*/*.yaml", errors);
  for (const auto& path : expand_glob(files, places.policies + "/*.yaml", errors)) paths.push_back(path);
  for (const auto* name : {"attack", "atlas"}) paths.push_back(concat({places.rules, "/reference/", name, ".tsv"}));
  std::sort(paths.begin(), paths.end());
  if (paths.size() != compiled.sources.size()) return false;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const auto stat = files.stat(paths[i]);
    const CompiledSource& source = compiled.sources[i];
    if (!stat || paths[i] != source.path || stat->size != source.size || stat->mtime != source.mtime) return false;
  }
  return true;
}

bool use_compiled(const CatalogPlaces& places, const Files& files, Catalog& catalog) {
  if (places.compiled.empty()) return false;
  const auto file = files.read(places.compiled, kCompiledCap);
  if (!file) return false;
  auto compiled = read_compiled(file->bytes);
  if (!compiled) return false;
  // What is installed is made together; a build tree may have been edited since.
  if (places.is_build_tree && !is_fresh(*compiled, places, files)) return false;
  catalog.rules = std::move(compiled->rules);
  catalog.policies = std::move(compiled->policies);
  catalog.techniques = std::move(compiled->techniques);
  catalog.floors = std::move(compiled->floors);
  catalog.digest = compiled->digest;
  return true;
}

void warn_of_replaced(Catalog& catalog) {
  for (const auto& rule : catalog.rules) {
    if (rule.overrides_shipped) catalog.warnings.push_back(concat({rule.id, " is replaced by ", rule.place.file}));
  }
  for (const auto& file : catalog.floors) {
    if (file.overrides_shipped)
      catalog.warnings.push_back(concat({"the floors of ", file.component, " are replaced by ", file.place.file}));
  }
}

void load_overrides(const CatalogPlaces& places, const Files& files, Catalog& catalog,
                    std::vector<Diagnostic>& diagnostics) {
  std::vector<CompiledSource> sources;
  Loader loader(files, diagnostics, sources);
  TechniqueTables techniques = catalog.techniques;
  const bool has_overrides = !places.overrides.empty() && files.stat(places.overrides);
  if (!has_overrides && places.extra_rules.empty()) return;
  loader.load_techniques(places.rules, techniques);
  if (has_overrides) {
    check_trust(places.overrides, files, diagnostics);
    loader.load_rules(places.overrides + "/rules.d", techniques, true, catalog);
    loader.load_floors_of(places.overrides + "/floors.d", true, catalog);
    loader.load_policies(places.overrides + "/policies.d", catalog);
    for (const auto& source : sources) {
      if (source.path.starts_with(places.overrides)) check_trust(source.path, files, diagnostics);
    }
  }
  for (const auto& folder : places.extra_rules) {
    if (!files.stat(folder)) add_error("unreadable", folder, "no such folder", diagnostics);
    loader.load_rules(folder, techniques, true, catalog);
    loader.load_floors_of(folder + "/floors", true, catalog);
    catalog.trust = "option";
    catalog.warnings.push_back(concat({"rules of ", folder, " are used because an option names it"}));
  }
  if (loader.digest_parts().empty()) return;
  if (catalog.trust == "shipped") catalog.trust = "overridden";
  warn_of_replaced(catalog);
  catalog.digest = digest_of({catalog.digest, loader.digest_parts()});
  catalog.techniques = std::move(techniques);
}

}  // namespace

CatalogPlaces default_places() {
  CatalogPlaces places;
  places.overrides = "/etc/gpuharden";
  std::string exe(PATH_MAX, '\0');
  const auto length = ::readlink("/proc/self/exe", exe.data(), exe.size());
  exe.resize(length < 0 ? 0 : static_cast<std::size_t>(length));
  places.is_build_tree = is_within(exe, GPUHARDEN_BINARY_DIR);
  const std::string base = places.is_build_tree ? GPUHARDEN_SOURCE_DIR : GPUHARDEN_DATADIR;
  places.rules = base + "/rules";
  places.policies = base + "/policies";
  places.compiled = (places.is_build_tree ? std::string(GPUHARDEN_BINARY_DIR) : base) + "/rules.compiled";
  return places;
}

Catalog parse_catalog(const CatalogPlaces& places, const Files& files, std::vector<Diagnostic>& diagnostics,
                      std::vector<CompiledSource>& sources) {
  Catalog catalog;
  Loader loader(files, diagnostics, sources);
  loader.load_techniques(places.rules, catalog.techniques);
  loader.load_rules(places.rules, catalog.techniques, false, catalog);
  loader.load_floors_of(places.rules + "/floors", false, catalog);
  loader.load_policies(places.policies, catalog);
  sort_catalog(catalog);
  std::sort(sources.begin(), sources.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  catalog.digest = digest_of({loader.digest_parts()});
  return catalog;
}

Catalog load_catalog(const CatalogPlaces& places, const Files& files, std::vector<Diagnostic>& diagnostics) {
  Catalog catalog;
  if (!use_compiled(places, files, catalog)) {
    std::vector<CompiledSource> sources;
    catalog = parse_catalog(places, files, diagnostics, sources);
  }
  if (places.is_build_tree) {
    catalog.trust = "build-tree";
    catalog.warnings.push_back(concat({"rules of the build tree ", places.rules, " are used"}));
  } else {
    for (const auto& path : {places.rules, places.policies, places.compiled}) check_trust(path, files, diagnostics);
  }
  load_overrides(places, files, catalog, diagnostics);
  sort_catalog(catalog);
  if (catalog.rules.empty() && diagnostics.empty())
    add_error("no-rules", places.rules, "there are no rules", diagnostics);
  return catalog;
}

}  // namespace gpuharden
