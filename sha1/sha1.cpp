// SPDX-License-Identifier: BSD-3-Clause
#include "sha1/sha1.h"

#include <algorithm>
#include <cstring>

#include "sha1/wipe.h"

namespace gate96::sha1 {
namespace {

constexpr std::size_t kCountLen = 8;  // the bit count at the end of the last block

template <typename Word>
void store_be(std::uint8_t* out, Word value) {
  for (std::size_t i = sizeof(Word); i-- > 0; value = static_cast<Word>(value >> 8)) {
    out[i] = static_cast<std::uint8_t>(value);
  }
}

}  // namespace

Digest to_digest(const State& state) {
  Digest out;
  for (std::size_t i = 0; i < kStateWords; ++i) store_be(out.data() + 4 * i, state.h[i]);
  return out;
}

Hasher::Hasher(BlockFn block, const State& midstate, std::uint64_t num_bytes)
    : block_(block), state_(midstate), num_bytes_(num_bytes) {}

Hasher::~Hasher() {
  wipe_all();
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
  std::array<std::uint8_t, 2 * kBlockLen> tail{};
  const std::size_t held = num_bytes_ % kBlockLen;
  std::memcpy(tail.data(), partial_.data(), held);
  tail[held] = 0x80;
  const std::size_t num_blocks = held + 1 + kCountLen <= kBlockLen ? 1 : 2;
  store_be(tail.data() + num_blocks * kBlockLen - kCountLen, num_bytes_ * 8);
  block_(state_.h.data(), tail.data(), num_blocks);
  const Digest out = to_digest(state_);
  wipe(tail.data(), tail.size());
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
