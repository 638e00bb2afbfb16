// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/sad.h"

#include <gtest/gtest.h>

#include <cstring>

#include "dataplane/wire_format.h"
#include "tests/dataplane/eal_environment.h"
#include "tests/dataplane/sa_samples.h"

namespace gate96 {
namespace {

std::shared_ptr<Sa> receiver(std::uint32_t spi, const char* src, const char* dst) {
  SaConfig config = sample_sa(Direction::kIn, spi);
  config.src = *IpAddress::parse(src);
  config.dst = *IpAddress::parse(dst);
  return std::make_shared<Sa>(config);
}

/// The SA of an ESP packet with this SPI.
Sa* find(const Sad& sad, std::uint32_t spi, const char* src, const char* dst) {
  const IpAddress from = *IpAddress::parse(src);
  const IpAddress to = *IpAddress::parse(dst);
  const std::size_t header_len = from.is_v4() ? sizeof(Ipv4Header) : sizeof(Ipv6Header);
  const std::size_t len = from.is_v4() ? 4 : 16;
  std::vector<std::uint8_t> bytes(header_len + sizeof(EspHeader));
  std::memcpy(&bytes[header_len - 2 * len], from.bytes.data(), len);
  std::memcpy(&bytes[header_len - len], to.bytes.data(), len);
  const rte_be32_t wire_spi = rte_cpu_to_be_32(spi);
  std::memcpy(&bytes[header_len], &wire_spi, sizeof wire_spi);
  const Packet packet = make_packet(bytes);
  info(packet.get()).family = from.family;
  info(packet.get()).header_len = static_cast<std::uint16_t>(header_len);
  rte_mbuf* packets[] = {packet.get()};
  Sa* result[1] = {};
  sad.lookup(packets, 1, result);
  return result[0];
}

TEST(Sad, FindsEachOfManyAndNoOther) {
  std::vector<std::shared_ptr<Sa>> sas;
  for (std::uint32_t i = 0; i < 3000; ++i) sas.push_back(receiver(256 + 7 * i, "192.0.2.1", "192.0.2.2"));
  const Sad sad(sas);
  for (std::uint32_t i = 0; i < 3000; ++i) {
    EXPECT_EQ(find(sad, 256 + 7 * i, "198.51.100.9", "192.0.2.2"), sas[i].get());
    EXPECT_EQ(find(sad, 257 + 7 * i, "198.51.100.9", "192.0.2.2"), nullptr);
  }
}

TEST(Sad, SpiAndDestinationTogetherDecide) {
  const std::vector<std::shared_ptr<Sa>> sas = {receiver(300, "192.0.2.1", "192.0.2.2"),
                                                receiver(300, "192.0.2.1", "192.0.2.3"),
                                                receiver(300, "2001:db8::1", "2001:db8::2")};
  const Sad sad(sas);
  EXPECT_EQ(find(sad, 300, "192.0.2.1", "192.0.2.2"), sas[0].get());
  EXPECT_EQ(find(sad, 300, "192.0.2.1", "192.0.2.3"), sas[1].get());
  EXPECT_EQ(find(sad, 300, "2001:db8::1", "2001:db8::2"), sas[2].get());
  EXPECT_EQ(find(sad, 300, "192.0.2.1", "192.0.2.4"), nullptr);
  EXPECT_EQ(find(sad, 300, "2001:db8::1", "2001:db8::3"), nullptr);
}

// RFC 4301 4.1: SPI, destination and source first; then SPI and destination.
TEST(Sad, OfAGroupTheNamedSenderGoesFirst) {
  for (const bool any_first : {true, false}) {
    std::vector<std::shared_ptr<Sa>> sas = {receiver(300, "0.0.0.0", "233.252.0.1"),
                                            receiver(300, "192.0.2.1", "233.252.0.1")};
    const Sa* any = sas[0].get();
    const Sa* named = sas[1].get();
    if (!any_first) std::swap(sas[0], sas[1]);
    const Sad sad(sas);
    EXPECT_EQ(find(sad, 300, "192.0.2.1", "233.252.0.1"), named);
    EXPECT_EQ(find(sad, 300, "192.0.2.9", "233.252.0.1"), any);
  }
  const Sad only_named({receiver(300, "192.0.2.1", "233.252.0.1")});
  EXPECT_EQ(find(only_named, 300, "192.0.2.9", "233.252.0.1"), nullptr);
}

TEST(Sad, HasNoSendersAndMayBeEmpty) {
  const Sad sad({std::make_shared<Sa>(sample_sa(Direction::kOut, 300))});
  EXPECT_EQ(find(sad, 300, "192.0.2.1", "192.0.2.2"), nullptr);
}

}  // namespace
}  // namespace gate96
