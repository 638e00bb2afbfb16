// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/ip_edit.h"

#include <gtest/gtest.h>
#include <rte_ip.h>

#include <cstring>

#include "dataplane/wire_format.h"
#include "tests/dataplane/eal_environment.h"

namespace gate96 {
namespace {

std::uint16_t computed(Ipv4Header ip) {
  ip.checksum = 0;
  return static_cast<std::uint16_t>(~rte_raw_cksum(&ip, sizeof ip));
}

TEST(IpEdit, ChecksumAfterATtlStepIsTheComputedOneAlsoAt0) {
  for (std::uint32_t id = 0; id <= 0xffff; ++id) {  // every value of the sum
    Ipv4Header ip{};
    ip.version_ihl = 0x45;
    ip.total_len = rte_cpu_to_be_16(sizeof ip);
    ip.id = static_cast<rte_be16_t>(id);
    ip.ttl = static_cast<std::uint8_t>(2 + id % 254);
    ip.checksum = computed(ip);
    std::vector<std::uint8_t> bytes(sizeof ip);
    std::memcpy(bytes.data(), &ip, sizeof ip);
    const Packet packet = make_packet(bytes);
    ASSERT_TRUE(decrement_ttl(packet.get()));
    const auto* after = rte_pktmbuf_mtod(packet.get(), const Ipv4Header*);
    ASSERT_EQ(after->ttl, ip.ttl - 1);
    ASSERT_EQ(after->checksum, computed(*after)) << id;
  }
}

TEST(IpEdit, TtlIsCountedDownOnceAndNeverFrom1) {
  for (const std::uint8_t ttl : {0, 1, 2}) {
    std::vector<std::uint8_t> bytes(sizeof(Ipv4Header));
    bytes[offsetof(Ipv4Header, ttl)] = ttl;
    const Packet packet = make_packet(bytes);
    EXPECT_EQ(decrement_ttl(packet.get()), ttl == 2);
    if (ttl == 2) {
      EXPECT_TRUE(decrement_ttl(packet.get()));  // already done
      EXPECT_EQ(rte_pktmbuf_mtod(packet.get(), const Ipv4Header*)->ttl, 1);
    }
  }
}

}  // namespace
}  // namespace gate96
