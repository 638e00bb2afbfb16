// SPDX-License-Identifier: BSD-3-Clause
#include "hmac/hmac.h"

#include <string.h>

#include <algorithm>

#include "hmac/block.h"
#include "hmac/bytes.h"

namespace gate96::hmac {
namespace {

constexpr std::size_t kCountOffset = sha1::kBlockLen - 8;  // where the bit count of a last block begins

Digest to_bytes(const sha1::State& state) {
  Digest out;
  for (std::size_t i = 0; i < sha1::kStateWords; ++i) store_be32(out.data() + 4 * i, state.h[i]);
  return out;
}

}  // namespace

Hmac::Hmac(const Key& key, sha1::BlockFn block_fn)
    : state_(key.inner()), outer_(key.outer()), block_fn_(block_fn ? block_fn : scalar_block_fn()) {}

Hmac::~Hmac() {
  explicit_bzero(this, sizeof *this);
}

void Hmac::update(std::span<const std::uint8_t> piece) {
  const std::size_t held = num_bytes_ % sha1::kBlockLen;
  num_bytes_ += piece.size();
  if (held > 0) {
    const std::size_t taken = std::min(piece.size(), sha1::kBlockLen - held);
    std::copy_n(piece.data(), taken, tail_.data() + held);
    piece = piece.subspan(taken);
    if (held + taken < sha1::kBlockLen) return;
    block_fn_(state_.h.data(), tail_.data(), 1);
  }
  const std::size_t num_blocks = piece.size() / sha1::kBlockLen;
  if (num_blocks > 0) block_fn_(state_.h.data(), piece.data(), num_blocks);
  std::ranges::copy(piece.subspan(num_blocks * sha1::kBlockLen), tail_.data());
}

// The padding of FIPS 180-4 5.1.1: a one bit, zeros, and the count of bits in 64 bits.
void Hmac::absorb_tail() {
  std::size_t held = num_bytes_ % sha1::kBlockLen;
  tail_[held++] = 0x80;
  if (held > kCountOffset) {
    std::fill(tail_.begin() + held, tail_.end(), 0);
    block_fn_(state_.h.data(), tail_.data(), 1);
    held = 0;
  }
  std::fill(tail_.begin() + held, tail_.begin() + kCountOffset, 0);
  store_be64(tail_.data() + kCountOffset, num_bytes_ * 8);
  block_fn_(state_.h.data(), tail_.data(), 1);
}

Digest Hmac::final() {
  absorb_tail();
  const Digest inner = to_bytes(state_);
  state_ = outer_;
  num_bytes_ = sha1::kBlockLen + inner.size();
  std::ranges::copy(inner, tail_.data());
  absorb_tail();
  return to_bytes(state_);
}

Digest digest(const Key& key, std::span<const std::uint8_t> message, sha1::BlockFn block_fn) {
  Hmac hmac(key, block_fn);
  hmac.update(message);
  return hmac.final();
}

}  // namespace gate96::hmac
