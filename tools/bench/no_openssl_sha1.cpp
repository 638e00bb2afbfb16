// SPDX-License-Identifier: BSD-3-Clause
// In place of openssl_sha1.cpp where there is no libcrypto.
#include <stdexcept>

#include "tools/bench/openssl_sha1.h"

namespace gate96::bench {

bool have_openssl() {
  return false;
}

OpensslSha1::OpensslSha1(Tier tier) {
  throw std::runtime_error(std::string("no OpenSSL in this build: ") + name(tier));
}

sha1::Digest OpensslSha1::digest(std::span<const std::uint8_t>) const {
  return {};
}

const OpensslSha1& openssl_sha1(Tier tier) {
  static const OpensslSha1 none(tier);
  return none;
}

}  // namespace gate96::bench
