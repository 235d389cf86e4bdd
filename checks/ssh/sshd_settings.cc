// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/ssh/sshd_settings.h"

#include <algorithm>
#include <set>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::size_t kMaxDepth = 16;  // as sshd
constexpr std::size_t kMaxFiles = 2000;
constexpr std::size_t kMaxBytes = std::size_t{16} << 20U;  // of all files together
constexpr std::size_t kMaxSettings = 100000;

struct MatchBlock {
  std::string criteria;  // "" outside
  std::string file;
  std::uint32_t line = 0;
};

class SettingsReader {
 public:
  explicit SettingsReader(const Files& files) : files_(files) {}

  void add_command(std::vector<SshdLine> lines) {
    for (auto& line : lines) add(std::move(line), "", {});
  }

  void read(const std::string& path, const MatchBlock& outer, std::size_t depth) {
    auto block = outer;
    if (++read_count_ > kMaxFiles || read_bytes_ > kMaxBytes)
      return note({ErrorCode::kTooLarge, concat({path, ": too many included files"})});
    const auto file = files_.read(path);
    if (!file) return note(file.error());
    read_bytes_ += file->bytes.size();
    if (file->truncated) note({ErrorCode::kTooLarge, concat({path, ": too large, its end was not read"})});
    for (auto& line : parse_sshd_conf(file->bytes)) {
      if (line.is_bad) {
        note({ErrorCode::kMalformed, concat({path, ":", std::to_string(line.line), ": a quote is not closed"})});
      } else if (line.option == "match") {
        block = inner_block(outer, join(line.words, " "), path, line.line);
      } else if (line.option == "include") {
        include(line, path, block, depth);
      } else {
        add(std::move(line), path, block);
      }
    }
  }

  SshdSettings take() {
    mark_effective();
    return std::move(out_);
  }

 private:
  // Each once: files may include each other thousands of times.
  void note(Error error) {
    if (noted_.insert(error.message).second) out_.errors.push_back(std::move(error));
  }

  // Inside an included file a Match line narrows the block that the Include stands in.
  static MatchBlock inner_block(const MatchBlock& outer, std::string criteria, const std::string& path,
                                std::uint32_t line) {
    if (equals_ignore_case(criteria, "all")) criteria = "all";
    const bool is_alone = outer.criteria.empty() || outer.criteria == "all";
    return {is_alone ? criteria : concat({outer.criteria, " + ", criteria}), path, line};
  }

  void include(const SshdLine& line, const std::string& path, const MatchBlock& block, std::size_t depth) {
    if (depth + 1 >= kMaxDepth)
      return note({ErrorCode::kTooLarge, concat({path, ":", std::to_string(line.line), ": includes go too deep"})});
    for (const auto& word : line.words) {
      if (word.starts_with("~")) {
        note({ErrorCode::kUnsupported, concat({path, ": Include of ", word, " is not followed"})});
        continue;
      }
      const std::string pattern = word.starts_with("/") ? word : concat({"/etc/ssh/", word});
      std::vector<Error> errors;
      for (const auto& file : expand_glob(files_, pattern, errors, kMaxFiles)) read(file, block, depth + 1);
      for (auto& error : errors) note(std::move(error));
    }
  }

  void add(SshdLine line, const std::string& path, const MatchBlock& block) {
    if (out_.settings.size() < kMaxSettings) {
      out_.settings.push_back({std::move(line.option), std::move(line.words), block.criteria, block.line, block.file,
                               path, line.line, false});
    } else if (!is_full_) {
      is_full_ = true;
      note({ErrorCode::kTooLarge, concat({path, ": too many settings"})});
    }
  }

  void mark_effective() {
    std::set<std::string> decided;          // option + criteria
    std::set<std::string> decided_for_all;  // by a block without a condition: nothing later counts
    for (auto& one : out_.settings) {
      const bool is_first = decided.insert(concat({one.option, "\n", one.match})).second || adds_up(one.option);
      one.is_effective = is_first && (one.match.empty() || decided_for_all.count(one.option) == 0);
      if (one.match == "all" && one.is_effective && !adds_up(one.option)) decided_for_all.insert(one.option);
    }
    // What stands outside never holds where a block without a condition says otherwise.
    for (auto& one : out_.settings) {
      if (one.match.empty() && decided_for_all.count(one.option) != 0) one.is_effective = false;
    }
  }

  const Files& files_;
  SshdSettings out_;
  std::set<std::string> noted_;
  std::size_t read_count_ = 0;
  std::size_t read_bytes_ = 0;
  bool is_full_ = false;
};

}  // namespace

SshdSettings read_sshd_settings(const Files& files, std::string_view path, std::vector<SshdLine> from_command) {
  SettingsReader reader(files);
  reader.add_command(std::move(from_command));
  reader.read(std::string(path), {}, 0);
  return reader.take();
}

std::vector<SshdDefault> sshd_defaults() {
  return {{"port", "22"},
          {"permitrootlogin", "prohibit-password"},
          {"passwordauthentication", "yes"},
          {"kbdinteractiveauthentication", "yes"},
          {"pubkeyauthentication", "yes"},
          {"permitemptypasswords", "no"},
          {"hostbasedauthentication", "no"},
          {"ignorerhosts", "yes"},
          {"gssapiauthentication", "no"},
          {"usepam", "no"},
          {"strictmodes", "yes"},
          {"permituserenvironment", "no"},
          {"allowtcpforwarding", "yes"},
          {"allowstreamlocalforwarding", "yes"},
          {"allowagentforwarding", "yes"},
          {"gatewayports", "no"},
          {"permittunnel", "no"},
          {"x11forwarding", "no"},
          {"maxauthtries", "6"},
          {"logingracetime", "120"},
          {"authenticationmethods", "any"},
          {"authorizedkeysfile", ".ssh/authorized_keys .ssh/authorized_keys2"},
          {"authorizedkeyscommand", "none"},
          {"loglevel", "INFO"}};
}

}  // namespace gpuharden
