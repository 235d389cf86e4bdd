// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/report/sample.h"

#include <stdexcept>

#include "engine/cli/stored_fleet.h"
#include "engine/report/fleet_writer.h"

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
  auto waived = finding("kernel.kexec", Severity::kLow, Outcome::kWaived);
  waived.horizons[0].counts[Outcome::kWaived] = 1;
  waived.horizons[0].waiver = {"kdump needs it until the cluster moves", "alice", "2027-01-31", Outcome::kFail};
  report.waivers = {{{"kernel.kexec",
                      "kdump needs it until the cluster moves",
                      "alice",
                      20'849,
                      "",
                      "",
                      "gpu-*",
                      "",
                      {"/etc/gpuharden/waivers.d/kdump.yaml", 2, 5}},
                     WaiverState::kActive,
                     62,
                     1}};
  report.rules = {critical,
                  boot,
                  error,
                  unknown,
                  waived,
                  finding("ports.dcgm", Severity::kHigh, Outcome::kNotEvaluated),
                  finding("accounts.uid-zero", Severity::kCritical, Outcome::kPass),
                  none};
  report.not_selected = {"python.wheels"};
  return report;
}

const std::vector<std::string>& hostile_texts() {
  using namespace std::string_literals;
  static const std::vector<std::string> texts = {
      "\x1b[31mred\x1b[0m\x1b]0;owned\x07"s,
      "nul\0byte \x08 \x7f \x9b"s,
      "caf\xe9 \xc0\xaf \xf5\x80 \xe2\x82"s,                   // Latin-1, overlong, out of range, cut off
      "\xed\xa0\x80 \xed\xbf\xbf \xef\xbf\xbe \xef\xbf\xbf"s,  // surrogates in UTF-8, U+FFFE, U+FFFF
      "]]> </script><script>alert(1)</script> <img src=x onerror=alert(1)> &amp; \"quoted\" 'single'"s,
      "=HYPERLINK(\"https://example.org\")"s,
      "+1+1"s,
      "-2+3|cmd"s,
      "@SUM(1)"s,
      "\tfirst\r\nsecond\nCRITICAL  fake"s,
      "\u202egpj.exe \u200b \u2066"s,
      "{0} %s %n $(reboot) `reboot` [click](https://example.org) ../../../etc/passwd"s,
      "javascript:alert(1)"s,
  };
  return texts;
}

Report hostile_report() {
  Report report = sample_report();
  const auto& texts = hostile_texts();
  report.host.name = texts[0] + "/" + texts[4];
  report.host.os = texts[4];
  report.host.gpus = texts;
  report.profile = texts[2];
  report.warnings = texts;
  auto& horizon = report.rules[0].horizons[0];
  const RowFinding row = horizon.rows[0];
  horizon.rows.clear();
  for (std::size_t i = 0; i < texts.size(); ++i) {
    RowFinding hostile = row;
    hostile.subject = hostile.message = hostile.detail = texts[i];
    hostile.file = "/etc/" + texts[i];
    hostile.evidence.push_back({"value", ValueKind::kText, 0, texts[i]});
    hostile.fingerprint.replace(0, 2, std::to_string(10 + i));
    horizon.rows.push_back(std::move(hostile));
  }
  horizon.rows[0].evidence.push_back({"large", ValueKind::kText, 0, std::string(std::size_t{1} << 20U, '\xc3')});
  horizon.counts[Outcome::kFail] = static_cast<std::int64_t>(texts.size());
  for (auto& finding : report.rules) {
    if (finding.outcome == Outcome::kUnknown || finding.outcome == Outcome::kError)
      finding.horizons[0].reason = texts[0] + texts[4];
    if (finding.outcome == Outcome::kUnknown) finding.horizons[0].gaps[0].sentence = texts[4] + texts[9];
    if (finding.outcome == Outcome::kWaived) finding.horizons[0].waiver->reason = texts[4] + texts[0];
  }
  return report;
}

std::string fleet_page(int hosts) {
  auto fleet = StoredFleet::create();
  if (!fleet) throw std::runtime_error(fleet.error().message);
  for (int i = 0; i < hosts; ++i) {
    Report report = i == 0 ? hostile_report() : sample_report();
    report.host.name += std::to_string(i);
    if (!fleet->add(report)) throw std::runtime_error("adding a report");
  }
  std::string page;
  const auto written = write_fleet_html(*fleet, [&](std::string_view bytes) { page += bytes; });
  if (!written) throw std::runtime_error(written.error().message);
  return page;
}

}  // namespace gpuharden::test
