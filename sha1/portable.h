// SPDX-License-Identifier: BSD-3-Clause
// Portable block functions. Each lies in a code section of its own, so that its size can be told.
#pragma once

#include "sha1/state.h"

namespace gate96::sha1 {

/// Rolled and small: at most 700 bytes of code with gcc -O2.
void generic(std::uint32_t* state, const std::uint8_t* blocks, std::size_t num_blocks);

/// All eighty rounds written out by the compiler, with 16 message words used in a circle.
void unrolled(std::uint32_t* state, const std::uint8_t* blocks, std::size_t num_blocks);

#if defined(__x86_64__)
/// The same source, compiled for BMI1 and BMI2.
void unrolled_bmi2(std::uint32_t* state, const std::uint8_t* blocks, std::size_t num_blocks);
#endif

}  // namespace gate96::sha1
