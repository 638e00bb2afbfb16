// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sha1/backends.h"

namespace gate96::sha1 {

/// Core cycles for each block that the backend absorbs, all its lanes busy, code and data in the first-level
/// cache: the best of many short runs. A rough figure to choose by; gate96-bench has the careful ones. The
/// TSC counts reference cycles, so they are set against chains of one-cycle rotates in between.
[[nodiscard]] double cycles_per_block(const Backend& usable);

}  // namespace gate96::sha1
