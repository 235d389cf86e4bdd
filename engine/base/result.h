// SPDX-License-Identifier: GPL-2.0-or-later
// How functions report a failure whose cause lies outside the program.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace gpuharden {

// Why something could not be had. The words are what a probe turns into a gap.
enum class ErrorCode {
  kNotFound,     // it does not exist
  kPermission,   // it exists, this process may not see it
  kNotRegular,   // a FIFO, device, socket or directory where a file is expected
  kRemote,       // on a network, FUSE or automounted file system, never entered
  kTooLarge,     // over the reader's cap
  kLoop,         // too many or magic symbolic links
  kNotHeld,      // this kind of host cannot hold it (netlink in an image)
  kUnsupported,  // the kernel or library lacks the facility
  kMalformed,    // the bytes make no sense
  kTimeout,      // the deadline passed
  kLibrary,      // a library said no
  kStale,        // too old to rest on, or the clock is
  kIo,           // the kernel said no
};

// A stable lower-case word for the code: "permission", "not-found", …
std::string_view to_string(ErrorCode code);
std::optional<ErrorCode> parse_error_code(std::string_view word);

struct Error {
  ErrorCode code = ErrorCode::kIo;
  std::string message;

  // Puts "doing what: " before the message; the outermost link comes first.
  Error while_(std::string_view doing) &&;
};

// The error for `errno_value`, with a message "what: strerror".
Error error_from_errno(int errno_value, std::string_view what);

// Either a value or an Error. Dropping one unchecked does not compile.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT: meant to convert
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: meant to convert

  bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  // Throws std::logic_error when there is no value: that is a bug of the caller.
  T& value() & { return check(), *std::get_if<0>(&state_); }
  const T& value() const& { return check(), *std::get_if<0>(&state_); }
  // By value from a temporary, so that `for (auto& x : *f())` does not walk what is already gone.
  T value() && { return check(), std::move(*std::get_if<0>(&state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  Error& error() { return *std::get_if<1>(&state_); }
  const Error& error() const { return *std::get_if<1>(&state_); }

 private:
  void check() const {
    if (!has_value()) throw std::logic_error("Result without a value: " + error().message);
  }
  std::variant<T, Error> state_;
};

// Success, or the Error that prevented it.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}  // NOLINT: meant to convert

  bool has_value() const { return !error_.has_value(); }
  explicit operator bool() const { return has_value(); }
  Error& error() { return *error_; }
  const Error& error() const { return *error_; }

 private:
  std::optional<Error> error_;
};

using Status = Result<void>;

}  // namespace gpuharden

#define GH_CONCAT_INNER(a, b) a##b
#define GH_CONCAT(a, b) GH_CONCAT_INNER(a, b)

// Leaves the function with the error of a Status or Result.
#define GH_RETURN_IF_ERROR(expression) \
  if (auto gh_status = (expression); !gh_status) return std::move(gh_status).error()

// Declares `target` from a Result, or leaves the function with its error.
#define GH_ASSIGN_OR_RETURN(target, expression) \
  GH_ASSIGN_OR_RETURN_INNER(target, expression, GH_CONCAT(gh_result_, __LINE__))
#define GH_ASSIGN_OR_RETURN_INNER(target, expression, name) \
  auto name = (expression);                                 \
  if (!name) return std::move(name).error();                \
  target = std::move(name).value()

// A broken invariant is a bug, not an outcome: it throws std::logic_error.
#define GH_CHECK(condition) \
  if (!(condition)) throw std::logic_error("broken invariant: " #condition)
