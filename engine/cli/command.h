// SPDX-License-Identifier: GPL-2.0-or-later
// The commands of gpuharden. Each adds itself to the parser and runs.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/host/host.h"
#include "engine/model/table.h"
#include "engine/rules/catalog.h"
#include "engine/rules/selection.h"
#include "engine/rules/waivers.h"
#include "engine/scan/reader_pool.h"

namespace CLI {
class App;
}

namespace gpuharden {

// Exit codes of the command line; those of a verdict come from scan/evaluate.h.
constexpr int kExitOk = 0;
constexpr int kExitNoVerdict = 1;
constexpr int kExitUsage = 64;
constexpr int kExitCancelled = 130;

// Which machine is looked at.
struct HostOptions {
  std::string root;     // an image; empty: this machine
  std::string capture;  // a recorded machine
  double timeout = 60;  // seconds for everything
};
void add_host_options(CLI::App& app, HostOptions& options);
Result<std::unique_ptr<Host>> open_host(const HostOptions& options);
// "live", "image" or "capture".
std::string host_kind(const HostOptions& options);
// Started, not waited for: greet() says whether the host could be opened.
Result<std::unique_ptr<ReaderPool>> launch_readers(const HostOptions& options, bool show_progress);

// How audit and query ask this machine's GPUs: quickly. Nothing for an image or a capture.
struct GpuRunOptions;
std::optional<GpuRunOptions> quick_gpu_run(const HostOptions& options);

struct RuleOptions {
  SelectionOptions selection;
  std::vector<std::string> folders;  // --rules
};
void add_rule_options(CLI::App& app, RuleOptions& options);
// Prints every fault on standard error and returns nothing.
std::optional<Catalog> load_catalog_or_complain(const RuleOptions& options);
// Those of /etc/gpuharden/waivers.d and of the named files. Every fault is told, and one is enough for nothing: a
// waiver that is not read must not look like one that fits.
std::optional<std::vector<Waiver>> load_waivers_or_complain(const std::vector<std::string>& named_files);
// The day that waivers are judged by; `now` in seconds since the epoch.
WaiverDay waiver_day(const Catalog& catalog, std::int64_t now);
// Takes the rules out of the catalog. Prints faults; nothing when the options name what is not there.
std::optional<Selection> select_or_complain(Catalog& catalog, const RuleOptions& options);

struct AuditOptions;
struct Report;
// An audit by readers of its own, without waivers and without the GPUs' answers. Complains, and gives nothing, when the
// host cannot be opened.
std::optional<Report> audit_now(const HostOptions& host, const Catalog& catalog, const Selection& selection,
                                const AuditOptions& options);

// Each registers its subcommand; `run` is set to what the command line asked for.
using Runner = std::function<int()>;
void add_audit_command(CLI::App& app, Runner& run);
void add_list_command(CLI::App& app, Runner& run);
void add_explain_command(CLI::App& app, Runner& run);
void add_lint_command(CLI::App& app, Runner& run);
void add_tables_command(CLI::App& app, Runner& run);
void add_query_command(CLI::App& app, Runner& run);
void add_plan_command(CLI::App& app, Runner& run);
void add_apply_command(CLI::App& app, Runner& run);
// confirm, rollback, recover, history and status.
void add_transaction_commands(CLI::App& app, Runner& run);
void add_gpu_command(CLI::App& app, Runner& run);
void add_version_command(CLI::App& app, Runner& run);
void add_diff_command(CLI::App& app, Runner& run);
void add_merge_command(CLI::App& app, Runner& run);
void add_docs_command(CLI::App& app, Runner& run);

// "text, key, never NULL"
std::string column_type_words(const Column& column);
// The path with links resolved, or as it is when there is nothing.
std::string absolute(const std::string& path);
// Everything to standard output; false when it could not be written.
bool print(std::string_view text);
void complain(std::string_view sentence);  // "gpuharden: …" to standard error
// Writes a file anew, by a temporary one beside it and a rename. Its mode is 0644 less the umask, or the given one.
Status write_file(const std::string& path, std::string_view bytes, std::optional<unsigned> mode = std::nullopt);

}  // namespace gpuharden
