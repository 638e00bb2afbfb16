// SPDX-License-Identifier: BSD-3-Clause
#include "hmac/key.h"

#include <string.h>

#include <algorithm>
#include <array>

#include "hmac/block.h"
#include "hmac/bytes.h"

namespace gate96::hmac {
namespace {

using Block = std::array<std::uint8_t, sha1::kBlockLen>;

sha1::State midstate(const Block& key, std::uint8_t pad) {
  Block block;
  for (std::size_t i = 0; i < block.size(); ++i) block[i] = key[i] ^ pad;
  sha1::State state = sha1::init();
  scalar_block_fn()(state.h.data(), block.data(), 1);
  explicit_bzero(block.data(), block.size());
  return state;
}

// SHA-1 of `key` into the first 20 bytes of `out`, which is zero.
void hash_long_key(std::span<const std::uint8_t> key, Block& out) {
  sha1::State state = sha1::init();
  const std::size_t num_blocks = key.size() / sha1::kBlockLen;
  scalar_block_fn()(state.h.data(), key.data(), num_blocks);
  const auto rest = key.subspan(num_blocks * sha1::kBlockLen);
  std::array<std::uint8_t, 2 * sha1::kBlockLen> tail{};
  std::ranges::copy(rest, tail.data());
  tail[rest.size()] = 0x80;
  const std::size_t tail_len = rest.size() + 9 <= sha1::kBlockLen ? sha1::kBlockLen : tail.size();
  store_be64(tail.data() + tail_len - 8, key.size() * 8);
  scalar_block_fn()(state.h.data(), tail.data(), tail_len / sha1::kBlockLen);
  for (std::size_t i = 0; i < sha1::kStateWords; ++i) store_be32(out.data() + 4 * i, state.h[i]);
  explicit_bzero(tail.data(), tail.size());
  explicit_bzero(&state, sizeof state);
}

}  // namespace

Key::Key(std::span<const std::uint8_t> key) {
  Block block{};
  if (key.size() > block.size()) {
    hash_long_key(key, block);
  } else if (!key.empty()) {
    memcpy(block.data(), key.data(), key.size());
  }
  inner_ = midstate(block, 0x36);
  outer_ = midstate(block, 0x5c);
  explicit_bzero(block.data(), block.size());
}

Key::~Key() {
  explicit_bzero(this, sizeof *this);
}

}  // namespace gate96::hmac
