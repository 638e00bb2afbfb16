// SPDX-License-Identifier: BSD-3-Clause
// Portable block functions. Each lies in a code section of its own, so that its size can be told.
#pragma once

#include "sha1/state.h"

namespace gate96::sha1 {

/// Rolled and small: at most 700 bytes of code with gcc -O2.
void generic(std::uint32_t* state, const std::uint8_t* blocks, std::size_t num_blocks);

}  // namespace gate96::sha1
