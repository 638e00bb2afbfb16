// SPDX-License-Identifier: BSD-3-Clause
#include "tools/bench/openssl_sha1.h"

namespace gate96::bench {

const char* name(Tier tier) {
  switch (tier) {
    case Tier::kScalar:
      return "scalar";
    case Tier::kSsse3:
      return "ssse3";
    case Tier::kAvx:
      return "avx";
    case Tier::kAvx2:
      return "avx2";
    case Tier::kShaNi:
      return "sha_ni";
  }
  return "";
}

Tier tier_of(const sha1::Backend& backend) {
  using sha1::Feature;
  if (!backend.is_vector()) return Tier::kScalar;
  if (backend.needs.has(Feature::kSha)) return Tier::kShaNi;
  if (backend.needs.has(Feature::kAvx2) || backend.needs.has(Feature::kAvx512f)) return Tier::kAvx2;
  if (backend.needs.has(Feature::kAvx)) return Tier::kAvx;
  return backend.needs.has(Feature::kSsse3) ? Tier::kSsse3 : Tier::kScalar;
}

}  // namespace gate96::bench
