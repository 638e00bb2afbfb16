// SPDX-License-Identifier: BSD-3-Clause
// OpenSSL's SHA-1 held to one instruction set: the rival of each single-stream backend.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>

#include "sha1/backends.h"
#include "sha1/sha1.h"

namespace gate96::bench {

/// The variants that OpenSSL has on x86-64, slow to fast.
enum class Tier { kScalar, kSsse3, kAvx, kAvx2, kShaNi };

const char* name(Tier tier);

/// The tier that uses the instructions `backend` needs. OpenSSL has no AVX-512 SHA-1: AVX2 stands in.
Tier tier_of(const sha1::Backend& backend);

/// False in a build without OpenSSL (32-bit x86): then there are no rivals, and the class below throws.
bool have_openssl();

/// Room for a SHA_CTX, so that this header does not need OpenSSL's.
struct OpensslContext {
  alignas(16) unsigned char bytes[128];
};

/// One libcrypto in a link namespace of its own. OpenSSL reads its CPU mask (OPENSSL_ia32cap) once, when
/// loaded, so one process holds as many copies as it compares tiers. Never unloaded.
class OpensslSha1 {
 public:
  /// Throws std::runtime_error if libcrypto does not load or has not taken the mask.
  explicit OpensslSha1(Tier tier);

  void init(OpensslContext& context) const { init_(context.bytes); }
  void update(OpensslContext& context, std::span<const std::uint8_t> data) const {
    update_(context.bytes, data.data(), data.size());
  }
  void final(OpensslContext& context, sha1::Digest& digest) const { final_(digest.data(), context.bytes); }
  [[nodiscard]] sha1::Digest digest(std::span<const std::uint8_t> data) const;

 private:
  int (*init_)(void*);
  int (*update_)(void*, const void*, std::size_t);
  int (*final_)(unsigned char*, void*);
};

/// The tier's copy, loaded at first use.
const OpensslSha1& openssl_sha1(Tier tier);

}  // namespace gate96::bench
