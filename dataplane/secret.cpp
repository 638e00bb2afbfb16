// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/secret.h"

#include <algorithm>
#include <cstring>

namespace gate96 {

SecretKey::SecretKey(std::span<const std::uint8_t, kLen> bytes) {
  std::ranges::copy(bytes, bytes_.begin());
}

SecretKey::~SecretKey() {
  explicit_bzero(bytes_.data(), bytes_.size());
}

bool SecretKey::operator==(const SecretKey& other) const {
  volatile std::uint8_t difference = 0;  // volatile: no early exit may be made of this loop
  for (std::size_t i = 0; i < kLen; ++i) difference = difference | (bytes_[i] ^ other.bytes_[i]);
  return difference == 0;
}

}  // namespace gate96
