// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/bench/evict.h"
#include "tools/bench/measure.h"
#include "tools/bench/session.h"

namespace gate96::bench {

/// From now on `contender` finds cold caches before every `every` iterations. `evictor` outlives it.
void make_cold(Contender& contender, Evictor& evictor, std::size_t every);

/// Cold shots are long and few: the eviction takes far longer than what is timed.
Limits cold_limits(const Session& session);

}  // namespace gate96::bench
