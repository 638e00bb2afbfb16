// SPDX-License-Identifier: BSD-3-Clause
// Explicit congestion notification through tunnels (RFC 6040).
#pragma once

#include <cstdint>
#include <optional>

namespace gate96::ecn {

// The two low bits of TOS or traffic class (RFC 3168 5).
inline constexpr std::uint8_t kNotEct = 0;
inline constexpr std::uint8_t kEct1 = 1;
inline constexpr std::uint8_t kEct0 = 2;
inline constexpr std::uint8_t kCe = 3;
inline constexpr std::uint8_t kMask = 3;

/// What leaves a tunnel that came in with these two (RFC 6040 4.2, figure 4). Nullopt: congestion was marked
/// on a packet whose transport cannot hear of it; it must be dropped.
[[nodiscard]] constexpr std::optional<std::uint8_t> decapsulate(std::uint8_t inner, std::uint8_t outer) {
  if (inner == kNotEct) return outer == kCe ? std::nullopt : std::optional(kNotEct);
  if (inner == kCe || outer == kCe) return kCe;
  return inner == kEct0 && outer == kEct1 ? kEct1 : inner;
}

}  // namespace gate96::ecn
