// SPDX-License-Identifier: BSD-3-Clause
#include "tools/bench/workload.h"

#include "sha1/sha1.h"

namespace gate96::bench {

sha1::Digest Digester::digest(Bytes head, Bytes body) const {
  if (openssl_ == nullptr) {
    sha1::Hasher hasher(block_);
    hasher.update(head);
    hasher.update(body);
    return hasher.final();
  }
  OpensslContext context;
  sha1::Digest result;
  openssl_->init(context);
  openssl_->update(context, head);
  openssl_->update(context, body);
  openssl_->final(context, result);
  return result;
}

Digester reference_of(const sha1::Backend& backend) {
  return have_openssl() ? Digester(tier_of(backend)) : Digester(sha1::backends().front());
}

}  // namespace gate96::bench
