// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/handover.h"

#include <gtest/gtest.h>
#include <rte_ip.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>

#include "dataplane/context.h"
#include "dataplane/sa.h"
#include "dataplane/wire_format.h"
#include "dataplane/worker.h"
#include "hmac/hmac.h"
#include "tests/dataplane/eal_environment.h"

namespace gate96 {
namespace {

constexpr std::uint32_t kEven = 0x1000;  // SPIs, owned by workers 0 and 1 of two
constexpr std::uint32_t kOdd = 0x1001;

IpPrefix prefix(const char* text) {
  return *IpPrefix::parse(text);
}

constexpr std::uint32_t kOddIn = 0x2001;  // inbound

/// 10.1.0.0/24 behind port 0; 10.2.0.0/24 through the even SA, 10.3.0.0/24 through the odd one.
Config two_sas() {
  Config config;
  config.ports.resize(2);
  config.ports[0] = {.name = "lan",
                     .device = "null",
                     .role = Role::kProtected,
                     .addresses = {prefix("10.1.0.1/24")},
                     .neighbours = {}};
  config.ports[1] = {
      .name = "wan",
      .device = "null",
      .role = Role::kUnprotected,
      .addresses = {prefix("192.0.2.1/24")},
      .neighbours = {{*IpAddress::parse("192.0.2.2"), *MacAddress::parse("02:00:00:00:00:02")}}};
  for (const std::uint32_t spi : {kEven, kOdd}) {
    SaConfig sa;
    sa.name = spi == kEven ? "even" : "odd";
    sa.spi = spi;
    sa.src = *IpAddress::parse("192.0.2.1");
    sa.dst = *IpAddress::parse("192.0.2.2");
    config.sas.push_back(sa);
    PolicyConfig policy;
    policy.dst = prefix(spi == kEven ? "10.2.0.0/24" : "10.3.0.0/24");
    policy.action = Action::kProtect;
    policy.sa = static_cast<std::uint32_t>(config.sas.size() - 1);
    config.policies.push_back(policy);
    const RouteConfig route{*policy.dst, *IpAddress::parse("192.0.2.2"), 1};
    config.routes.push_back(route);
  }
  return config;
}

/// Keeps the sequence numbers of the ESP packets that are sent, and the inner IDs, by SPI.
class Collector : public Transmitter {
 public:
  std::uint16_t send(std::uint8_t, rte_mbuf** frames, std::uint16_t num) override {
    for (std::uint16_t i = 0; i < num; ++i) {
      const auto* ip = rte_pktmbuf_mtod_offset(frames[i], const Ipv4Header*, sizeof(EtherHeader));
      if (ip->protocol == kProtoEsp) {
        const auto* esp = reinterpret_cast<const EspHeader*>(ip + 1);
        const auto* inner = reinterpret_cast<const Ipv4Header*>(esp + 1);
        numbers[rte_be_to_cpu_32(esp->spi)].push_back(rte_be_to_cpu_32(esp->seq));
        ids[rte_be_to_cpu_32(esp->spi)].push_back(rte_be_to_cpu_16(inner->id));
      }
      rte_pktmbuf_free(frames[i]);
    }
    return num;
  }
  std::map<std::uint32_t, std::vector<std::uint32_t>> numbers, ids;
};

/// A UDP packet from 10.1.0.2 to 10.2.0.2 or 10.3.0.2, as a frame.
rte_mbuf* frame(std::uint32_t spi, std::uint8_t id = 0) {
  std::vector<std::uint8_t> bytes(14 + 28);
  bytes[12] = 0x08;
  const std::uint8_t ip[] = {0x45, 0, 0, 28, 0, id, 0, 0,  64,
                             17,   0, 0, 10, 1, 0,  2, 10, spi == kEven ? std::uint8_t{2} : std::uint8_t{3},
                             0,    2};
  std::copy(std::begin(ip), std::end(ip), bytes.begin() + 14);
  const std::uint16_t sum = rte_ipv4_cksum(reinterpret_cast<const rte_ipv4_hdr*>(bytes.data() + 14));
  std::memcpy(bytes.data() + 14 + 10, &sum, 2);
  return make_packet(bytes).release();
}

using Bytes = std::vector<std::uint8_t>;

void append(Bytes& bytes, std::initializer_list<std::uint8_t> more) {
  bytes.insert(bytes.end(), more);
}

/// Behind an Ethernet header, without a right checksum in the IP header.
Bytes ipv4(std::uint8_t protocol, std::initializer_list<std::uint8_t> ends, const Bytes& payload) {
  Bytes bytes = {0x45, 0, 0, static_cast<std::uint8_t>(20 + payload.size()), 0, 0, 0, 0, 64, protocol, 0, 0};
  append(bytes, ends);
  const std::uint16_t sum = rte_ipv4_cksum(reinterpret_cast<const rte_ipv4_hdr*>(bytes.data()));
  std::memcpy(bytes.data() + 10, &sum, 2);
  bytes.insert(bytes.end(), payload.begin(), payload.end());
  return bytes;
}

/// ESP in UDP of the inbound SA, from 192.0.2.2 to 192.0.2.1: a UDP packet from 10.3.0.2 to 10.1.0.2, which
/// fits without padding.
rte_mbuf* esp_in_udp(std::uint8_t seq) {
  const Bytes inner = ipv4(kProtoUdp, {10, 3, 0, 2, 10, 1, 0, 2}, {0, 7, 0, 7, 0, 10, 0, 0, 1, 2});
  Bytes esp = {0, 0, kOddIn >> 8, kOddIn & 0xff, 0, 0, 0, seq};
  esp.insert(esp.end(), inner.begin(), inner.end());
  append(esp, {0, kProtoIpv4});
  const auto icv = hmac::digest(hmac::Key(SecretKey().bytes()), esp);
  esp.insert(esp.end(), icv.begin(), icv.begin() + 12);
  Bytes udp = {0x11, 0x94, 0x11, 0x94, 0, static_cast<std::uint8_t>(8 + esp.size()), 0, 0};  // RFC 3948: 4500
  udp.insert(udp.end(), esp.begin(), esp.end());
  const Bytes ip = ipv4(kProtoUdp, {192, 0, 2, 2, 192, 0, 2, 1}, udp);
  Bytes bytes(14);
  bytes[12] = 0x08;
  bytes.insert(bytes.end(), ip.begin(), ip.end());
  return make_packet(bytes).release();
}

/// With an inbound SA of worker 1, in UDP.
Config with_inbound(Config config) {
  SaConfig sa;
  sa.name = "odd-in";
  sa.direction = Direction::kIn;
  sa.spi = kOddIn;
  sa.src = *IpAddress::parse("192.0.2.2");
  sa.dst = *IpAddress::parse("192.0.2.1");
  sa.udp_encap = UdpEncapConfig{};
  config.sas.push_back(sa);
  PolicyConfig policy;
  policy.direction = Direction::kIn;
  policy.action = Action::kProtect;
  policy.sa = static_cast<std::uint32_t>(config.sas.size() - 1);
  config.policies.push_back(policy);
  config.ports[0].neighbours = {{*IpAddress::parse("10.1.0.2"), *MacAddress::parse("02:00:00:00:00:03")}};
  return config;
}

class TwoWorkers : public testing::Test {
 protected:
  TwoWorkers() {
    for (std::size_t i = 0; i < 2; ++i) infos.push_back(make_port_info(config, i));
    tables = std::make_unique<Tables>(config, infos);
    for (unsigned i = 0; i < 2; ++i) {
      workers.push_back(
          std::make_unique<Worker>(config, infos, test_pool(), sent[i],
                                   Worker::Options{.events = &events[i], .index = i, .handover = &handover}));
    }
  }
  std::uint64_t ended(Verdict verdict) const {
    std::uint64_t sum = 0;
    for (const auto& worker : workers)
      sum += worker->counters().ended[static_cast<std::size_t>(verdict)].get();
    return sum;
  }
  void receive_esp_in_udp(unsigned worker, std::uint8_t seq) {
    rte_mbuf* m = esp_in_udp(seq);
    workers[worker]->receive(*tables, 1, &m, 1);
  }
  void receive(unsigned worker, std::uint32_t spi) {
    rte_mbuf* m = frame(spi);
    workers[worker]->receive(*tables, 0, &m, 1);
  }

  const Config config = with_inbound(two_sas());
  std::vector<PortInfo> infos;
  std::unique_ptr<Tables> tables;
  Handover handover{2};
  Collector sent[2];
  EventLog events[2];
  std::vector<std::unique_ptr<Worker>> workers;
};

TEST_F(TwoWorkers, OnlyTheOwnerNumbersAnSasPackets) {
  for (int i = 0; i < 10; ++i) {
    for (const unsigned worker : {0u, 1u}) {
      receive(worker, kEven);
      receive(worker, kOdd);
    }
  }
  EXPECT_EQ(ended(Verdict::kHeld), 20u);
  for (const auto& worker : workers) EXPECT_TRUE(worker->take_over(*tables));
  EXPECT_EQ(ended(Verdict::kHeld), 0u);
  EXPECT_EQ(ended(Verdict::kForwarded), 40u);
  std::vector<std::uint32_t> all(20);
  std::iota(all.begin(), all.end(), 1u);
  EXPECT_EQ(sent[0].numbers, (decltype(sent[0].numbers){{kEven, all}}));
  EXPECT_EQ(sent[1].numbers, (decltype(sent[1].numbers){{kOdd, all}}));
}

TEST_F(TwoWorkers, AHardLimitOfPacketsIsExact) {
  constexpr unsigned kHard = 20;
  Config limited = config;
  for (SaConfig& sa : limited.sas) sa.life_packets.hard = kHard;
  tables = std::make_unique<Tables>(limited, infos);
  for (unsigned i = 0; i < kHard; ++i) {  // twice as many as may, from both workers
    for (const unsigned worker : {0u, 1u}) {
      receive(worker, kEven);
      receive(worker, kOdd);
    }
    if (i % 3 != 0) continue;
    for (const auto& worker : workers) static_cast<void>(worker->take_over(*tables));
  }
  for (const auto& worker : workers) static_cast<void>(worker->take_over(*tables));
  std::vector<std::uint32_t> all(kHard);
  std::iota(all.begin(), all.end(), 1u);
  EXPECT_EQ(sent[0].numbers, (decltype(sent[0].numbers){{kEven, all}}));
  EXPECT_EQ(sent[1].numbers, (decltype(sent[1].numbers){{kOdd, all}}));
  EXPECT_EQ(ended(Verdict::kForwarded), 2 * kHard);
  EXPECT_EQ(ended(Verdict::kSaExpired), 2 * kHard);
  EXPECT_EQ(ended(Verdict::kHeld), 0u);
}

TEST_F(TwoWorkers, TheLastNumberOfEsnIsUsedOnce) {
  Config extended = config;
  for (SaConfig& sa : extended.sas) sa.esn = true;
  tables = std::make_unique<Tables>(extended, infos);
  for (const auto& sa : tables->sas) sa->last_seq = kLastEsn - 2;
  for (int i = 0; i < 4; ++i) receive(0, kEven);
  EXPECT_EQ(sent[0].numbers, (decltype(sent[0].numbers){{kEven, {0xfffffffe, 0xffffffff}}}));
  EXPECT_EQ(ended(Verdict::kSeqExhausted), 2u);
}

TEST_F(TwoWorkers, AFullRingDropsByName) {
  constexpr unsigned kRoom = Handover::kRingSize - 1;
  for (unsigned i = 0; i < kRoom + 5; ++i) receive(0, kOdd);
  EXPECT_EQ(ended(Verdict::kHeld), kRoom);
  EXPECT_EQ(ended(Verdict::kHandoverFull), 5u);
  while (workers[1]->take_over(*tables)) {
  }
  EXPECT_EQ(ended(Verdict::kForwarded), kRoom);
  EXPECT_EQ(ended(Verdict::kHeld), 0u);
}

TEST_F(TwoWorkers, PacketsInTheRingMeetTheTablesInForce) {
  receive(0, kOdd);
  Config changed = config;
  changed.policies[1].action = Action::kDiscard;
  changed.policies[1].sa.reset();
  changed.sas[1].spi = kOdd + 2;
  const Tables next(changed, infos);
  tables.reset();  // the odd SA with it
  EXPECT_TRUE(workers[1]->take_over(next));
  EXPECT_EQ(ended(Verdict::kPolicyDiscard), 1u);
  EXPECT_TRUE(sent[1].numbers.empty());
}

// Its owner took no part in the reload yet: what the other worker gives it has seen the tables before or
// after.
TEST_F(TwoWorkers, TheRingsOrderOutlastsAReload) {
  const Tables next(config, infos);
  std::uint8_t id = 0;
  for (const Tables* seen : {static_cast<const Tables*>(tables.get()), &next}) {
    for (int i = 0; i < 3; ++i) {
      rte_mbuf* m = frame(kOdd, ++id);
      workers[0]->receive(*seen, 0, &m, 1);
    }
  }
  static_cast<void>(workers[1]->take_over(*tables));
  EXPECT_EQ(sent[1].ids, (decltype(sent[1].ids){{kOdd, {1, 2, 3, 4, 5, 6}}}));
}

TEST_F(TwoWorkers, EspInUdpInTheRingIsFoundAgain) {
  receive_esp_in_udp(0, 1);
  EXPECT_EQ(ended(Verdict::kHeld), 1u);
  const Tables next(config, infos);
  tables.reset();
  EXPECT_TRUE(workers[1]->take_over(next));
  EXPECT_EQ(ended(Verdict::kForwarded), 1u);
  EXPECT_EQ(next.sas.back()->packets.get(), 1u);
}

TEST_F(TwoWorkers, NoEventReadsAnSaThatIsGone) {
  receive_esp_in_udp(0, 9);
  Config changed = config;
  changed.sas.back().spi = kOddIn + 2;
  const Tables next(changed, infos);
  tables.reset();
  EXPECT_TRUE(workers[1]->take_over(next));
  EXPECT_EQ(ended(Verdict::kNoSa), 1u);
  Event event;
  ASSERT_TRUE(events[1].take(event));
  EXPECT_EQ(event.spi, kOddIn);  // as it stands in the packet
  EXPECT_EQ(event.seq, 9u);
  EXPECT_STREQ(event.sa.data(), "");
}

TEST_F(TwoWorkers, AFrameGoesToTheWorkerThatHasTheQueue) {
  infos[1].num_queues = 1;
  receive(1, kOdd);
  EXPECT_TRUE(sent[1].numbers.empty());
  EXPECT_TRUE(workers[0]->take_over(*tables));
  EXPECT_EQ(sent[0].numbers, (decltype(sent[0].numbers){{kOdd, {1}}}));
}

TEST_F(TwoWorkers, WhatOneLearnsOfANeighbourTheOtherKnows) {
  const IpAddress peer = *IpAddress::parse("10.1.0.9");
  std::vector<std::uint8_t> arp = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2, 0, 0, 0, 0,  9, 8, 6,
                                   0,    1,    8,    0,    6,    4,    0, 1, 2, 0, 0,  0, 0, 9,
                                   10,   1,    0,    9,    0,    0,    0, 0, 0, 0, 10, 1, 0, 1};
  rte_mbuf* m = make_packet(arp).release();
  workers[0]->receive(*tables, 0, &m, 1);
  static_cast<void>(workers[1]->take_over(*tables));
  const auto& entries = workers[1]->resolver().table().entries();
  const auto found = entries.find({0, peer});
  ASSERT_NE(found, entries.end());
  EXPECT_EQ(found->second.mac.to_string(), "02:00:00:00:00:09");
}

// Of three workers, one that always has more than is taken at once does not shut out another.
TEST(Handover, EachWorkerIsTakenFromInTurn) {
  Handover handover(3);
  std::vector<rte_mbuf*> busy(2 * kMaxPackets);
  for (rte_mbuf*& m : busy) m = rte_pktmbuf_alloc(test_pool());
  rte_mbuf* rare = rte_pktmbuf_alloc(test_pool());
  ASSERT_EQ(handover.give(0, 2, busy.data(), static_cast<unsigned>(busy.size())), busy.size());
  ASSERT_EQ(handover.give(1, 2, &rare, 1), 1U);
  bool is_taken = false;
  for (int turn = 0; turn < 3; ++turn) {
    rte_mbuf* packets[kMaxPackets / 2];
    const unsigned num = handover.take(2, packets, kMaxPackets / 2);
    is_taken |= std::find(packets, packets + num, rare) != packets + num;
    rte_pktmbuf_free_bulk(packets, num);
  }
  EXPECT_TRUE(is_taken);
}

}  // namespace
}  // namespace gate96
