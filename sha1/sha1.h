// SPDX-License-Identifier: BSD-3-Clause
// SHA-1 of a message that comes in pieces (FIPS 180-4), over any block function.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "sha1/state.h"

namespace gate96::sha1 {

using Digest = std::array<std::uint8_t, kDigestLen>;

/// The state as FIPS 180-4 6.1.2 puts it out: five words, big-endian.
[[nodiscard]] Digest to_digest(const State& state);

/// One message. Wiped when done and on destruction. Messages up to 2^61 - 1 bytes (the 64-bit bit count).
class Hasher {
 public:
  /// `block` comes from the backend table and outlives the hasher. Vector code is the caller's to bracket.
  explicit Hasher(BlockFn block) : Hasher(block, init(), 0) {}

  /// Goes on from a midstate after `num_bytes` (a multiple of 64, not 0): an HMAC key, say.
  Hasher(BlockFn block, const State& midstate, std::uint64_t num_bytes);
  ~Hasher();
  Hasher(const Hasher&) = default;
  Hasher& operator=(const Hasher&) = default;

  /// Another block function from here on.
  void use(BlockFn block) { block_ = block; }

  void update(std::span<const std::uint8_t> data);

  /// Pads, finishes and wipes. The hasher is then as new: it begins a message of its own at init().
  [[nodiscard]] Digest final();

 private:
  void wipe_all();

  BlockFn block_;
  State state_;
  std::uint64_t num_bytes_;                      // of the message so far, what lies in partial_ included
  std::array<std::uint8_t, kBlockLen> partial_;  // bytes since the last whole block; the rest is undefined
};

/// The digest of `data` in one go.
[[nodiscard]] Digest digest(BlockFn block, std::span<const std::uint8_t> data);

}  // namespace gate96::sha1
