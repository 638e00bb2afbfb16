// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "hmac/choice.h"
#include "hmac/telemetry.h"
#include "hmac/work.h"

namespace gate96::hmac {

/// Absorbs up to `max_blocks` (at least 1) blocks of `work`, to one block a lane, on the backends of
/// `choice`, changing to one with fewer lanes as streams run out. Every block counts, those of padding and of
/// outer hashes too. Returns the blocks absorbed. Vector code is the caller's to bracket.
std::uint64_t advance(Work& work, const BackendChoice& choice, std::uint64_t max_blocks,
                      Telemetry& telemetry);

}  // namespace gate96::hmac
