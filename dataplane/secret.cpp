// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/secret.h"

#include <algorithm>

#include "hmac/equal.h"
#include "sha1/wipe.h"

namespace gate96 {

SecretKey::SecretKey(std::span<const std::uint8_t, kLen> bytes) {
  std::ranges::copy(bytes, bytes_.begin());
}

SecretKey::~SecretKey() {
  wipe(bytes_.data(), bytes_.size());
}

bool SecretKey::operator==(const SecretKey& other) const {
  return hmac::equal_tags(bytes_, other.bytes_);
}

}  // namespace gate96
