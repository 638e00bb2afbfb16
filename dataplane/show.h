// SPDX-License-Identifier: BSD-3-Clause
// `gate96 show`: asks a running gateway over its control socket and prints the answer.
#pragma once

#include <string>

namespace gate96 {

struct ShowOptions {
  std::string control;  // socket path
  std::string what;     // "counters", "ports", "sa", "crypto", "fpu", "events"
  bool json = false;
  bool watch = false;  // again every second, until interrupted
};

/// Prints to standard output. Returns the process's exit code: kNoDaemon if nobody answers.
[[nodiscard]] int show(const ShowOptions& options);

}  // namespace gate96
