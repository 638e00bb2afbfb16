// SPDX-License-Identifier: BSD-3-Clause
#include "tools/bench/cold.h"

namespace gate96::bench {
namespace {

constexpr std::size_t kParts = 16;  // timed parts a shot: one alone varies by a third

}  // namespace

void make_cold(Contender& contender, Evictor& evictor, std::size_t every) {
  contender.prepare = [&evictor] { evictor.evict(); };
  contender.iterations = every;
  contender.parts = kParts;
}

Limits cold_limits(const Session& session) {
  Limits limits = session.limits();
  limits.max_seconds *= 4;
  return limits;
}

}  // namespace gate96::bench
