// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <intel-ipsec-mb.h>

#include <algorithm>
#include <stdexcept>

#include "sha1/state.h"
#include "tools/bench/authenticators.h"

namespace gate96::bench {
namespace {

struct FreeManager {
  void operator()(IMB_MGR* manager) const { free_mb_mgr(manager); }
};
using Manager = std::unique_ptr<IMB_MGR, FreeManager>;

struct Kind {
  const char* name;
  void (*init)(IMB_MGR*);
};
constexpr Kind kKinds[] = {{"ipsec-mb-sse", init_mb_mgr_sse},
                           {"ipsec-mb-avx2", init_mb_mgr_avx2},
                           {"ipsec-mb-avx512", init_mb_mgr_avx512}};

/// Null if this CPU lacks what the manager needs.
Manager make_manager(const Kind& kind) {
  Manager manager(alloc_mb_mgr(0));
  if (!manager) throw std::runtime_error("alloc_mb_mgr failed");
  kind.init(manager.get());
  if (imb_get_errno(manager.get()) != 0) manager.reset();
  return manager;
}

/// The two midstates, as 5 words in host order.
struct MidStates {
  alignas(16) std::array<std::uint32_t, sha1::kStateWords> inner;
  alignas(16) std::array<std::uint32_t, sha1::kStateWords> outer;
};

void absorb_key(IMB_MGR* manager, const std::array<std::uint8_t, kKeyLen>& key, std::uint8_t pad,
                std::array<std::uint32_t, sha1::kStateWords>& state) {
  std::array<std::uint8_t, sha1::kBlockLen> block;
  block.fill(pad);
  for (std::size_t i = 0; i < key.size(); ++i) block[i] ^= key[i];
  IMB_SHA1_ONE_BLOCK(manager, block.data(), state.data());
}

/// The synchronous hash burst without argument checks: the library's fastest way in.
class IpsecMb : public Authenticator {
 public:
  IpsecMb(const char* name, Manager manager, const BurstLoad& load)
      : name_(name),
        manager_(std::move(manager)),
        load_(load),
        jobs_(load.n()),
        icvs_(load.packets().size()) {
    for (const auto& key : load.keys()) {
      absorb_key(manager_.get(), key, 0x36, keys_.emplace_back().inner);
      absorb_key(manager_.get(), key, 0x5c, keys_.back().outer);
    }
    for (IMB_JOB& job : jobs_) {
      job.hash_alg = IMB_AUTH_HMAC_SHA_1;
      job.auth_tag_output_len_in_bytes = hmac::kIcvLen;
    }
  }

  [[nodiscard]] std::string name() const override { return name_; }

  void run(std::size_t iterations) override {
    for (std::size_t i = 0; i < iterations; ++i) {
      for (std::size_t first = 0; first < icvs_.size(); first += jobs_.size()) run_burst(first);
    }
  }

  [[nodiscard]] std::vector<Icv> icvs() const override { return icvs_; }

 private:
  void run_burst(std::size_t first) {
    std::size_t i = first;
    for (IMB_JOB& job : jobs_) {
      job.src = load_.packets()[i].data;
      job.msg_len_to_hash_in_bytes = load_.packets()[i].len;
      job.auth_tag_output = icvs_[i].data();
      job.u.HMAC._hashed_auth_key_xor_ipad = reinterpret_cast<const std::uint8_t*>(keys_[i].inner.data());
      job.u.HMAC._hashed_auth_key_xor_opad = reinterpret_cast<const std::uint8_t*>(keys_[i].outer.data());
      ++i;
    }
    const auto num = static_cast<std::uint32_t>(jobs_.size());
    if (IMB_SUBMIT_HASH_BURST_NOCHECK(manager_.get(), jobs_.data(), num, IMB_AUTH_HMAC_SHA_1) != num) {
      throw std::runtime_error(fmt::format("{} did not finish a burst", name_));
    }
  }

  const char* name_;
  Manager manager_;
  const BurstLoad& load_;
  std::vector<MidStates> keys_;
  std::vector<IMB_JOB> jobs_;
  std::vector<Icv> icvs_;
};

}  // namespace

std::vector<std::unique_ptr<Authenticator>> make_ipsec_mb(const BurstLoad& load) {
  std::vector<std::unique_ptr<Authenticator>> all;
  for (const Kind& kind : kKinds) {
    Manager manager = make_manager(kind);
    if (manager) all.push_back(std::make_unique<IpsecMb>(kind.name, std::move(manager), load));
  }
  return all;
}

}  // namespace gate96::bench
