// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/reload.h"

#include <gtest/gtest.h>

#include "dataplane/sa.h"
#include "dataplane/tables.h"
#include "tests/dataplane/eal_environment.h"

namespace gate96 {
namespace {

SaConfig outbound_sa(std::uint32_t spi, std::uint8_t key_byte) {
  SaConfig sa;
  sa.name = "sa" + std::to_string(spi);
  sa.spi = spi;
  sa.src = *IpAddress::parse("192.0.2.1");
  sa.dst = *IpAddress::parse("192.0.2.2");
  const std::array<std::uint8_t, SecretKey::kLen> key = {key_byte};
  sa.key = SecretKey(key);
  return sa;
}

Config with(std::vector<SaConfig> sas) {
  Config config;
  config.sas = std::move(sas);
  return config;
}

TEST(Reload, AnEqualSaStaysTheSameObject) {
  const Config config = with({outbound_sa(256, 1), outbound_sa(257, 2)});
  const Tables before(config, {});
  const Config swapped = with({config.sas[1], config.sas[0]});
  const Predecessor old{config, before};
  const Tables after(swapped, {}, &old);
  EXPECT_EQ(after.sas[0], before.sas[1]);
  EXPECT_EQ(after.sas[1], before.sas[0]);
  EXPECT_EQ(after.num_kept, 2u);
  EXPECT_TRUE(after.successions.empty());
  EXPECT_NE(after.generation, before.generation);
}

TEST(Reload, OtherSettingsGoOnWithTheNumbers) {
  const Config config = with({outbound_sa(256, 1)});
  const Tables before(config, {});
  before.sas[0]->last_seq = 41;
  before.sas[0]->packets.set(41);
  Config renamed = config;
  renamed.sas[0].name = "other";
  renamed.sas[0].tfc = 100;
  const Predecessor old{config, before};
  const Tables after(renamed, {}, &old);
  ASSERT_EQ(after.successions.size(), 1u);
  after.successions[0].to->succeed(*after.successions[0].from);
  EXPECT_NE(after.sas[0], before.sas[0]);
  EXPECT_EQ(after.sas[0]->last_seq, 41u);
  EXPECT_EQ(after.sas[0]->packets.get(), 41u);
  EXPECT_EQ(after.sas[0]->tfc, 100u);
}

TEST(Reload, AnotherKeySpiOrDestinationIsAnotherSa) {
  const Config config = with({outbound_sa(256, 1)});
  const Tables before(config, {});
  SaConfig other_dst = config.sas[0];
  other_dst.dst = *IpAddress::parse("192.0.2.3");
  const Config changed = with({outbound_sa(256, 9), outbound_sa(300, 1), other_dst});
  const Predecessor old{config, before};
  const Tables after(changed, {}, &old);
  EXPECT_EQ(after.num_kept, 0u);
  EXPECT_TRUE(after.successions.empty());
}

TEST(Reload, NoNumbersAreLeftWhereEsnEndsPast32Bits) {
  SaConfig sa = outbound_sa(256, 1);
  Sa plain(sa);
  sa.esn = true;
  Sa extended(sa);
  extended.last_seq = std::uint64_t{5} << 32;
  plain.succeed(extended);
  EXPECT_EQ(plain.last_seq, kLastSeq);
}

TEST(Reload, AWindowOfAnotherSizeForgetsNothing) {
  ReplayWindow small(64);
  for (const std::uint64_t seq : {100, 98, 60}) small.update(seq);
  ReplayWindow large(128);
  large.start_above(0);  // as every new SA's window begins
  large.succeed(small);
  EXPECT_EQ(large.top(), 100u);
  EXPECT_EQ(large.check(100), ReplayCheck::kSeen);
  EXPECT_EQ(large.check(99), ReplayCheck::kFresh);
  EXPECT_EQ(large.check(98), ReplayCheck::kSeen);
  EXPECT_EQ(large.check(37), ReplayCheck::kFresh);
  EXPECT_EQ(large.check(36), ReplayCheck::kSeen) << "outside the old window: may have been received";
  EXPECT_EQ(large.check(101), ReplayCheck::kFresh);
  EXPECT_EQ(large.update(103), ReplayCheck::kFresh);
  EXPECT_EQ(large.check(102), ReplayCheck::kFresh);
  ReplayWindow shrunk(32);
  shrunk.succeed(small);
  EXPECT_EQ(shrunk.check(98), ReplayCheck::kSeen);
  EXPECT_EQ(shrunk.check(69), ReplayCheck::kFresh);
  EXPECT_EQ(shrunk.check(68), ReplayCheck::kTooOld);
  ReplayWindow none(0);
  none.update(50);
  ReplayWindow from_none(64);
  from_none.succeed(none);
  EXPECT_EQ(from_none.check(49), ReplayCheck::kSeen);
}

TEST(Reload, PortsAndGatewayNeedARestartByName) {
  Config now;
  now.ports.resize(1);
  now.ports[0].name = "lan";
  Config next = now;
  EXPECT_TRUE(changes_that_need_a_restart(now, next).empty());
  next.sas.push_back(outbound_sa(256, 1));
  next.routes.emplace_back();
  next.policies.emplace_back();
  EXPECT_TRUE(changes_that_need_a_restart(now, next).empty());
  next.ports[0].mtu = 1400;
  next.gateway.workers = 2;
  next.eal.memory_mb = 100;
  next.fpu.section_bytes = 4096;
  next.wires.emplace_back();
  std::string keys;
  for (const Diagnostic& error : changes_that_need_a_restart(now, next)) keys += error.key + "; ";
  EXPECT_EQ(keys, "gateway.workers; eal.memory_mb; fpu; port \"lan\": mtu; wire; ");
}

}  // namespace
}  // namespace gate96
