// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>

#include "sha1/state.h"

namespace gate96::hmac {

/// An HMAC-SHA1 key as its two midstates: SHA-1 after the block K^ipad and after the block K^opad (RFC 2104
/// 4). As secret as the key itself: wiped on destruction, never printed.
class Key {
 public:
  Key() = default;
  /// Any length; keys over 64 bytes are hashed first (RFC 2104 2).
  explicit Key(std::span<const std::uint8_t> key);
  ~Key();
  Key(const Key&) = default;
  Key& operator=(const Key&) = default;

  [[nodiscard]] const sha1::State& inner() const { return inner_; }
  [[nodiscard]] const sha1::State& outer() const { return outer_; }

 private:
  sha1::State inner_{};
  sha1::State outer_{};
};

}  // namespace gate96::hmac
