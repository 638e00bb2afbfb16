// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/lifetime.h"

#include <gtest/gtest.h>

#include "dataplane/context.h"
#include "dataplane/sa.h"
#include "tests/dataplane/sa_samples.h"

namespace gate96 {
namespace {

constexpr std::uint32_t kEspLen = 108;  // of which 88 bytes are encrypted

struct Aging {
  explicit Aging(const SaConfig& sa_config) {
    Config config;
    config.sas = {sa_config};
    tables = std::make_unique<Tables>(config, std::vector<PortInfo>{});
    context.tables = tables.get();
    context.events = &log;
  }
  Sa& sa() { return *tables->sas[0]; }
  unsigned pass(unsigned num) {
    unsigned passed = 0;
    for (unsigned i = 0; i < num; ++i) passed += spend(context, sa(), kEspLen) ? 1 : 0;
    return passed;
  }
  std::vector<std::pair<EventKind, std::uint64_t>> events() {
    std::vector<std::pair<EventKind, std::uint64_t>> found;
    for (Event event; log.take(event);) found.emplace_back(event.kind, event.count);
    return found;
  }

  EventLog log;
  Context context;
  std::unique_ptr<Tables> tables;
};

using Events = std::vector<std::pair<EventKind, std::uint64_t>>;

TEST(Lifetime, TenPacketsPassAndEachEventComesOnce) {
  SaConfig config = sample_sa(Direction::kOut);
  config.life_packets = {.soft = 8, .hard = 10};
  Aging aging(config);
  EXPECT_EQ(aging.pass(20), 10U);
  EXPECT_EQ(aging.sa().packets.get(), 10U);
  EXPECT_EQ(aging.events(), (Events{{EventKind::kLifeSoft, 8}, {EventKind::kLifeHard, 10}}));
}

TEST(Lifetime, BytesAreThoseThatEspEncrypts) {
  SaConfig config = sample_sa(Direction::kIn);
  config.life_bytes = {.soft = 88, .hard = 3 * 88};
  Aging aging(config);
  EXPECT_EQ(aging.pass(10), 3U);
  EXPECT_EQ(aging.events(), (Events{{EventKind::kLifeSoft, 88}, {EventKind::kLifeHard, 3 * 88}}));
}

TEST(Lifetime, OneSoftEventForAllLimits) {
  SaConfig config = sample_sa(Direction::kOut);
  config.life_packets = {.soft = 2, .hard = {}};
  config.life_bytes = {.soft = 1, .hard = {}};
  Aging aging(config);
  EXPECT_EQ(aging.pass(5), 5U);
  EXPECT_EQ(aging.events().size(), 1U);
}

/// As a reload does it.
void take_over(Aging& after, Aging& before) {
  after.context.now_ms = before.context.now_ms;
  after.sa().succeed(before.sa());
  inherit_age(after.context, after.sa(), before.sa());
}

TEST(Lifetime, RaisedLimitsLetAnExpiredSaLiveAgain) {
  SaConfig config = sample_sa(Direction::kOut);
  config.life_packets = {.soft = 8, .hard = 10};
  Aging before(config);
  EXPECT_EQ(before.pass(20), 10U);
  config.life_packets = {.soft = 12, .hard = 15};
  Aging raised(config);
  take_over(raised, before);
  EXPECT_EQ(raised.pass(20), 5U);
  EXPECT_EQ(raised.events(), (Events{{EventKind::kLifeSoft, 12}, {EventKind::kLifeHard, 15}}));
}

TEST(Lifetime, OtherSettingsDoNotLetAnExpiredSaLiveAgain) {
  SaConfig config = sample_sa(Direction::kOut);
  config.life_packets = {.soft = 8, .hard = 10};
  Aging before(config);
  EXPECT_EQ(before.pass(20), 10U);
  config.life_bytes = {.soft = {}, .hard = 1'000'000};
  Aging after(config);
  take_over(after, before);
  EXPECT_EQ(after.sa().expired.get(), 1U);
  EXPECT_EQ(after.pass(1), 0U);
  EXPECT_EQ(after.events(), Events{});
}

TEST(Lifetime, SecondsGoOnOverAReload) {
  SaConfig config = sample_sa(Direction::kIn);
  config.life_seconds = {.soft = {}, .hard = 3};
  Aging before(config);
  for (const std::uint64_t ms : {50'000, 53'000}) {
    before.context.now_ms = ms;
    age(before.context);
  }
  EXPECT_EQ(before.sa().expired.get(), 1U);
  config.tfc = 100;
  Aging same(config);
  take_over(same, before);
  EXPECT_EQ(same.sa().expired.get(), 1U);
  config.life_seconds.hard = 5;
  Aging raised(config);
  take_over(raised, before);
  EXPECT_EQ(raised.sa().expired.get(), 0U);
  raised.context.now_ms = 55'000;
  age(raised.context);
  EXPECT_EQ(raised.sa().expired.get(), 1U);
}

TEST(Lifetime, SecondsPassWithoutPackets) {
  SaConfig config = sample_sa(Direction::kIn);
  config.life_seconds = {.soft = 2, .hard = 3};
  Aging aging(config);
  const auto at = [&aging](std::uint64_t ms) {
    aging.context.now_ms = ms;
    age(aging.context);
    return aging.events();
  };
  EXPECT_EQ(at(50'000), Events{});
  EXPECT_EQ(at(51'999), Events{});
  EXPECT_EQ(at(52'000), (Events{{EventKind::kLifeSoft, 2}}));
  EXPECT_EQ(aging.pass(1), 1U);
  EXPECT_EQ(at(53'000), (Events{{EventKind::kLifeHard, 3}}));
  EXPECT_EQ(at(54'000), Events{});
  EXPECT_EQ(aging.sa().expired.get(), 1U);
}

}  // namespace
}  // namespace gate96
