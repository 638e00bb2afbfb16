// SPDX-License-Identifier: BSD-3-Clause
#include "tests/hmac/reference.h"

#include <algorithm>

#ifdef GATE96_HAVE_OPENSSL
#include <openssl/evp.h>
#include <openssl/hmac.h>
#else
#include "hmac/hmac.h"
#endif

namespace gate96::hmac {

Icv reference_icv(const Bytes& key, const Bytes& message) {
#ifdef GATE96_HAVE_OPENSSL
  std::array<std::uint8_t, 20> tag;
  unsigned len = 0;
  HMAC(EVP_sha1(), key.data(), static_cast<int>(key.size()), message.data(), message.size(), tag.data(),
       &len);
#else
  const Digest tag = digest(Key(key), message);
#endif
  Icv icv;
  std::copy_n(tag.begin(), icv.size(), icv.begin());
  return icv;
}

}  // namespace gate96::hmac
