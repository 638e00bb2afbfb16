// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>

#include "tools/bench/session.h"
#include "tools/bench/versus.h"

namespace gate96::bench {

/// A way to hash one message that is given in pieces: ours by a single-stream backend, or OpenSSL's.
class Digester {
 public:
  explicit Digester(const sha1::Backend& backend) : name_(backend.name), block_(backend.block) {}
  explicit Digester(Tier tier)
      : name_(std::string("openssl ") + bench::name(tier)), openssl_(&openssl_sha1(tier)) {}

  [[nodiscard]] const std::string& name() const { return name_; }
  /// `head` may be empty.
  [[nodiscard]] sha1::Digest digest(Bytes head, Bytes body) const;

 private:
  std::string name_;
  sha1::BlockFn block_ = nullptr;
  const OpensslSha1* openssl_ = nullptr;
};

/// Whose digests are right when `backend` is checked: OpenSSL's, or `generic`'s in a build without it.
Digester reference_of(const sha1::Backend& backend);

}  // namespace gate96::bench
