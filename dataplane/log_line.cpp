// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/log_line.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <climits>

namespace gate96 {

bool log_line(std::string_view line) {
  while (!line.empty()) {
    pollfd err = {STDERR_FILENO, POLLOUT, 0};
    if (poll(&err, 1, 0) != 1 || (err.revents & POLLOUT) == 0) return false;
    // So many a writable pipe takes at once (pipe(7), poll(2)).
    const ssize_t num = write(STDERR_FILENO, line.data(), std::min<std::size_t>(line.size(), PIPE_BUF));
    if (num < 0) return false;
    line.remove_prefix(static_cast<std::size_t>(num));
  }
  return true;
}

}  // namespace gate96
