// SPDX-License-Identifier: BSD-3-Clause
// SA lifetimes (RFC 4301 4.4.2.1): bytes, packets and seconds, each with a soft and a hard limit. Only
// packets that are sent, or received and accepted, age an SA. The bytes are those that ESP encrypts, with
// NULL too: payload, padding, pad length and next header. An SA's lifetime begins anew when the gateway does.
#pragma once

#include <cstdint>

#include "dataplane/config.h"

namespace gate96 {

struct Context;
struct Sa;

[[nodiscard]] inline bool is_limited(const Lifetime& life) {
  return life.soft || life.hard;
}

/// Owner thread only.
struct SaLife {
  Lifetime bytes;
  Lifetime packets;
  Lifetime seconds;
  std::uint64_t born_ms = 0;  // 0: not seen by tick() yet
  bool soft_told = false;
};

/// Counts a good packet of `esp_len` bytes from SPI to ICV. The first soft limit reached raises one event per
/// SA; a hard limit reached expires the SA, of which this packet may be the last. False if the packet would
/// go over a hard limit: it is not counted and must be dropped.
[[nodiscard]] bool spend(Context& context, Sa& sa, std::uint32_t esp_len);
/// The same for an SA with a limit of packets or bytes.
[[nodiscard]] bool spend_of_limit(Context& context, Sa& sa, std::uint32_t esp_len);

/// `sa`, which has succeeded `old`, is as old. Limits that have been raised above that let it live again, and
/// tell of their soft ones anew.
void inherit_age(const Context& context, Sa& sa, const Sa& old);

/// Lets time pass for the SAs of this worker that have life_seconds, counted from the first call that sees
/// them.
void age(Context& context);

}  // namespace gate96
