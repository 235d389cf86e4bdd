// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/native/nft_control.h"

#include <nftables/libnftables.h>
#include <sched.h>

#include <cerrno>
#include <fstream>
#include <functional>

#include "engine/base/text.h"
#include "engine/native/child_call.h"
#include "engine/native/lazy_library.h"

namespace gpuharden {
namespace {

constexpr auto kPatience = std::chrono::seconds(10);
constexpr const char* kLibrary = "libnftables.so.1";
constexpr std::string_view kWhat = "nft";
// Words by which a text would reach beyond its block.
constexpr std::string_view kForbidden[] = {"include", "define", "redefine", "undefine", "flush"};

struct Functions {
  decltype(&::nft_ctx_new) make = nullptr;
  decltype(&::nft_ctx_free) free = nullptr;
  decltype(&::nft_ctx_buffer_output) buffer_output = nullptr;
  decltype(&::nft_ctx_buffer_error) buffer_error = nullptr;
  decltype(&::nft_ctx_get_output_buffer) output = nullptr;
  decltype(&::nft_ctx_get_error_buffer) error = nullptr;
  decltype(&::nft_ctx_output_set_flags) set_flags = nullptr;
  decltype(&::nft_ctx_clear_include_paths) clear_include_paths = nullptr;
  decltype(&::nft_run_cmd_from_buffer) run = nullptr;
};

Result<Functions> load_functions() {
  GH_ASSIGN_OR_RETURN(LazyLibrary library, LazyLibrary::open(kLibrary));
  Functions functions;
  library.find("nft_ctx_new", functions.make);
  library.find("nft_ctx_free", functions.free);
  library.find("nft_ctx_buffer_output", functions.buffer_output);
  library.find("nft_ctx_buffer_error", functions.buffer_error);
  library.find("nft_ctx_get_output_buffer", functions.output);
  library.find("nft_ctx_get_error_buffer", functions.error);
  library.find("nft_ctx_output_set_flags", functions.set_flags);
  library.find("nft_ctx_clear_include_paths", functions.clear_include_paths);
  library.find("nft_run_cmd_from_buffer", functions.run);
  GH_RETURN_IF_ERROR(library.is_whole());
  return functions;
}

// A kernel that must not load modules any more lacks what it has not loaded yet.
bool are_modules_disabled() {
  std::ifstream file("/proc/sys/kernel/modules_disabled");
  return file.get() == '1';
}

// nft's first line, without the place in a text that nobody sees.
Error refusal(std::string_view said) {
  auto line = said.substr(0, said.find('\n'));
  if (const auto place = line.find("Error: "); place != std::string_view::npos) line.remove_prefix(place + 7);
  std::string message = concat({kWhat, ": ", line.empty() ? "refused without a word" : escape_for_terminal(line)});
  if (line.find("Operation not permitted") != std::string_view::npos) return {ErrorCode::kPermission, message};
  const bool lacks = line.find("not supported") != std::string_view::npos ||
                     line.find("No such file or directory") != std::string_view::npos;
  if (!lacks) return {ErrorCode::kLibrary, message};
  if (are_modules_disabled()) message += "; kernel.modules_disabled is 1, so the kernel loads nothing that it lacks";
  return {ErrorCode::kUnsupported, message};
}

enum class Where { kHere, kThrownAway };

class Nft {
 public:
  // A context speaks to the namespace that it was made in: that must be entered first.
  static Result<std::string> use(Where where, const std::function<Result<std::string>(Nft&)>& work) {
    return call_in_child(kWhat, kPatience, [&]() -> Result<std::string> {
      if (where == Where::kThrownAway && ::unshare(CLONE_NEWNET) != 0)
        return error_from_errno(errno, "nft: a network namespace to try in");
      GH_ASSIGN_OR_RETURN(const Functions functions, load_functions());
      Nft nft(functions);
      if (nft.context_ == nullptr) return Error{ErrorCode::kLibrary, "nft: no context"};
      return work(nft);
    });
  }
  Nft(const Nft&) = delete;
  Nft& operator=(const Nft&) = delete;
  ~Nft() { functions_.free(context_); }

  Result<std::string> run(const std::string& commands) {
    if (functions_.run(context_, commands.c_str()) != 0) return refusal(functions_.error(context_));
    return std::string(functions_.output(context_));
  }

  // nft's listing of a table that is not there is an error, so the names are listed first.
  Result<std::string> list() {
    GH_ASSIGN_OR_RETURN(const std::string tables, run("list tables inet"));
    for (const auto line : split(tables, '\n')) {
      if (line == "table inet gpuharden") return run("list table inet gpuharden");
    }
    return std::string();
  }

 private:
  explicit Nft(const Functions& functions) : functions_(functions), context_(functions.make(NFT_CTX_DEFAULT)) {
    if (context_ == nullptr) return;
    functions_.buffer_output(context_);
    functions_.buffer_error(context_);
    functions_.clear_include_paths(context_);
    // Numbers where nft would ask files of the machine for names: the same text on every machine.
    functions_.set_flags(context_,
                         NFT_CTX_OUTPUT_STATELESS | NFT_CTX_OUTPUT_NUMERIC_PRIO | NFT_CTX_OUTPUT_NUMERIC_PROTO);
  }
  Functions functions_;
  nft_ctx* context_;
};

Error more_than_a_table(std::string_view what) { return {ErrorCode::kMalformed, concat({"the table's text ", what})}; }

// Walks over a text, and knows what is quoted.
class BlockReader {
 public:
  Status read(std::string_view text) {
    for (const char c : text) {
      if (is_over_) return more_than_a_table("goes on after its closing brace");
      GH_RETURN_IF_ERROR(step(c));
    }
    if (!is_over_ || is_quoted_) return more_than_a_table("has no end");
    return {};
  }

 private:
  Status step(char c) {
    if (c == '"') {
      is_quoted_ = !is_quoted_;
      return {};
    }
    if (is_quoted_) return {};
    if (c == '#' || c == '\0' || c == '$') return more_than_a_table("holds a comment or a variable");
    if ((c >= 'a' && c <= 'z') || c == '_') {
      word_ += c;
      return {};
    }
    GH_RETURN_IF_ERROR(end_word());
    if (c == '{') ++depth_;
    if (c == '}') is_over_ = --depth_ <= 0;
    return {};
  }
  Status end_word() {
    for (const auto word : kForbidden) {
      if (word_ == word) return more_than_a_table(concat({"has the word ", word}));
    }
    word_.clear();
    return {};
  }
  int depth_ = 0;
  bool is_quoted_ = false;
  bool is_over_ = false;
  std::string word_;
};

}  // namespace

Status is_guard_table(std::string_view text) {
  const auto body = trim(text);
  if (!body.starts_with("table inet gpuharden {")) return more_than_a_table("is not for inet gpuharden");
  return BlockReader().read(body);
}

// Deleting wants a table that is there, so an empty one is made first; all in one batch.
std::string guard_batch(std::string_view text) {
  return concat({"table inet gpuharden\ndelete table inet gpuharden\n", text, text.ends_with('\n') ? "" : "\n"});
}

Result<std::string> list_guard_table() {
  return Nft::use(Where::kHere, [](Nft& nft) { return nft.list(); });
}

Status replace_guard_table(std::string_view text) {
  if (!text.empty()) GH_RETURN_IF_ERROR(is_guard_table(text));
  const auto batch = guard_batch(text);
  auto done = Nft::use(Where::kHere, [&](Nft& nft) { return nft.run(batch); });
  if (!done) return std::move(done).error();
  return {};
}

Result<std::string> prove_guard_table(const std::string& text) {
  GH_RETURN_IF_ERROR(is_guard_table(text));
  return Nft::use(Where::kThrownAway, [&](Nft& nft) -> Result<std::string> {
    // A new namespace has no table; anything else would be the host's.
    GH_ASSIGN_OR_RETURN(const std::string tables, nft.run("list tables"));
    if (!tables.empty()) return Error{ErrorCode::kIo, "nft: the namespace to try in is not empty"};
    GH_RETURN_IF_ERROR(nft.run(guard_batch(text)));
    return nft.list();
  });
}

}  // namespace gpuharden
