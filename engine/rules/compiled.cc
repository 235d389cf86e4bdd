// SPDX-License-Identifier: GPL-2.0-or-later
// Each struct's fields are named once, and pass through a Packer or an Unpacker.
#include "engine/rules/compiled.h"

#include <algorithm>
#include <concepts>
#include <type_traits>

#include "engine/base/packed.h"

namespace gpuharden {
namespace {

constexpr std::string_view kFormat = "gpuharden.compiled/4";

template <typename T, typename Plain>
concept Is = std::same_as<std::remove_const_t<T>, Plain>;

template <typename Archive, Is<SourcePlace> T>
void fields(Archive& archive, T& place) {
  archive(place.file, place.line, place.column);
}

template <typename Archive, Is<Param> T>
void fields(Archive& archive, T& param) {
  archive(param.name, param.value, param.doc, param.allow_empty, param.place);
}

template <typename Archive, Is<Query> T>
void fields(Archive& archive, T& query) {
  archive(query.horizon, query.sql, query.place, query.reads);
}

template <typename Archive, Is<Fix> T>
void fields(Archive& archive, T& fix) {
  archive(fix.action, fix.args, fix.risk);
}

template <typename Archive, Is<Rule> T>
void fields(Archive& archive, T& rule) {
  archive(rule.id, rule.title, rule.severity, rule.maturity, rule.attack, rule.atlas, rule.controls, rule.tags,
          rule.why, rule.params, rule.queries, rule.message, rule.none, rule.empty, rule.fails_by, rule.fails_by_given,
          rule.key, rule.fix, rule.manual, rule.references, rule.place, rule.overrides_shipped);
}

template <typename Archive, Is<Policy> T>
void fields(Archive& archive, T& policy) {
  archive(policy.name, policy.title, policy.extends, policy.select, policy.require, policy.params, policy.severities,
          policy.expect, policy.floors_max_age, policy.deep, policy.accept, policy.place);
}

template <typename Archive, Is<Floor> T>
void fields(Archive& archive, T& floor) {
  archive(floor.branch, floor.distribution, floor.device, floor.status, floor.scheme, floor.fixed, floor.affected_to,
          floor.eol, floor.advisory, floor.published, floor.cves, floor.open_cves, floor.source);
}

template <typename Archive, Is<FloorFile> T>
void fields(Archive& archive, T& file) {
  archive(file.component, file.title, file.scheme, file.as_of, file.floors, file.place, file.overrides_shipped);
}

template <typename Archive, Is<Technique> T>
void fields(Archive& archive, T& technique) {
  archive(technique.name, technique.tactics, technique.active, technique.revoked_by);
}

template <typename Archive, Is<CompiledSource> T>
void fields(Archive& archive, T& source) {
  archive(source.path, source.size, source.mtime);
}

template <typename Archive, Is<CompiledRules> T>
void fields(Archive& archive, T& rules) {
  archive(rules.tool_version, rules.digest, rules.sources, rules.rules, rules.policies, rules.techniques.attack,
          rules.techniques.atlas, rules.floors);
}

template <typename T>
concept Number = std::integral<T>;
template <typename T>
concept Word = std::is_enum_v<T>;

class Packer {
 public:
  template <typename... T>
  void operator()(const T&... values) {
    (put(values), ...);
  }
  std::string take() { return std::move(out_.bytes()); }

 private:
  void put(const std::string& text) { out_.text(text); }
  template <Number T>
  void put(const T& value) {
    out_.number(static_cast<std::uint64_t>(value));
  }
  template <Word T>
  void put(const T& value) {
    out_.byte(static_cast<char>(value));
  }
  template <typename First, typename Second>
  void put(const std::pair<First, Second>& pair) {
    put(pair.first);
    put(pair.second);
  }
  template <typename T>
  void put(const std::vector<T>& list) {
    put_all(list);
  }
  template <typename Key, typename T, typename Less>
  void put(const std::map<Key, T, Less>& map) {
    put_all(map);
  }
  template <typename T>
  void put(const std::optional<T>& value) {
    put(value.has_value());
    if (value) put(*value);
  }
  void put(std::monostate) {}
  void put(const ParamValue& value) {
    put(value.index());
    std::visit([this](const auto& known) { put(known); }, value);
  }
  template <typename T>
  void put(const T& thing) {
    fields(*this, thing);
  }
  template <typename Range>
  void put_all(const Range& range) {
    put(range.size());
    for (const auto& each : range) put(each);
  }

  PackedWriter out_;
};

// The last word of each enumeration: what is beyond was never written.
template <typename T>
constexpr T kLast{};
template <>
constexpr Severity kLast<Severity> = Severity::kCritical;
template <>
constexpr Maturity kLast<Maturity> = Maturity::kStable;
template <>
constexpr EmptyMeans kLast<EmptyMeans> = EmptyMeans::kPass;
template <>
constexpr FailsBy kLast<FailsBy> = FailsBy::kAbsence;
template <>
constexpr FloorStatus kLast<FloorStatus> = FloorStatus::kPreview;

// What a list takes at once, however many are announced.
constexpr std::size_t kReserved = 1024;

class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : in_(bytes) {}

  template <typename... T>
  void operator()(T&... values) {
    (get(values), ...);
  }
  bool is_done() const { return in_.ok() && in_.at_end(); }

 private:
  void get(std::string& text) { text = in_.text(); }
  template <Number T>
  void get(T& value) {
    value = static_cast<T>(in_.number());
  }
  template <Word T>
  void get(T& value) {
    const auto number = static_cast<unsigned char>(in_.byte());
    if (number > static_cast<unsigned>(kLast<T>)) return in_.fail();
    value = static_cast<T>(number);
  }
  template <typename First, typename Second>
  void get(std::pair<First, Second>& pair) {
    get(pair.first);
    get(pair.second);
  }
  template <typename T>
  void get(std::vector<T>& list) {
    const auto count = size();
    list.reserve(std::min(count, kReserved));
    for (auto left = count; left > 0 && in_.ok(); --left) get(list.emplace_back());
  }
  template <typename Key, typename T, typename Less>
  void get(std::map<Key, T, Less>& map) {
    for (auto left = size(); left > 0 && in_.ok(); --left) {
      std::pair<Key, T> entry;
      get(entry);
      map.insert_or_assign(map.end(), std::move(entry.first), std::move(entry.second));
    }
  }
  template <typename T>
  void get(std::optional<T>& value) {
    if (in_.number() != 0) get(value.emplace());
  }
  void get(ParamValue& value) {
    switch (in_.number()) {
      case 0: return;
      case 1: return get(value.emplace<1>());
      case 2: return get(value.emplace<2>());
      case 3: return get(value.emplace<3>());
      default: in_.fail();
    }
  }
  template <typename T>
  void get(T& thing) {
    fields(*this, thing);
  }
  // How many follow. Each takes some bytes: more than are left were never written.
  std::size_t size() {
    const auto count = in_.number();
    if (count <= in_.bytes_left()) return static_cast<std::size_t>(count);
    in_.fail();
    return 0;
  }

  PackedReader in_;
};

}  // namespace

std::string write_compiled(const CompiledRules& rules) {
  Packer packer;
  packer(std::string(kFormat), rules);
  return packer.take();
}

Result<CompiledRules> read_compiled(std::string_view bytes) {
  Unpacker unpacker(bytes);
  std::string format;
  unpacker(format);
  if (format != kFormat) return Error{ErrorCode::kMalformed, "compiled rules: another format"};
  CompiledRules rules;
  unpacker(rules);
  if (!unpacker.is_done()) return Error{ErrorCode::kMalformed, "compiled rules: cut off or damaged"};
  return rules;
}

}  // namespace gpuharden
