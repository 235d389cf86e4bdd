// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/systemd/unit_loader.h"

#include <algorithm>

#include "checks/systemd/unit_name.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::string_view kNull = "/dev/null";

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

std::string link_target(std::string_view path, std::string_view text) {
  const std::string joined =
      text.starts_with('/') ? std::string(text) : concat({path.substr(0, path.rfind('/') + 1), text});
  std::vector<std::string_view> parts;
  for (const auto part : split(joined, '/')) {
    if (part.empty() || part == ".") continue;
    if (part != "..")
      parts.push_back(part);
    else if (!parts.empty())
      parts.pop_back();
  }
  std::string target;
  for (const auto part : parts) target.append("/").append(part);
  return target;
}

void UnitLoader::load() {
  for (const auto& [name, entries] : folders_.entries) out_.units.push_back(load_names(name, entries));
  for (const auto& name : instance_names()) load_instance(name);
  std::sort(out_.units.begin(), out_.units.end(), [](const Unit& a, const Unit& b) { return a.name < b.name; });
  gather_aliases();
  for (auto& unit : out_.units) read_files(unit);
}

// Where a link leads whose target lies in the search path: systemd then goes on by name.
std::optional<UnitLoader::Resolved> UnitLoader::resolve_searched(std::string_view unit, const std::string& target) {
  const std::string base(base_name(target));
  const auto own = parse_unit_name(unit);
  if (base == unit || !parse_unit_name(base)) return std::nullopt;
  if (!folders_.is_searched(real_folder(std::string(folder_of(target))))) return std::nullopt;
  const bool is_own_template = own && own->is_instance() && base == template_of(*own);
  if (is_own_template) return Resolved{EntryKind::kFile, "", target};
  return Resolved{EntryKind::kAlias, base, ""};
}

Result<UnitLoader::Resolved> UnitLoader::resolve(std::string_view unit, const UnitEntry& entry) {
  FileType type = entry.type;
  if (type == FileType::kUnknown) {
    GH_ASSIGN_OR_RETURN(const FileStat stat, files_.lstat(entry.path));
    type = stat.type;
  }
  if (type != FileType::kSymlink) return Resolved{EntryKind::kFile, "", entry.path};
  GH_ASSIGN_OR_RETURN(const std::string text, files_.read_link(entry.path));
  const std::string target = link_target(entry.path, text);
  if (target == kNull) return Resolved{EntryKind::kMasked, "", ""};
  if (auto found = resolve_searched(unit, target)) return *found;
  const auto real = files_.real_path(entry.path);
  if (!real && real.error().code == ErrorCode::kNotFound) return Resolved{EntryKind::kMissing, "", ""};
  if (!real) return real.error();
  if (*real == kNull) return Resolved{EntryKind::kMasked, "", ""};
  const bool is_inside = folders_.is_searched(folder_of(*real));
  return Resolved{is_inside ? EntryKind::kFile : EntryKind::kLinked, "", entry.path};
}

Unit UnitLoader::load_names(const std::string& name, const std::vector<UnitEntry>& entries) {
  Unit unit;
  unit.name = name;
  unit.type = name.substr(name.rfind('.') + 1);
  unit.fragment = entries.front().path;
  const auto first = resolve(name, entries.front());
  if (!first) {
    add_gap(unit, entries.front().path, first.error());
    return unit;
  }
  unit.is_masked = first->kind == EntryKind::kMasked;
  unit.is_linked = first->kind == EntryKind::kLinked;
  unit.is_missing = first->kind == EntryKind::kMissing;
  if (first->kind == EntryKind::kAlias) unit.alias_of = first->name;
  if (first->kind == EntryKind::kFile) unit.fragment = first->path;
  // A mask hides only this name: the unit that the name meant below it may go by another.
  for (std::size_t i = 1; unit.is_masked && i < entries.size(); ++i) {
    const auto hidden = resolve(name, entries[i]);
    if (hidden && hidden->kind == EntryKind::kAlias) unit.aliases.push_back(hidden->name);
  }
  return unit;
}

// Instances are named by links and drop-in folders; their fragment is the template's.
std::set<std::string> UnitLoader::instance_names() const {
  std::set<std::string> names;
  const auto consider = [&](const std::string& text) {
    const auto name = parse_unit_name(text);
    if (!name || !name->is_instance() || folders_.entries.contains(text)) return;
    if (folders_.entries.contains(template_of(*name))) names.insert(text);
  };
  for (const auto& pull : folders_.pulls) consider(pull.unit);
  for (const auto& [name, folders] : folders_.drop_in_folders) consider(name);
  return names;
}

void UnitLoader::load_instance(const std::string& name) {
  const auto parsed = parse_unit_name(name);
  const Unit base = load_names(template_of(*parsed), folders_.entries.at(template_of(*parsed)));
  Unit unit = base;
  unit.name = name;
  // An alias of a template stands for the same instance of the other template.
  const auto other = parse_unit_name(base.alias_of);
  if (other && other->is_template()) unit.alias_of = concat({other->prefix, "@", parsed->instance, ".", other->type});
  out_.units.push_back(std::move(unit));
}

void UnitLoader::gather_aliases() {
  for (const auto& unit : out_.units) {
    if (unit.alias_of.empty()) continue;
    const Unit& final = out_.final_unit(unit);
    if (&final == &unit) continue;
    auto& names = out_.units[static_cast<std::size_t>(&final - out_.units.data())].aliases;
    names.push_back(unit.name);
  }
}

void UnitLoader::read_files(Unit& unit) {
  if (!unit.alias_of.empty() || unit.is_masked || unit.is_missing || unit.is_unread) return;
  read_fragment(unit);
  if (unit.is_masked || unit.is_unread) return;
  for (const auto& [name, path] : drop_ins_of(unit)) read_source(unit, path);
  unit.settings = merge_settings(unit.name, unit.sources);
}

void UnitLoader::read_fragment(Unit& unit) {
  read_source(unit, unit.fragment);
  // An empty file masks as a link to /dev/null does.
  if (!unit.sources.empty() && unit.sources.front()->stat.size == 0 && unit.sources.front()->text->bytes.empty()) {
    unit.is_masked = true;
    unit.sources.clear();
  }
}

void UnitLoader::add_drop_in_folders(std::string_view name, std::vector<const UnitEntry*>& found) const {
  const auto begin = static_cast<std::ptrdiff_t>(found.size());
  for (const auto& one : drop_in_names(name)) {
    const auto folders = folders_.drop_in_folders.find(one);
    if (folders == folders_.drop_in_folders.end()) continue;
    for (const auto& entry : folders->second) found.push_back(&entry);
  }
  // systemd goes through the search path first and through the names within each folder of it.
  std::stable_sort(found.begin() + begin, found.end(),
                   [](const UnitEntry* a, const UnitEntry* b) { return a->folder < b->folder; });
}

// Path by file name: a name counts once, for the strongest folder that has it.
std::map<std::string, std::string> UnitLoader::drop_ins_of(Unit& unit) {
  std::vector<const UnitEntry*> folders;
  add_drop_in_folders(unit.name, folders);
  for (const auto& alias : unit.aliases) add_drop_in_folders(alias, folders);
  const auto of_type = folders_.drop_in_folders.find(unit.type);
  if (of_type != folders_.drop_in_folders.end()) {
    for (const auto& entry : of_type->second) folders.push_back(&entry);
  }
  std::map<std::string, std::string> paths;
  for (const auto* folder : folders) {
    unit.drop_in_folders.push_back(folder->path);
    for (const auto& entry : list_cached(folder->path)) {
      if (!entry.name.ends_with(".conf") || entry.name[0] == '.') continue;
      paths.emplace(entry.name, concat({folder->path, "/", entry.name}));
    }
  }
  return paths;
}

const std::vector<DirectoryEntry>& UnitLoader::list_cached(const std::string& folder) {
  const auto known = listed_.find(folder);
  if (known != listed_.end()) return known->second;
  auto entries = files_.list(folder);
  const bool is_nothing =
      !entries && (entries.error().code == ErrorCode::kNotFound || entries.error().code == ErrorCode::kNotRegular);
  if (!entries && !is_nothing) out_.gaps.push_back({"*", folder, entries.error()});
  return listed_[folder] = entries ? std::move(*entries) : std::vector<DirectoryEntry>();
}

void UnitLoader::read_source(Unit& unit, const std::string& path) {
  auto known = sources_.find(path);
  if (known == sources_.end()) {
    auto file = files_.read(path);
    Result<std::shared_ptr<const UnitSource>> source = std::shared_ptr<const UnitSource>();
    if (!file) {
      source = file.error();
    } else {
      if (file->truncated) add_gap(unit, path, {ErrorCode::kTooLarge, path + ": too large, its end was not read"});
      source =
          std::make_shared<const UnitSource>(UnitSource{path, file->stat, parse_unit_text(std::move(file->bytes))});
    }
    known = sources_.emplace(path, std::move(source)).first;
  }
  if (known->second) {
    unit.sources.push_back(*known->second);
    return;
  }
  const Error& error = known->second.error();
  const auto link = files_.read_link(path);
  const bool is_masked = link && link_target(path, *link) == kNull;
  if (!is_masked && error.code != ErrorCode::kNotFound) add_gap(unit, path, error);
}

void UnitLoader::add_gap(Unit& unit, const std::string& file, const Error& error) {
  unit.is_unread = true;
  out_.gaps.push_back({unit.name, file, error});
}

std::string UnitLoader::real_folder(const std::string& folder) {
  const auto known = real_folders_.find(folder);
  if (known != real_folders_.end()) return known->second;
  const auto real = files_.real_path(folder.empty() ? "/" : folder);
  return real_folders_[folder] = real ? *real : "";
}

}  // namespace gpuharden
