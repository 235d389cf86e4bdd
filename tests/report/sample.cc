// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/report/sample.h"

namespace gpuharden::test {
namespace {

RuleFinding finding(std::string id, Severity severity, Outcome outcome) {
  RuleFinding out;
  out.rule.id = std::move(id);
  out.rule.title = "Nothing is open";
  out.rule.severity = severity;
  out.rule.why = "What is open can be used by whoever finds it, and on a shared machine somebody does.";
  out.rule.manual = "Close it.";
  out.rule.references = {"https://example.org/"};
  out.rule.controls["nist-800-53r5"] = {"SI-7"};
  out.attack = {{"T1574.006", "Dynamic Linker Hijacking", {"execution", "stealth"}}};
  out.outcome = outcome;
  out.horizons.push_back({"now", outcome, "", {}, {}, {}});
  return out;
}

RowFinding row(std::string subject, std::string message, std::string file, std::int64_t line) {
  RowFinding out;
  out.subject = std::move(subject);
  out.outcome = Outcome::kFail;
  out.message = std::move(message);
  out.file = std::move(file);
  out.line = line;
  out.evidence = {{"port", ValueKind::kInteger, 11434, ""},
                  {"owner", ValueKind::kText, 0, "mallory"},
                  {"unit", ValueKind::kNull, 0, ""}};
  out.fingerprint = "0123456789abcdef0123456789abcdef";
  return out;
}

}  // namespace

Report sample_report() {
  Report report;
  report.tool_version = "0.1.0";
  report.rules_digest = std::string(64, 'a');
  report.rules_trust = "shipped";
  report.host = {"gpu-07", "live", "Ubuntu 24.04.4 LTS", "6.8.0-60-generic", "x86_64", "1-2-3", {}, true};
  report.profile = "server";
  report.started = 1'796'000'000;
  report.duration_us = 41'300;
  report.exit_code = 2;
  auto critical = finding("env.injection-variable", Severity::kCritical, Outcome::kFail);
  critical.horizons[0].rows = {row("vllm.service",
                                   "CUDA_INJECTION64_PATH=/tmp/libprof.so is loaded into every CUDA process of "
                                   "vllm.service; the file is writable by uid 1004 (mallory)",
                                   "/etc/systemd/system/vllm.service.d/10-tune.conf", 4)};
  critical.horizons[0].counts[Outcome::kFail] = 1;
  auto boot = finding("dkms.next-kernel", Severity::kHigh, Outcome::kFail);
  boot.horizons[0].outcome = Outcome::kPass;
  boot.horizons.push_back({"next_boot",
                           Outcome::kFail,
                           "",
                           {row("6.8.0-63-generic", "kernel 6.8.0-63 has no nvidia module", "", 0)},
                           {{Outcome::kFail, 12}},
                           {}});
  auto unknown = finding("env.startup-file-type", Severity::kMedium, Outcome::kUnknown);
  unknown.horizons[0].reason = "/home/alice is on nfs4 and was not entered";
  unknown.horizons[0].gaps = {
      {"startup_files", "/home/alice", "*", ErrorCode::kRemote, "/home/alice is on nfs4 and was not entered"}};
  auto error = finding("ports.ray", Severity::kHigh, Outcome::kError);
  error.horizons[0].reason = "reading table listening_sockets: no answer within 10000 ms";
  auto none = finding("dkms.signing", Severity::kMedium, Outcome::kNotApplicable);
  none.horizons[0].reason = "No DKMS module";
  report.rules = {critical,
                  boot,
                  error,
                  unknown,
                  finding("kernel.kexec", Severity::kLow, Outcome::kWaived),
                  finding("ports.dcgm", Severity::kHigh, Outcome::kNotEvaluated),
                  finding("accounts.uid-zero", Severity::kCritical, Outcome::kPass),
                  none};
  report.not_selected = {"python.wheels"};
  return report;
}

}  // namespace gpuharden::test
