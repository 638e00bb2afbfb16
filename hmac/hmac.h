// SPDX-License-Identifier: BSD-3-Clause
// HMAC-SHA1 (RFC 2104) of one message: one-shot and streaming.
#pragma once

#include <cstdint>
#include <span>

#include "hmac/key.h"
#include "sha1/sha1.h"

namespace gate96::hmac {

using sha1::Digest;

/// A message in pieces of any length. The block function may change between calls, so that one message can
/// mix vector and scalar code. Wipes itself.
class Hmac {
 public:
  /// Keeps no reference to `key`. `block_fn` comes from the backend table; null means the fastest scalar one.
  explicit Hmac(const Key& key, sha1::BlockFn block_fn = nullptr);
  ~Hmac();
  Hmac(const Hmac&) = default;
  Hmac& operator=(const Hmac&) = default;

  /// The block function from the next call on.
  void use(sha1::BlockFn block_fn);

  void update(std::span<const std::uint8_t> piece) { inner_.update(piece); }

  /// The tag of all pieces. Nothing but destruction or assignment may follow.
  [[nodiscard]] Digest final();

 private:
  sha1::BlockFn block_fn_;
  sha1::Hasher inner_;
  sha1::State outer_;
};

/// The 20-byte tag of one message.
[[nodiscard]] Digest digest(const Key& key, std::span<const std::uint8_t> message,
                            sha1::BlockFn block_fn = nullptr);

}  // namespace gate96::hmac
