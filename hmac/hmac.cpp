// SPDX-License-Identifier: BSD-3-Clause
#include "hmac/hmac.h"

#include "sha1/select.h"
#include "sha1/wipe.h"

namespace gate96::hmac {

Hmac::Hmac(const Key& key, sha1::BlockFn block_fn)
    : block_fn_(block_fn ? block_fn : sha1::Selection::instance().best_scalar()->block),
      inner_(block_fn_, key.inner(), sha1::kBlockLen),
      outer_(key.outer()) {}

Hmac::~Hmac() {
  wipe(&outer_, sizeof outer_);
}

void Hmac::use(sha1::BlockFn block_fn) {
  block_fn_ = block_fn;
  inner_.use(block_fn);
}

Digest Hmac::final() {
  Digest inner_digest = inner_.final();
  sha1::Hasher outer(block_fn_, outer_, sha1::kBlockLen);
  outer.update(inner_digest);
  wipe(inner_digest.data(), inner_digest.size());
  return outer.final();
}

Digest digest(const Key& key, std::span<const std::uint8_t> message, sha1::BlockFn block_fn) {
  Hmac hmac(key, block_fn);
  hmac.update(message);
  return hmac.final();
}

}  // namespace gate96::hmac
