// SPDX-License-Identifier: BSD-3-Clause
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include <algorithm>
#include <stdexcept>

#include "sha1/state.h"
#include "tools/bench/authenticators.h"

namespace gate96::bench {
namespace {

struct FreeMac {
  void operator()(EVP_MAC* mac) const { EVP_MAC_free(mac); }
  void operator()(EVP_MAC_CTX* context) const { EVP_MAC_CTX_free(context); }
};

void require(bool good) {
  if (!good) throw std::runtime_error("OpenSSL's EVP_MAC failed");
}

/// A context a key, keyed once: EVP_MAC_init() with a NULL key then starts again from the stored midstates.
class OpensslMac : public Authenticator {
 public:
  explicit OpensslMac(const BurstLoad& load) : load_(load), digests_(load.packets().size()) {
    const std::unique_ptr<EVP_MAC, FreeMac> mac(EVP_MAC_fetch(nullptr, "HMAC", nullptr));
    char digest_name[] = "SHA1";
    const OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest_name, 0),
                                 OSSL_PARAM_construct_end()};
    for (const auto& key : load.keys()) {
      contexts_.emplace_back(EVP_MAC_CTX_new(mac.get()));
      require(EVP_MAC_init(contexts_.back().get(), key.data(), key.size(), params) == 1);
    }
  }

  [[nodiscard]] std::string name() const override { return "openssl"; }

  void run(std::size_t iterations) override {
    for (std::size_t i = 0; i < iterations; ++i) {
      for (std::size_t p = 0; p < contexts_.size(); ++p) authenticate(p);
    }
  }

  [[nodiscard]] std::vector<Icv> icvs() const override {
    std::vector<Icv> all(digests_.size());
    for (std::size_t i = 0; i < all.size(); ++i)
      std::copy_n(digests_[i].begin(), all[i].size(), all[i].begin());
    return all;
  }

 private:
  void authenticate(std::size_t p) {
    EVP_MAC_CTX* context = contexts_[p].get();
    std::size_t len = 0;
    const bool good = EVP_MAC_init(context, nullptr, 0, nullptr) == 1 &&
                      EVP_MAC_update(context, load_.packets()[p].data, load_.packets()[p].len) == 1 &&
                      EVP_MAC_final(context, digests_[p].data(), &len, digests_[p].size()) == 1;
    require(good);
  }

  const BurstLoad& load_;
  std::vector<std::unique_ptr<EVP_MAC_CTX, FreeMac>> contexts_;
  std::vector<std::array<std::uint8_t, sha1::kDigestLen>> digests_;
};

}  // namespace

std::unique_ptr<Authenticator> make_openssl(const BurstLoad& load) {
  return std::make_unique<OpensslMac>(load);
}

}  // namespace gate96::bench
