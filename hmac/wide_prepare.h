// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "hmac/avx512.h"
#include "hmac/work.h"

namespace gate96::hmac {

/// Prepares the next group of messages in work.wide: first runs, padded rests in their slots, keys
/// transposed.
GATE96_AVX512 void prepare_group(Work& work);

}  // namespace gate96::hmac
