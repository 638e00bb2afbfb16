// SPDX-License-Identifier: BSD-3-Clause
#include "sha1/sha1.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "sha1/wipe.h"

namespace gate96::sha1 {
namespace {

constexpr std::size_t kCountAt = kBlockLen - 8;  // the bit count ends the last block (FIPS 180-4 5.1.1)

void store_be32(std::uint8_t* out, std::uint32_t value) {
  value = __builtin_bswap32(value);
  std::memcpy(out, &value, sizeof value);
}

void store_be64(std::uint8_t* out, std::uint64_t value) {
  value = __builtin_bswap64(value);
  std::memcpy(out, &value, sizeof value);
}

static_assert(std::endian::native == std::endian::little);

}  // namespace

Digest to_digest(const State& state) {
  Digest out;
  for (std::size_t i = 0; i < kStateWords; ++i) store_be32(out.data() + 4 * i, state.h[i]);
  return out;
}

Hasher::Hasher(BlockFn block, const State& midstate, std::uint64_t num_bytes)
    : block_(block), state_(midstate), num_bytes_(num_bytes) {}

Hasher::~Hasher() {
  if (num_bytes_ > 0) wipe_all();  // otherwise it is as new
}

void Hasher::wipe_all() {
  wipe(&state_, sizeof state_);
  wipe(partial_.data(), partial_.size());
  num_bytes_ = 0;
}

void Hasher::update(std::span<const std::uint8_t> data) {
  if (data.empty()) return;
  const std::size_t held = num_bytes_ % kBlockLen;
  num_bytes_ += data.size();
  if (held > 0) {
    const std::size_t taken = std::min(kBlockLen - held, data.size());
    std::memcpy(partial_.data() + held, data.data(), taken);
    data = data.subspan(taken);
    if (held + taken < kBlockLen) return;
    block_(state_.h.data(), partial_.data(), 1);
  }
  const std::size_t num_blocks = data.size() / kBlockLen;
  if (num_blocks > 0) block_(state_.h.data(), data.data(), num_blocks);
  data = data.subspan(num_blocks * kBlockLen);
  if (!data.empty()) std::memcpy(partial_.data(), data.data(), data.size());
}

Digest Hasher::final() {
  std::size_t at = num_bytes_ % kBlockLen;
  partial_[at++] = 0x80;
  if (at > kCountAt) {
    std::memset(partial_.data() + at, 0, kBlockLen - at);
    block_(state_.h.data(), partial_.data(), 1);
    at = 0;
  }
  std::memset(partial_.data() + at, 0, kCountAt - at);
  store_be64(partial_.data() + kCountAt, num_bytes_ * 8);
  block_(state_.h.data(), partial_.data(), 1);
  const Digest out = to_digest(state_);
  wipe_all();
  state_ = init();
  return out;
}

Digest digest(BlockFn block, std::span<const std::uint8_t> data) {
  Hasher hasher(block);
  hasher.update(data);
  return hasher.final();
}

}  // namespace gate96::sha1
