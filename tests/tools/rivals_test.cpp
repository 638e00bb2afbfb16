// SPDX-License-Identifier: BSD-3-Clause
// The contenders compute what they should, and the tiers are what they say.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tools/bench/authenticators.h"
#include "tools/bench/subject.h"

namespace gate96::bench {
namespace {

std::string hex(std::span<const std::uint8_t> bytes) {
  std::string text;
  for (std::uint8_t byte : bytes) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

TEST(OpensslTiers, AllDigestAbc) {
  const std::uint8_t abc[] = {'a', 'b', 'c'};
  for (Tier tier : {Tier::kScalar, Tier::kSsse3, Tier::kAvx, Tier::kAvx2, Tier::kShaNi}) {
    EXPECT_EQ(hex(openssl_sha1(tier).digest(abc)), "a9993e364706816aba3e25717850c26c9cd0d89d") << name(tier);
  }
}

TEST(OpensslTiers, LoadingThemLeavesTheEnvironmentAlone) {
  setenv("OPENSSL_ia32cap", "~0x1", 1);
  const OpensslSha1 loaded(Tier::kScalar);
  EXPECT_STREQ(getenv("OPENSSL_ia32cap"), "~0x1");
  unsetenv("OPENSSL_ia32cap");
}

TEST(OpensslTiers, BackendsMeetTheirOwnInstructionSet) {
  using sha1::Feature;
  using sha1::Registers;
  const auto tier = [](sha1::FeatureSet needs, Registers registers) {
    return tier_of({.name = "",
                    .lanes = 1,
                    .needs = needs,
                    .registers = registers,
                    .block = nullptr,
                    .lane = nullptr,
                    .code_bytes = 0});
  };
  EXPECT_EQ(tier({}, Registers::kScalar), Tier::kScalar);
  EXPECT_EQ(tier({Feature::kBmi2}, Registers::kScalar), Tier::kScalar);
  EXPECT_EQ(tier({Feature::kSsse3}, Registers::kVector), Tier::kSsse3);
  EXPECT_EQ(tier({Feature::kSsse3, Feature::kAvx}, Registers::kVector), Tier::kAvx);
  EXPECT_EQ(tier({Feature::kAvx, Feature::kAvx2, Feature::kBmi2}, Registers::kVector), Tier::kAvx2);
  EXPECT_EQ(tier({Feature::kAvx512f, Feature::kAvx512vl}, Registers::kVector), Tier::kAvx2);
  EXPECT_EQ(tier({Feature::kSsse3, Feature::kSha}, Registers::kVector), Tier::kShaNi);
}

TEST(Authenticators, AllGiveTheSameIcvs) {
  for (Size size : {Size{.bytes = 1}, Size{.bytes = 64}, Size{.bytes = 200}, Size{.imix = true}}) {
    const BurstLoad load(size, 7);
    const auto right = make_openssl(load);
    right->run(1);
    const auto engine = make_engine(load, hmac::BackendChoice::automatic());
    engine->run(2);
    EXPECT_TRUE(engine->icvs() == right->icvs()) << size.to_string();
    for (const auto& manager : make_ipsec_mb(load)) {
      manager->run(2);
      EXPECT_TRUE(manager->icvs() == right->icvs()) << manager->name() << " at " << size.to_string();
    }
    const std::vector<Icv> icvs = right->icvs();
    EXPECT_EQ(std::set<Icv>(icvs.begin(), icvs.end()).size(), icvs.size());
  }
}

TEST(Subject, UnknownBackendsAreUsageErrors) {
  EXPECT_THROW((void)choose_backends({"generic", "md5"}), UsageError);
  ASSERT_EQ(choose_backends({"generic"}).size(), 1u);
  EXPECT_EQ(choose_backends({"generic"})[0]->name, "generic");
}

}  // namespace
}  // namespace gate96::bench
