// SPDX-License-Identifier: BSD-3-Clause
#include "tools/bench/progress.h"

#include <fmt/format.h>
#include <unistd.h>

namespace gate96::bench {

Progress::Progress(std::size_t total) : total_(total), terminal_(isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
  if (terminal_) fmt::print(stderr, "\r\033[K");
}

void Progress::step(const std::string& what) {
  ++done_;
  if (terminal_) fmt::print(stderr, "\r\033[K{}/{} {}", done_, total_, what);
}

}  // namespace gate96::bench
