// SPDX-License-Identifier: BSD-3-Clause
// `gate96 explain`: a capture goes through the running gateway's own code, without ports, and every packet's
// end is told: the tool for bug reports, and the tests' way in.
#pragma once

#include <string>

#include "dataplane/config.h"

namespace gate96 {

struct ExplainOptions {
  std::string port;     // name of the port that the packets arrive on
  std::string capture;  // file to read
  unsigned burst = 32;  // packets handed over at once, 1..256
  std::string out;      // folder for PORT.pcap of what would leave; empty: none
  bool json = false;
};

/// Prints one line a packet, or JSON. Returns the process's exit code.
[[nodiscard]] int explain(const Config& config, const ExplainOptions& options);

}  // namespace gate96
