// SPDX-License-Identifier: BSD-3-Clause
// What routers say of the way behind an SA: believed only of packets that it has sent, with a floor, for a
// while; and how many errors we send of our own.
#include "dataplane/path_mtu.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "dataplane/icmp_error.h"
#include "tests/dataplane/eal_environment.h"
#include "tests/dataplane/site.h"

namespace gate96 {
namespace {

constexpr std::uint16_t kDf = kIpv4DontFragment;
constexpr std::size_t kIcmpAt = sizeof(EtherHeader) + sizeof(Ipv4Header);
constexpr Ipv4 kHost = {10, 1, 0, 2}, kFar = {10, 2, 0, 5}, kFarInUdp = {10, 3, 0, 5};
constexpr unsigned kOverhead = 20 + 8 + 2 + 12;  // outer header, ESP header, trailer, ICV, without padding

class PathMtu : public testing::Test {
 protected:
  PathMtu() : site(test_pool(), kSiteConfig) { site.meet_neighbours(); }

  /// The frame that leaves on the WAN for a datagram of `len` bytes with DF; empty: none.
  Bytes send(std::size_t len, Ipv4 dst = kFar) {
    site.sent.clear();
    site.receive(0, {framed(udp_datagram(kHost, dst, len, kDf))});
    return site.sent.empty() ? Bytes{} : site.sent.back();
  }

  /// The MTU in the error about a datagram of `len` bytes; 0: it went through.
  unsigned told(std::size_t len, Ipv4 dst = kFar) {
    const Bytes frame = send(len, dst);
    if (frame.size() < kIcmpAt + 8 || frame[sizeof(EtherHeader) + 9] != kProtoIcmp) return 0;
    return static_cast<unsigned>(frame[kIcmpAt + 6] << 8 | frame[kIcmpAt + 7]);
  }

  /// "Fragmentation needed" from a router, about `frame`, whose bytes it quotes.
  void complain(const Bytes& frame, unsigned mtu) {
    constexpr std::size_t kQuoted = 60;
    Bytes ip =
        udp_datagram({192, 0, 2, 9}, {192, 0, 2, 1}, sizeof(Ipv4Header) + sizeof(IcmpHeader) + kQuoted);
    ip[9] = kProtoIcmp;
    seal_header(ip);
    const std::uint8_t icmp[] = {
        3, 4, 0, 0, 0, 0, static_cast<std::uint8_t>(mtu >> 8), static_cast<std::uint8_t>(mtu)};
    std::ranges::copy(icmp, ip.begin() + sizeof(Ipv4Header));
    std::copy_n(frame.begin() + sizeof(EtherHeader), kQuoted,
                ip.begin() + sizeof(Ipv4Header) + sizeof(IcmpHeader));
    site.receive(1, {framed(ip)});
  }

  Site site;
};

TEST_F(PathMtu, IsLearntFromWhatWasSentAndAges) {
  complain(send(1200), 1000);
  EXPECT_EQ(site.ended(Verdict::kLocal), 1U);
  EXPECT_EQ(told(1200), (1000 - kOverhead + 2) / 4 * 4 - 2);
  EXPECT_EQ(told(900), 0U);
  site.tick(kPathMtuAgeMs + 1);
  EXPECT_EQ(told(1200), 0U);
}

TEST_F(PathMtu, IsLearntOfEspInUdp) {
  complain(send(1200, kFarInUdp), 1000);
  EXPECT_EQ(told(1200, kFarInUdp), (1000 - kOverhead - 8 + 2) / 4 * 4 - 2);
  EXPECT_EQ(told(1200), 0U);  // the other SA's way is another one
}

TEST_F(PathMtu, HasAFloor) {
  complain(send(1200), 68);
  EXPECT_EQ(told(1200), (kMinPathMtu4 - kOverhead + 2) / 4 * 4 - 2);
}

TEST_F(PathMtu, IsNotLearntFromForgedQuotes) {
  const Bytes sent = send(1200);
  constexpr std::size_t kSpiAt = kIcmpAt, kSeqAt = kIcmpAt + 4, kDstAt = kIcmpAt - 4;
  for (const std::size_t at : {kSpiAt + 3, kSeqAt, kSeqAt + 3, kDstAt + 3}) {
    Bytes forged = sent;
    forged[at] ^= 0x40;
    complain(forged, 1000);
  }
  EXPECT_EQ(site.ended(Verdict::kLocalRefused), 4U);
  EXPECT_EQ(told(1200), 0U);
}

TEST_F(PathMtu, NeverGrowsByAnError) {
  complain(send(1200), 1000);
  complain(send(900), 1400);
  EXPECT_NE(told(1200), 0U);
}

TEST_F(PathMtu, OurOwnErrorsAreLimited) {
  site.receive(0, std::vector<Bytes>(32, framed(udp_datagram(kHost, kFar, 1500, kDf))));
  EXPECT_EQ(site.sent.size(), 32U);
  site.receive(0, std::vector<Bytes>(32, framed(udp_datagram(kHost, kFar, 1500, kDf))));
  EXPECT_EQ(site.sent.size(), icmp_error::Limiter::kBurst);
  EXPECT_EQ(site.ended(Verdict::kTooBig), 64U);
  site.tick(100);
  site.receive(0, std::vector<Bytes>(32, framed(udp_datagram(kHost, kFar, 1500, kDf))));
  EXPECT_EQ(site.sent.size(), icmp_error::Limiter::kBurst + icmp_error::Limiter::kPerSecond / 10);
}

}  // namespace
}  // namespace gate96
