// SPDX-License-Identifier: BSD-3-Clause
// HMAC-SHA1 (RFC 2104) of one message: one-shot and streaming.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "hmac/key.h"
#include "sha1/state.h"

namespace gate96::hmac {

using Digest = std::array<std::uint8_t, sha1::kDigestLen>;

/// A message in pieces of any length. The block function may change between calls, so that one message can
/// mix vector and scalar code. Wipes itself.
class Hmac {
 public:
  /// Keeps no reference to `key`. `block_fn` must be usable on this CPU; by default scalar code.
  explicit Hmac(const Key& key, sha1::BlockFn block_fn = nullptr);
  ~Hmac();
  Hmac(const Hmac&) = default;
  Hmac& operator=(const Hmac&) = default;

  /// The block function from the next call on.
  void use(sha1::BlockFn block_fn) { block_fn_ = block_fn; }

  void update(std::span<const std::uint8_t> piece);

  /// The tag of all pieces. The object then holds no message; nothing but destruction or assignment may
  /// follow.
  [[nodiscard]] Digest final();

 private:
  void absorb_tail();

  sha1::State state_;
  sha1::State outer_;
  sha1::BlockFn block_fn_;
  std::uint64_t num_bytes_ = sha1::kBlockLen;  // the key's block counts
  std::array<std::uint8_t, sha1::kBlockLen> tail_{};
};

/// The 20-byte HMAC-SHA1 of one message, in scalar code unless told otherwise.
[[nodiscard]] Digest digest(const Key& key, std::span<const std::uint8_t> message,
                            sha1::BlockFn block_fn = nullptr);

}  // namespace gate96::hmac
