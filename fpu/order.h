// SPDX-License-Identifier: BSD-3-Clause
// Packet order within an SA when some packets are deferred and some are not.
#pragma once

#include <cstdint>

#include "fpu/settings.h"

namespace gate96::fpu {

/// What an SA remembers of its packets' order: zero at first, a member of the SA, written by the worker that
/// owns it.
struct SaOrder {
  std::uint32_t outstanding = 0;  // deferred and not yet handed back
  std::uint64_t arrived = 0;      // numbers its packets
  std::uint64_t newest_out = 0;   // the highest number that has gone on its way
};

enum class Fate : std::uint8_t { kInPlace, kDefer };

/// Where a packet of `sa` goes. A refused one is deferred; a granted one also, where it would otherwise
/// overtake: kSa: whenever anything of its SA is outstanding; kKernel: only if also in atomic context, so
/// that a sender in task context may overtake its own softirq (as crypto/simd.c allows); kNone: never.
[[nodiscard]] inline Fate fate_of(Order order, const SaOrder& sa, bool granted, bool atomic) {
  if (!granted) return Fate::kDefer;
  if (order == Order::kNone || sa.outstanding == 0) return Fate::kInPlace;
  return order == Order::kSa || atomic ? Fate::kDefer : Fate::kInPlace;
}

/// Packet `number` of `sa` goes on its way; true if a later one has gone before it.
[[nodiscard]] inline bool goes_out_late(SaOrder& sa, std::uint64_t number) {
  if (number < sa.newest_out) return true;
  sa.newest_out = number;
  return false;
}

}  // namespace gate96::fpu
