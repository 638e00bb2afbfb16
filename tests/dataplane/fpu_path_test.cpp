// SPDX-License-Identifier: BSD-3-Clause
// The packet path under the FPU policies: they decide when and by which code an ICV is computed, never what
// it is, and no packet is lost or, by default, out of order.
#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <cstring>

#include "fpu/profile.h"
#include "tests/dataplane/policed_site.h"

namespace gate96::test {
namespace {

constexpr std::size_t kIcvLen = 12;

TEST(FpuPath, UnderAlwaysTheIcvIsWhatOpensslGives) {
  ASSERT_EQ(sealed().size(), kNumFrames);
  for (const Frame& frame : sealed()) {
    const std::vector<std::uint8_t> key = key_of(frame[kEspAt + 3]);
    std::uint8_t mac[EVP_MAX_MD_SIZE];
    ASSERT_NE(HMAC(EVP_sha1(), key.data(), static_cast<int>(key.size()), frame.data() + kEspAt,
                   frame.size() - kEspAt - kIcvLen, mac, nullptr),
              nullptr);
    ASSERT_EQ(std::memcmp(mac, frame.data() + frame.size() - kIcvLen, kIcvLen), 0);
  }
}

/// Profile, workload, and how to ask and fall back.
using Policy = std::tuple<std::string_view, std::string_view, std::string_view>;

class UnderPolicy : public testing::TestWithParam<Policy> {
 protected:
  static std::string settings() {
    const auto& [profile, workload, rest] = GetParam();
    return fmt::format("save_cost = \"count\"\nsection_ns = 0\nprofile = \"{}\"\nworkload = \"{}\"\n{}",
                       profile, workload, rest);
  }
};

TEST_P(UnderPolicy, SealsTheSamePacketsInOrder) {
  PolicedSite site = PolicedSite::sender(settings());
  EXPECT_EQ(by_sa(site.run(kLan, frames())), by_sa(sealed()));
  EXPECT_EQ(site.balance(), 0);
  EXPECT_EQ(site.ended(Verdict::kHeld), 0U);
  EXPECT_EQ(site.fpu().reordered.get(), 0U);
}

TEST_P(UnderPolicy, OpensWhatAlwaysOpensAndNothingForged) {
  std::vector<Frame> received = sealed();
  for (std::size_t i = 0; i < received.size(); i += 10) received[i].back() ^= 1;
  const std::vector<Frame> opened = PolicedSite::receiver("").run(kWan, received);
  PolicedSite site = PolicedSite::receiver(settings());
  EXPECT_EQ(sorted(site.run(kWan, received)), sorted(opened));
  EXPECT_EQ(opened.size(), kNumFrames * 9 / 10);
  EXPECT_EQ(site.ended(Verdict::kIcvBad), kNumFrames / 10);
  EXPECT_EQ(site.balance(), 0);
}

std::vector<std::string_view> workload_names() {
  std::vector<std::string_view> names;
  for (const fpu::Preset& preset : fpu::presets()) names.push_back(preset.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(
    All, UnderPolicy,
    testing::Combine(testing::ValuesIn(profile_names()), testing::ValuesIn(workload_names()),
                     testing::Values("ask = \"burst\"", "ask = \"packet\"", "ask = \"call\"",
                                     "section_bytes = 64", "ask = \"call\"\nsimd_off_rate = 0.5",
                                     "section_bytes = 1000\nsimd_off_rate = 0.5",
                                     "fallback = \"defer\"\ndefer_budget = 1",
                                     "fallback = \"defer\"\nsimd_off_rate = 0.3",
                                     "fallback = \"defer\"\nask = \"packet\"\nsimd_off_rate = 0.3",
                                     "fallback = \"defer\"\nsection_bytes = 512\ndefer_budget = 256")));

// No kernel's rule is between us and these: a third of all asks is refused.
constexpr std::string_view kOften = "simd_off_rate = 0.3\nfallback = \"defer\"\nask = \"packet\"\n";

TEST(FpuPath, WithoutOrderPacketsOvertakeAndAreCounted) {
  PolicedSite site = PolicedSite::sender(std::string(kOften) + "order = \"none\"\n");
  const std::vector<Frame> sent = site.run(kLan, frames());
  EXPECT_EQ(sorted(sent), sorted(sealed()));
  EXPECT_NE(by_sa(sent), by_sa(sealed()));
  EXPECT_GT(site.fpu().reordered.get(), 0U);
}

TEST(FpuPath, KernelOrderOvertakesInTaskContextOnly) {
  const std::string kernel = std::string(kOften) + "order = \"kernel\"\nprofile = \"linux-5.18\"\n";
  PolicedSite sender = PolicedSite::sender(kernel + "share_ksoftirqd = 0\nworkload = \"sender\"\n");
  EXPECT_EQ(sorted(sender.run(kLan, frames())), sorted(sealed()));
  EXPECT_GT(sender.fpu().reordered.get(), 0U);
  PolicedSite gateway = PolicedSite::sender(kernel + "workload = \"gateway\"\n");
  EXPECT_EQ(by_sa(gateway.run(kLan, frames())), by_sa(sealed()));
  EXPECT_EQ(gateway.fpu().reordered.get(), 0U);
}

TEST(FpuPath, OnePacketAndThenSilenceComesOutAtTheNextDrain) {
  PolicedSite site = PolicedSite::sender("profile = \"never\"\nfallback = \"defer\"\n");
  site.receive(kLan, {frames()[0]});
  EXPECT_TRUE(site.sent().empty());
  EXPECT_EQ(site.ended(Verdict::kHeld), 1U);
  EXPECT_EQ(site.balance(), 0);
  EXPECT_TRUE(site.worker().drain(site.tables()));
  EXPECT_EQ(site.sent(), std::vector<Frame>{sealed()[0]});
  EXPECT_FALSE(site.worker().drain(site.tables()));
}

TEST(FpuPath, ADrainTakesNoMoreThanItsBudget) {
  PolicedSite site = PolicedSite::sender("profile = \"never\"\nfallback = \"defer\"\ndefer_budget = 5\n");
  site.receive(kLan, {frames().begin(), frames().begin() + 12});
  for (const std::size_t num_sent : {5, 10, 12}) {
    site.worker().drain(site.tables());
    EXPECT_EQ(site.sent().size(), num_sent);
  }
}

TEST(FpuPath, ADrainAsksOnceHoweverArrivalsAsk) {
  for (const std::string_view ask : {"burst", "packet"}) {
    PolicedSite site =
        PolicedSite::sender(fmt::format("profile = \"never\"\nfallback = \"defer\"\nask = \"{}\"\n", ask));
    site.receive(kLan, {frames().begin(), frames().begin() + 12});
    const std::uint64_t asked = site.fpu().asks.get();
    site.worker().drain(site.tables());
    EXPECT_EQ(site.sent().size(), 12U);
    EXPECT_EQ(site.fpu().asks.get() - asked, 1U) << ask;
    EXPECT_EQ(site.fpu().simd_bytes.get(), 0U) << "scalar code, where SIMD is never allowed";
  }
}

TEST(FpuPath, StopFinishesWhatIsDeferred) {
  PolicedSite site = PolicedSite::sender("profile = \"never\"\nfallback = \"defer\"\n");
  site.receive(kLan, frames());
  site.worker().stop();
  EXPECT_EQ(by_sa(site.sent()), by_sa(sealed()));
  EXPECT_EQ(site.ended(Verdict::kHeld), 0U);
  EXPECT_EQ(site.balance(), 0);
}

TEST(FpuPath, AFullQueueDropsByNameAndLosesNothingElse) {
  PolicedSite site = PolicedSite::sender("profile = \"never\"\nfallback = \"defer\"\nqueue_limit = 100\n");
  site.receive(kLan, frames());
  EXPECT_EQ(site.ended(Verdict::kDeferFull), kNumFrames - 100);
  EXPECT_EQ(site.fpu().overflow.get(), kNumFrames - 100);
  EXPECT_EQ(site.fpu().queue_high.get(), 100U);
  EXPECT_EQ(site.balance(), 0);
  site.worker().drain_all();
  EXPECT_EQ(by_sa(site.sent()), by_sa({sealed().begin(), sealed().begin() + 100}));
  EXPECT_EQ(site.worker().counters().esp_out.get(), 100U) << "what was dropped has not become ESP";
}

TEST(FpuPath, ABacklogTakesThemAllTheSame) {
  PolicedSite site =
      PolicedSite::sender("profile = \"never\"\nfallback = \"defer\"\nqueue_limit = 100\nbacklog = true\n");
  EXPECT_EQ(by_sa(site.run(kLan, frames(), kNumFrames)), by_sa(sealed()));
  EXPECT_EQ(site.fpu().backlogged.get(), kNumFrames - 100);
  EXPECT_EQ(site.ended(Verdict::kBacklogFull), 0U);
}

TEST(FpuPath, ABacklogEndsByNameWhereHalfTheBuffersWait) {
  PolicedSite site =
      PolicedSite::sender("profile = \"never\"\nfallback = \"defer\"\nqueue_limit = 1\nbacklog = true\n");
  const std::uint64_t room = 1 + test_pool()->size / 2;
  std::uint64_t num = 0;
  for (; num <= room; num += kNumFrames) site.receive(kLan, frames());
  EXPECT_EQ(site.ended(Verdict::kHeld), room);
  EXPECT_EQ(site.ended(Verdict::kBacklogFull), num - room);
  EXPECT_EQ(site.fpu().backlog_overflow.get(), num - room);
  EXPECT_EQ(site.balance(), 0);
  site.worker().drain_all();
  EXPECT_EQ(site.sent().size(), room);
}

TEST(FpuPath, AsksAsOftenAsToldTo) {
  const std::vector<Frame> some(frames().begin(), frames().begin() + 64);
  const auto asks = [&](const std::string& fpu) {
    PolicedSite site = PolicedSite::sender(fpu);
    site.run(kLan, some, 16);
    return site.fpu().asks.get();
  };
  EXPECT_EQ(asks("ask = \"burst\"\n"), 4U);
  EXPECT_EQ(asks("ask = \"packet\"\n"), 64U);
  EXPECT_GT(asks("ask = \"call\"\n"), 64U);  // an update, and a final
  EXPECT_GT(asks("ask = \"burst\"\nsection_bytes = 1024\n"), 4U);
}

// The ICVs are right under any mixture: UnderPolicy has it.
TEST(FpuPath, CallsOfOnePacketMixScalarAndVectorCode) {
  PolicedSite site = PolicedSite::sender("ask = \"call\"\nsimd_off_rate = 0.5\n");
  int num_mixed = 0;
  for (const Frame& frame : frames()) {
    const std::uint64_t simd = site.fpu().simd_bytes.get(), scalar = site.fpu().scalar_bytes.get();
    site.run(kLan, {frame});
    num_mixed += site.fpu().simd_bytes.get() > simd && site.fpu().scalar_bytes.get() > scalar ? 1 : 0;
  }
  EXPECT_GT(num_mixed, 0);
  EXPECT_LT(num_mixed, static_cast<int>(kNumFrames));
}

TEST(FpuPath, OneSectionPerQuestionGranted) {
  for (const std::string_view ask : {"burst", "packet", "call"}) {
    PolicedSite site = PolicedSite::sender(fmt::format("ask = \"{}\"\nsimd_off_rate = 0.3\n", ask));
    site.run(kLan, frames());
    EXPECT_EQ(site.fpu().sections.get(), site.fpu().grants()) << ask;
  }
}

TEST(FpuPath, ScalarAndVectorBytesAddUpWhateverTheShare) {
  const auto bytes = [&](double off_rate) {
    PolicedSite site = PolicedSite::sender(fmt::format("ask = \"packet\"\nsimd_off_rate = {}\n", off_rate));
    site.run(kLan, frames());
    const fpu::Counters& c = site.fpu();
    EXPECT_EQ(c.scalar_bytes.get() > 0, off_rate > 0);
    EXPECT_EQ(c.simd_bytes.get() > 0, off_rate < 1);
    return c.simd_bytes.get() + c.scalar_bytes.get();
  };
  EXPECT_EQ(bytes(0.5), bytes(0));
  EXPECT_EQ(bytes(1), bytes(0));
}

}  // namespace
}  // namespace gate96::test
