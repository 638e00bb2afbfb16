// SPDX-License-Identifier: BSD-3-Clause
// What is wrong with an input, said so that it can be put right: where, which key, which value, what it must
// be.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gate96 {

enum class Severity { kError, kWarning };

struct Diagnostic {
  Severity severity = Severity::kError;
  std::string file;     // empty: not about a file
  unsigned line = 0;    // from 1; 0: the whole file
  std::string key;      // "sa.spi"; empty: not about a key
  std::string value;    // as written; empty: absent. Never key material
  std::string message;  // what would be right

  bool operator==(const Diagnostic&) const = default;
};

using Diagnostics = std::vector<Diagnostic>;

/// "gw.toml:12: sa.spi = 12: must be 256..4294967295 (RFC 4303 2.1)", parts that are absent left out; a
/// warning has "warning: " after the place.
[[nodiscard]] std::string to_string(const Diagnostic& diagnostic);

/// A JSON array, one object a diagnostic: file, line, key, value, message, severity ("error" or "warning").
[[nodiscard]] std::string to_json(const Diagnostics& diagnostics);

/// A value, or why there is none. Warnings come beside a value.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value, Diagnostics warnings = {})  // NOLINT: `return value;`
      : value_(std::move(value)), diagnostics_(std::move(warnings)) {}
  Result(Diagnostics errors) : diagnostics_(std::move(errors)) {}  // NOLINT: `return errors;`
  Result(Diagnostic error) : diagnostics_{std::move(error)} {}     // NOLINT: `return error;`
  [[nodiscard]] explicit operator bool() const { return value_.has_value(); }
  [[nodiscard]] T& value() & { return *value_; }  // precondition: bool(*this)
  [[nodiscard]] const T& value() const& { return *value_; }
  [[nodiscard]] T&& value() && { return std::move(*value_); }
  [[nodiscard]] T* operator->() { return &*value_; }
  [[nodiscard]] T& operator*() & { return *value_; }
  [[nodiscard]] const Diagnostics& diagnostics() const { return diagnostics_; }

 private:
  std::optional<T> value_;
  Diagnostics diagnostics_;
};

/// An error that is about no file and no key, for Result.
[[nodiscard]] inline Diagnostic error(std::string message) {
  return {.severity = Severity::kError,
          .file = {},
          .line = 0,
          .key = {},
          .value = {},
          .message = std::move(message)};
}

[[nodiscard]] inline bool has_errors(const Diagnostics& diagnostics) {
  return std::ranges::any_of(diagnostics, [](const auto& d) { return d.severity == Severity::kError; });
}

}  // namespace gate96
