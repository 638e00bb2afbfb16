// SPDX-License-Identifier: BSD-3-Clause
#include "tools/bench/cold.h"

namespace gate96::bench {
namespace {

constexpr std::size_t kParts = 4;  // timed parts a shot: the TSC ticks too coarsely for one message

}  // namespace

void make_cold(Contender& contender, Evictor& evictor, std::size_t every) {
  contender.prepare = [&evictor] { evictor.evict(); };
  contender.iterations = every;
  contender.parts = kParts;
}

Limits cold_limits(const Session& session) {
  Limits limits = session.limits();
  limits.max_seconds *= 2;
  return limits;
}

}  // namespace gate96::bench
