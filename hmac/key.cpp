// SPDX-License-Identifier: BSD-3-Clause
#include "hmac/key.h"

#include <algorithm>
#include <array>

#include "sha1/select.h"
#include "sha1/sha1.h"
#include "sha1/wipe.h"

namespace gate96::hmac {
namespace {

using Block = std::array<std::uint8_t, sha1::kBlockLen>;

sha1::State midstate(sha1::BlockFn block_fn, const Block& key, std::uint8_t pad) {
  Block block;
  for (std::size_t i = 0; i < block.size(); ++i) block[i] = key[i] ^ pad;
  sha1::State state = sha1::init();
  block_fn(state.h.data(), block.data(), 1);
  wipe(block.data(), block.size());
  return state;
}

}  // namespace

// Keys are made far from any FPU section, so in scalar code.
Key::Key(std::span<const std::uint8_t> key) {
  const sha1::BlockFn block_fn = sha1::Selection::instance().best_scalar()->block;
  Block block{};
  if (key.size() <= block.size()) {
    std::ranges::copy(key, block.begin());
  } else {
    sha1::Digest hashed = sha1::digest(block_fn, key);
    std::ranges::copy(hashed, block.begin());
    wipe(hashed.data(), hashed.size());
  }
  inner_ = midstate(block_fn, block, 0x36);
  outer_ = midstate(block_fn, block, 0x5c);
  wipe(block.data(), block.size());
}

Key::~Key() {
  wipe(this, sizeof *this);
}

}  // namespace gate96::hmac
