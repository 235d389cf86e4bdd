// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/python/record_check.h"

#include <algorithm>
#include <set>

#include "engine/base/text.h"
#include "engine/host/file_digest.h"

namespace gpuharden {
namespace {

using Deadline = std::chrono::steady_clock::time_point;

constexpr std::size_t kRecordCap = std::size_t{64} << 20U;

// One file to be compared.
struct Task {
  std::size_t result = 0;
  std::string path, hash;
  std::uint64_t size = 0;
};

class RecordChecker {
 public:
  RecordChecker(const PythonEnvironment& environment, Deadline deadline)
      : environment_(environment), files_(environment.files()), deadline_(deadline) {}

  std::vector<RecordResult> check() {
    for (const auto& entry : environment_.entries) {
      if (auto package = parse_distribution(entry.name); package && package->has_record) read(*std::move(package));
    }
    std::sort(tasks_.begin(), tasks_.end(), [](const Task& a, const Task& b) { return a.size < b.size; });
    for (const auto& task : tasks_) compare(task);
    if (!is_conda()) find_extra();
    return std::move(results_);
  }

 private:
  void read(Distribution package) {
    RecordResult result;
    result.record = concat({environment_.site_packages, "/", package.folder, "/RECORD"});
    result.package = std::move(package);
    const auto text = files_.read(result.record, kRecordCap);
    if (!text) {
      result.has_record = false;
      if (text.error().code != ErrorCode::kNotFound) result.error = text.error();
    } else {
      if (text->truncated) result.error = Error{ErrorCode::kTooLarge, result.record + ": too large"};
      for (auto& entry : parse_record(text->bytes)) add(result, entry);
    }
    results_.push_back(std::move(result));
  }

  void add(RecordResult& result, RecordEntry& entry) {
    auto path = normal_path(environment_.site_packages, entry.path);
    if (path.empty()) return;
    folders_.insert(path.substr(0, path.rfind('/')));
    recorded_.insert(path);
    if (entry.has_other_hash && !result.error) {
      result.error = Error{ErrorCode::kUnsupported, concat({path, ": recorded with a digest of another kind"})};
    }
    if (entry.hash.empty()) return;
    ++result.files;
    tasks_.push_back({results_.size(), std::move(path), std::move(entry.hash), entry.size});
  }

  void compare(const Task& task) {
    auto& result = results_[task.result];
    if (std::chrono::steady_clock::now() > deadline_) {
      note(result,
           {ErrorCode::kTimeout, concat({result.record, ": not all files were compared in the time that is given"})});
      return;
    }
    const auto digest = file_sha256(files_, task.path, deadline_);
    if (digest && to_base64url(*digest) == task.hash) {
      ++result.verified;
    } else if (digest) {
      add_difference(result, "changed", task.path);
    } else if (digest.error().code == ErrorCode::kNotFound) {
      add_difference(result, "missing", task.path);
    } else if (digest.error().code == ErrorCode::kNotRegular) {
      add_difference(result, "changed", task.path);
    } else {
      note(result, digest.error());
    }
  }

  static void note(RecordResult& result, Error error) {
    if (!result.error) result.error = std::move(error);
  }

  static void add_difference(RecordResult& result, std::string_view state, const std::string& path) {
    if (result.differences.size() == kMaxDifferences)
      ++result.more_differences;
    else
      result.differences.push_back({std::string(state), path});
  }

  // Conda's own packages put libraries there that no RECORD names.
  bool is_conda() const { return files_.stat(environment_.prefix + "/conda-meta").has_value(); }

  void find_extra() {
    RecordResult rest;
    rest.record = environment_.site_packages;
    for (const auto& folder : folders_) {
      if (!folder.starts_with(environment_.site_packages)) continue;  // bin, share
      if (std::chrono::steady_clock::now() > deadline_) {
        note(rest, {ErrorCode::kTimeout, concat({folder, ": not looked at in the time that is given"})});
        break;
      }
      const auto entries = files_.list(folder);
      if (!entries && entries.error().code != ErrorCode::kNotFound) note(rest, entries.error());
      if (!entries) continue;
      for (const auto& entry : *entries) {
        const bool is_library = entry.name.ends_with(".so") || entry.name.find(".so.") != std::string::npos;
        std::string path = concat({folder, "/", entry.name});
        if (is_library && !recorded_.contains(path)) add_difference(rest, "extra", path);
      }
    }
    if (!rest.differences.empty() || rest.error) results_.push_back(std::move(rest));
  }

  const PythonEnvironment& environment_;
  const Files& files_;
  Deadline deadline_;
  std::vector<RecordResult> results_;
  std::vector<Task> tasks_;
  std::set<std::string> folders_;
  std::unordered_set<std::string> recorded_;
};

}  // namespace

std::string normal_path(std::string_view folder, std::string_view path) {
  std::vector<std::string_view> parts;
  const std::string whole = path.starts_with('/') ? std::string(path) : concat({folder, "/", path});
  const std::string_view text = whole;
  for (const auto part : split(text, '/')) {
    if (part.empty() || part == ".") continue;
    if (part != "..") {
      parts.push_back(part);
    } else if (parts.empty()) {
      return {};
    } else {
      parts.pop_back();
    }
  }
  std::string normal;
  for (const auto part : parts) normal += concat({"/", part});
  return normal;
}

std::vector<RecordResult> check_records(const PythonEnvironment& environment, Deadline deadline) {
  return RecordChecker(environment, deadline).check();
}

}  // namespace gpuharden
