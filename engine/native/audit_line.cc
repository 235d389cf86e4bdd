// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/native/audit_line.h"

#include <linux/audit.h>

#include <algorithm>
#include <array>
#include <vector>

#include "engine/base/text.h"
#include "engine/native/audit_names.h"
#include "engine/native/audit_value.h"

namespace gpuharden {
namespace {

constexpr std::uint32_t kAllPerms = AUDIT_PERM_READ | AUDIT_PERM_WRITE | AUDIT_PERM_EXEC | AUDIT_PERM_ATTR;
constexpr std::size_t kMaxKey = 256;
constexpr std::size_t kMaxPath = 4096;
// Options with a value, and those without.
constexpr std::string_view kValued = "efrbaAdSFCmRwWkpq";
constexpr std::string_view kBare = "hicslDvt";
constexpr std::array<std::string_view, 3> kLongBare = {"--loginuid-immutable", "--reset-lost",
                                                       "--reset_backlog_wait_time_actual"};
constexpr std::array<std::string_view, 2> kLongValued = {"--backlog_wait_time", "--signal"};

class LineParser {
 public:
  LineParser(std::string_view line, const AuditWords& words) : line_(line), names_(words) {}

  AuditLine parse() {
    // Blanks alone part words: a tab is part of one.
    for (const auto word : split(line_, ' ')) {
      if (!word.empty()) words_.push_back(word);
    }
    if (words_.empty() || words_.front().starts_with('#')) return std::move(out_);
    out_.kind = AuditLine::Kind::kControl;
    while (next_ < words_.size() && out_.error.empty()) read_option();
    if (out_.error.empty()) finish();
    if (!out_.error.empty()) out_.kind = AuditLine::Kind::kBad;
    return std::move(out_);
  }

 private:
  void fail(std::initializer_list<std::string_view> parts) {
    if (out_.error.empty()) out_.error = concat(parts);
  }

  void read_option() {
    const auto word = words_[next_++];
    if (word.starts_with("--")) return read_long(word);
    if (word.size() < 2 || word[0] != '-') return fail({"\"", word, "\" belongs to no option"});
    const char letter = word[1];
    if (kBare.find(letter) != std::string_view::npos) {
      if (word.size() > 2) return fail({"\"", word, "\" is no option"});
      return read_bare(letter);
    }
    if (kValued.find(letter) == std::string_view::npos) return fail({"\"", word, "\" is no option"});
    auto value = word.substr(2);
    if (value.empty()) {
      if (next_ == words_.size()) return fail({word, " wants a value"});
      value = words_[next_++];
    }
    read_valued(letter, value);
  }

  void read_long(std::string_view word) {
    const auto name = word.substr(0, word.find('='));
    if (std::find(kLongBare.begin(), kLongBare.end(), word) != kLongBare.end()) return;
    if (std::find(kLongValued.begin(), kLongValued.end(), name) == kLongValued.end())
      return fail({"\"", word, "\" is no option"});
    if (name.size() == word.size() && next_++ == words_.size()) fail({word, " wants a value"});
  }

  void read_bare(char letter) {
    if (letter == 'i') out_.ignores_errors = true;
    if (letter == 'c') out_.continues_on_error = true;
    if (letter == 'D') out_.deletes_all = true;
  }

  void read_valued(char letter, std::string_view value) {
    switch (letter) {
      case 'e': return read_setting(value, 2, out_.enabled);
      case 'f': return read_setting(value, 2, out_.failure);
      case 'b': return read_setting(value, ~std::uint32_t{0}, out_.backlog_limit);
      case 'a':
      case 'A':
      case 'd': return read_list(letter, value);
      case 'w':
      case 'W': return read_watch(letter, value);
      case 'S': return read_syscalls(value);
      case 'F': return read_field(value);
      case 'C': return read_comparison(value);
      case 'k': return add_key(value);
      case 'p': return read_perm(value);
      default: return;  // -r, -m, -q, -R: no rule
    }
  }

  void read_setting(std::string_view value, std::uint32_t most, std::optional<std::uint32_t>& out) {
    const auto number = parse_unsigned(value);
    if (!number || *number > most) return fail({"\"", value, "\" is no such setting"});
    out = static_cast<std::uint32_t>(*number);
  }

  void begin(char letter) {
    if (has_rule()) return fail({"a line holds one rule"});
    const bool removes = letter == 'd' || letter == 'W';
    out_.kind = removes ? AuditLine::Kind::kRemoval : AuditLine::Kind::kRule;
    out_.rule.prepend = letter == 'A';
  }
  bool has_rule() const { return out_.kind == AuditLine::Kind::kRule || out_.kind == AuditLine::Kind::kRemoval; }

  void read_list(char letter, std::string_view value) {
    begin(letter);
    const auto comma = value.find(',');
    auto list = value.substr(0, comma);
    auto action = comma == std::string_view::npos ? std::string_view() : value.substr(comma + 1);
    if (list == "always" || list == "never") std::swap(list, action);
    const auto number = audit_list_number(list);
    if (!number || (action != "always" && action != "never")) return fail({"\"", value, "\" is no list and action"});
    if (list == "io_uring") out_.doubt = "not every version of auditctl knows the list io_uring";
    out_.rule.list = *number;
    out_.rule.action = action == "never" ? AUDIT_NEVER : AUDIT_ALWAYS;
  }

  void read_watch(char letter, std::string_view value) {
    begin(letter);
    if (value[0] != '/') return fail({"\"", value, "\" is no absolute path"});
    if (value.size() > 1 && value.ends_with('/')) value.remove_suffix(1);
    out_.is_watch = true;
    add_text(AUDIT_WATCH, value);
    out_.rule.fields.push_back({AUDIT_PERM, AUDIT_EQUAL, kAllPerms, {}});
  }

  void read_perm(std::string_view value) {
    const auto perm = read_audit_perm(value);
    if (!out_.is_watch) return fail({"-p comes after -w"});
    if (!perm) return fail({"\"", value, "\": permissions are r, w, x and a"});
    out_.rule.fields[1].value = *perm;
  }

  void read_syscalls(std::string_view value) {
    if (!has_rule() || out_.is_watch) return fail({"-S comes after -a"});
    if (out_.rule.list != AUDIT_FILTER_EXIT && audit_list_name(out_.rule.list) != "io_uring")
      return fail({"this list takes no system calls"});
    out_.names_syscalls = true;
    for (const auto part : split(value, ',')) {
      if (part == "all") {
        add_all_syscalls(out_.rule.mask);
      } else if (const auto number = parse_unsigned(part); number && *number < kMaxSyscall) {
        add_syscall(out_.rule.mask, static_cast<std::uint32_t>(*number));
      } else {
        add_named_syscall(std::string(part));
      }
    }
  }

  void add_named_syscall(const std::string& name) {
    const auto found = syscall_number(machine_ != 0 ? machine_ : names_.machine, name);
    if (found.known == SyscallKnown::kYes) return add_syscall(out_.rule.mask, found.number);
    if (found.known == SyscallKnown::kElsewhere) return fail({"this machine has no system call \"", name, "\""});
    out_.doubt = concat({"the system call \"", name, "\" is not known here"});
  }

  void read_field(std::string_view value) {
    if (!has_rule()) return fail({"-F comes after -a"});
    const auto sign = value.find_first_of("=!<>&");
    if (sign == 0 || sign == std::string_view::npos) return fail({"\"", value, "\" has no operator"});
    std::size_t length = value.size() > sign + 1 && value[sign + 1] == '=' ? 2 : 1;
    const auto op = audit_operator_number(value.substr(sign, length));
    const auto field = audit_field_number(value.substr(0, sign));
    if (!field) return fail({"\"", value.substr(0, sign), "\" is no field"});
    const auto text = value.substr(sign + length);
    if (!op || text.empty()) return fail({"\"", value, "\" is no condition"});
    add_field(*field, *op, text);
  }

  void add_field(std::uint32_t field, std::uint32_t op, std::string_view text) {
    if (field == AUDIT_FILTERKEY) return add_key(text);
    if (field == AUDIT_MSGTYPE && out_.rule.list != AUDIT_FILTER_EXCLUDE && out_.rule.list != AUDIT_FILTER_USER)
      return fail({"msgtype is for the lists exclude and user"});
    if ((field == AUDIT_FSTYPE) != (out_.rule.list == AUDIT_FILTER_FS))
      return fail({"fstype and the list filesystem belong together"});
    if (field == AUDIT_ARCH && out_.names_syscalls) return fail({"arch must stand before -S"});
    if (is_audit_text_field(field)) {
      const bool is_path = field == AUDIT_WATCH || field == AUDIT_DIR || field == AUDIT_EXE;
      if (is_path && text[0] != '/') return fail({"\"", text, "\" is no absolute path"});
      if (field == AUDIT_WATCH && text.ends_with('/')) return fail({"a path= must not end in /"});
      add_text(field, text);
      out_.rule.fields.back().op = op;
      return;
    }
    const auto value = read_audit_value(field, text, names_);
    if (!value.error.empty()) return fail({value.error});
    if (!value.doubt.empty()) out_.doubt = value.doubt;
    const bool is_order = op != AUDIT_EQUAL && op != AUDIT_NOT_EQUAL;
    if (field == AUDIT_LOGINUID && value.number == ~std::uint32_t{0} && is_order)
      return fail({"auid=unset has no order"});
    if (field == AUDIT_ARCH && op == AUDIT_EQUAL) machine_ = value.number;
    out_.rule.fields.push_back({field, op, value.number, {}});
  }

  void add_text(std::uint32_t field, std::string_view text) {
    if (text.size() >= kMaxPath) return fail({"a text is too long"});
    out_.rule.fields.push_back({field, AUDIT_EQUAL, 0, std::string(text)});
  }

  void read_comparison(std::string_view value) {
    const auto equal = value.find('=');
    if (!has_rule() || equal == 0 || equal == std::string_view::npos)
      return fail({"\"", value, "\" compares no fields"});
    const bool is_not = value[equal - 1] == '!';
    const auto number = audit_comparison_number(value.substr(0, equal - (is_not ? 1 : 0)), value.substr(equal + 1));
    if (!number) return fail({"\"", value, "\" compares no fields"});
    const std::uint32_t op = is_not ? AUDIT_NOT_EQUAL : AUDIT_EQUAL;
    out_.rule.fields.push_back({AUDIT_FIELD_COMPARE, op, *number, {}});
  }

  void add_key(std::string_view value) {
    if (!has_rule() && !out_.deletes_all) return fail({"a key comes after the rule"});
    key_ += concat({has_key_ ? "\x01" : "", value});
    has_key_ = true;
    if (key_.size() > kMaxKey) fail({"the key is too long"});
  }

  bool has_field(std::uint32_t field) const {
    return std::any_of(out_.rule.fields.begin(), out_.rule.fields.end(),
                       [&](const AuditField& one) { return one.field == field; });
  }

  void finish() {
    if (!has_rule()) {
      if (has_key_) out_.deletes_all = false;  // -D -k: those of one key
      return;
    }
    const auto& fields = out_.rule.fields;
    const auto paths = std::count_if(fields.begin(), fields.end(), [](const AuditField& one) {
      return one.field == AUDIT_WATCH || one.field == AUDIT_DIR;
    });
    if (paths > 1) return fail({"a rule watches one path"});
    const bool is_bound = paths > 0 || out_.names_syscalls || has_field(AUDIT_PERM) || has_field(AUDIT_EXE) ||
                          out_.rule.list == AUDIT_FILTER_EXCLUDE || out_.rule.list == AUDIT_FILTER_FS;
    if (has_key_ && !is_bound) return fail({"a key wants a path, an exe or a system call"});
    if (has_key_) out_.rule.fields.push_back({AUDIT_FILTERKEY, AUDIT_EQUAL, 0, key_});
    if (out_.rule.fields.size() > AUDIT_MAX_FIELDS) return fail({"too many conditions"});
    if (!out_.names_syscalls && out_.rule.list != AUDIT_FILTER_TASK) add_all_syscalls(out_.rule.mask);
  }

  static constexpr std::uint64_t kMaxSyscall = 32 * AUDIT_BITMASK_SIZE;
  std::string_view line_;
  const AuditWords& names_;
  std::vector<std::string_view> words_;
  std::size_t next_ = 0;
  std::uint32_t machine_ = 0;
  std::string key_;
  bool has_key_ = false;
  AuditLine out_;
};

}  // namespace

AuditLine parse_audit_line(std::string_view line, const AuditWords& words) { return LineParser(line, words).parse(); }

}  // namespace gpuharden
