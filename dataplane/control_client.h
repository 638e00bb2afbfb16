// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

namespace gate96 {

struct Reply {
  bool is_connected = false;  // false: no gateway answers, and `error` says why
  bool is_whole = false;
  std::string text;  // JSON and a newline, or as much as came
  int error = 0;     // of what went wrong, as errno; 0: the gateway closed the connection
};

/// What the gateway at the control socket `path` answers to one line.
[[nodiscard]] Reply ask_gateway(const std::string& path, const std::string& request);

/// The whole answer; nullopt once standard error says why there is none, and `exit_code` is set.
[[nodiscard]] std::optional<std::string> ask_or_complain(const std::string& path, const std::string& request,
                                                         int& exit_code);

}  // namespace gate96
