// SPDX-License-Identifier: BSD-3-Clause
// The intrinsics, and the mark for functions that use them.
#pragma once

#if defined(__x86_64__)

#pragma GCC diagnostic push
// gcc 12 complains of the "undefined" vectors in its own header.
#pragma GCC diagnostic ignored "-Wuninitialized"
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>
#pragma GCC diagnostic pop

/// Marks a function that may use these instructions wherever it stands in a file built for any CPU. Its
/// callers have asked wide_driver_usable(). No lambdas inside: they would not inherit the mark.
#define GATE96_AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,bmi,bmi2,popcnt")))

#else
#define GATE96_AVX512
#endif
