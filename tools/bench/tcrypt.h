// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "tools/bench/session.h"

namespace gate96::bench {

/// The 22 rows of the kernel's tcrypt for two single-stream backends (default: generic and x86_64), as the
/// patches of 2007 and 2011 were shown: MiB/s and cycles per byte of both, the change of throughput, mean of
/// 5 trials.
void run_tcrypt(Session& session, std::vector<std::string> names);

}  // namespace gate96::bench
