// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/gpu/gpu_source.h"

#include "engine/gpu/gpu_report.h"
#include "engine/host/gpu_report_door.h"

namespace gpuharden {
namespace {

// A host that knows nothing but the report, so that the probe is the only one that reads it.
class ReportHost final : public Host, public GpuReportDoor {
 public:
  explicit ReportHost(const std::string& report) : report_(report) {}

  HostKind kind() const override { return HostKind::kLive; }
  const Files& files() const override { throw std::logic_error("no files belong to a report of the GPUs"); }
  Result<KernelName> kernel_name() const override { return none(); }
  bool is_privileged() const override { return true; }
  std::int64_t now() const override { return 0; }
  Result<std::shared_ptr<const Files>> process_root(std::int64_t) const override { return none(); }
  Result<SocketDump> sockets(SocketProtocol, int) const override { return none(); }
  Result<FilterDump> packet_filter() const override { return none(); }
  Result<std::string> audit_status() const override { return none(); }
  Result<std::string> audit_rules() const override { return none(); }
  Result<DirectoryGroup> directory_group(std::string_view) const override { return none(); }
  Result<KernelLog> kernel_log() const override { return none(); }
  Result<std::string> kernel_keys() const override { return none(); }
  Result<std::string> gpu_report() const override { return report_; }

 private:
  static Error none() { return {ErrorCode::kNotHeld, "a report of the GPUs holds nothing else"}; }
  const std::string& report_;
};

}  // namespace

bool is_gpu_table(std::string_view table) { return table == "gpu_devices" || table == "gpu_compute"; }

void GpuSource::expect(std::vector<TableRequest> requests) {
  if (options_)
    std::erase_if(requests, [](const TableRequest& request) { return is_gpu_table(request.probe->schema.name); });
  inner_.expect(std::move(requests));
}

std::unique_ptr<TableData> GpuSource::read(const TableRequest& request) {
  if (!options_ || !is_gpu_table(request.probe->schema.name)) return inner_.read(request);
  if (!report_) report_ = gpu_report_json(run_gpus(*options_, inner_), *options_);
  const ReportHost host(*report_);
  return DirectSource(host).read(request);
}

}  // namespace gpuharden
