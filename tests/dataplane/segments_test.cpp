// SPDX-License-Identifier: BSD-3-Clause
// However a packet's bytes lie over buffers, and however little room is around them, what leaves is the same.
#include <gtest/gtest.h>

#include <numeric>

#include "dataplane/esp.h"
#include "dataplane/wire_format.h"
#include "hmac/hmac.h"
#include "tests/dataplane/eal_environment.h"
#include "tests/dataplane/site.h"

namespace gate96 {
namespace {

constexpr std::size_t kL2 = sizeof(EtherHeader);
constexpr std::size_t kIp = sizeof(Ipv4Header);
constexpr std::uint32_t kMaxTailroom = 18;  // of which ESP needs up to 3 + 2 + 12

/// Inbound: ESP around a datagram for the LAN. Outbound: a datagram for the tunnel.
Bytes sealed() {
  Bytes inside = udp_datagram({10, 2, 0, 5}, {10, 1, 0, 2}, 73);
  const std::uint32_t num_pad = esp::pad_len(static_cast<std::uint32_t>(inside.size()));
  const std::size_t at = inside.size();
  inside.resize(at + num_pad + esp::kTrailerLen);
  esp::write_trailer(&inside[at], num_pad, kProtoIpv4);
  return sealed_frame(0x1002, 1, inside);
}
Bytes clear() {
  return framed(udp_datagram({10, 1, 0, 2}, {10, 2, 0, 5}, 73));
}

class Segments : public testing::Test {
 protected:
  Segments() : site(test_pool(), kSiteConfig) { site.meet_neighbours(); }

  /// What leaves when one packet enters.
  Bytes pass(std::uint8_t port, Packet packet) {
    site.sent.clear();
    site.receive_packets(port, {packet.release()});
    EXPECT_EQ(site.sent.size(), 1U);
    return site.sent.empty() ? Bytes{} : site.sent.front();
  }

  /// Outbound, each packet has a number of its own: it must be ESP with the datagram one hop later inside.
  static void expect_sealed(const Bytes& frame, const Bytes& inner) {
    constexpr std::size_t kHead = kL2 + kIp;
    ASSERT_GT(frame.size(), kHead + esp::kMinLen + inner.size());
    const std::span<const std::uint8_t> packet = std::span(frame).subspan(kHead);
    const auto authentic = packet.first(packet.size() - esp::kIcvLen);
    std::array<std::uint8_t, 20> key;
    std::iota(key.begin(), key.end(), std::uint8_t{0});
    const auto tag = hmac::digest(hmac::Key(key), authentic);
    EXPECT_TRUE(std::equal(tag.begin(), tag.begin() + esp::kIcvLen, packet.end() - esp::kIcvLen));
    const auto found = authentic.subspan(esp::kHeaderLen, inner.size());
    EXPECT_EQ(found[8], inner[8] - 1);  // TTL
    EXPECT_TRUE(std::equal(found.begin() + kIp, found.end(), inner.begin() + kIp));
  }

  Site site;
};

TEST_F(Segments, SplitAnywhereWhatLeavesIsTheSame) {
  const Bytes in = sealed(), out = clear();
  const Bytes opened = pass(1, make_packet(in));
  ASSERT_EQ(opened.size(), kL2 + 73);
  for (std::size_t piece = in.size() / kMaxSegments + 1; piece < in.size(); ++piece) {
    EXPECT_EQ(pass(1, make_packet(in, piece)), opened) << "pieces of " << piece;
  }
  const Bytes inner(out.begin() + kL2, out.end());
  for (std::size_t piece = out.size() / (kMaxSegments - 1) + 1; piece < out.size(); ++piece) {
    SCOPED_TRACE(piece);
    expect_sealed(pass(0, make_packet(out, piece)), inner);
  }
  EXPECT_EQ(site.balance(), 0);
}

/// Moves the bytes of a packet of one segment within its buffer.
void place(rte_mbuf* m, std::uint32_t offset) {
  std::uint8_t* const buffer = static_cast<std::uint8_t*>(m->buf_addr);
  std::memmove(buffer + offset, rte_pktmbuf_mtod(m, std::uint8_t*), m->data_len);
  m->data_off = static_cast<std::uint16_t>(offset);
}

TEST_F(Segments, LittleRoomAroundThemChangesNothing) {
  const Bytes in = sealed(), out = clear();
  const Bytes opened = pass(1, make_packet(in));
  const Bytes inner(out.begin() + kL2, out.end());
  for (std::uint32_t room = 0; room <= kMaxTailroom; ++room) {
    SCOPED_TRACE(room);
    Packet tight = make_packet(out);
    place(tight.get(), tight->buf_len - tight->data_len - room);  // nothing behind
    expect_sealed(pass(0, std::move(tight)), inner);
    tight = make_packet(out);
    place(tight.get(), room);  // nothing before
    expect_sealed(pass(0, std::move(tight)), inner);
    tight = make_packet(in);
    place(tight.get(), room);
    EXPECT_EQ(pass(1, std::move(tight)), opened);
  }
  EXPECT_EQ(site.balance(), 0);
}

TEST_F(Segments, ChainsAndLinearPacketsInOneBurst) {
  const Bytes in = sealed();
  const Bytes opened = pass(1, make_packet(in));
  std::vector<rte_mbuf*> burst;
  for (std::size_t i = 0; i < 32; ++i)
    burst.push_back(make_packet(in, i % 2 == 0 ? SIZE_MAX : 10 + i).release());
  site.sent.clear();
  site.receive_packets(1, std::move(burst));
  EXPECT_EQ(site.sent, std::vector<Bytes>(32, opened));
}

TEST_F(Segments, WhatAFullPortDoesNotTakeIsCountedAndFreed) {
  site.num_taken = 5;
  site.receive(1, std::vector<Bytes>(32, sealed()));
  EXPECT_EQ(site.sent.size(), 5U);
  EXPECT_EQ(site.ended(Verdict::kTxFull), 27U);
  EXPECT_EQ(site.balance(), 0);
}

}  // namespace
}  // namespace gate96
