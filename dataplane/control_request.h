// SPDX-License-Identifier: BSD-3-Clause
// What a client may ask at the control socket: one line, "counters", "ports", "sa", "crypto", "fpu", "events"
// or "reload [FILE]".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gate96 {

struct Request {
  enum class Kind { kShow, kReload, kWrong };

  Kind kind = Kind::kWrong;
  std::string text;  // kShow: of what; kReload: the file, empty: the one in force; kWrong: why
};

/// `line` without its newline.
[[nodiscard]] Request parse_request(std::string_view line);

/// Puts a request together from what arrives, however it is cut. Holds no more than kMaxLen bytes.
class RequestReader {
 public:
  static constexpr std::size_t kMaxLen = 4200;  // "reload " and a path

  /// What follows the first newline is not looked at.
  void take(std::string_view bytes);
  /// No more will come. A line without its newline may be a part of one that was meant: it is wrong.
  void end();

  /// Nullopt: not yet all there.
  [[nodiscard]] const std::optional<Request>& request() const { return request_; }
  [[nodiscard]] bool empty() const { return line_.empty(); }

 private:
  std::string line_;
  std::optional<Request> request_;
};

}  // namespace gate96
