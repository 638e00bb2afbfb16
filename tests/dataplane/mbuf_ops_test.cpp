// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/mbuf_ops.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "tests/dataplane/eal_environment.h"

namespace gate96 {
namespace {

std::vector<std::uint8_t> counted(std::size_t len) {
  std::vector<std::uint8_t> bytes(len);
  std::iota(bytes.begin(), bytes.end(), std::uint8_t{0});
  return bytes;
}

std::vector<std::uint8_t> part(const std::vector<std::uint8_t>& bytes, std::size_t first, std::size_t len) {
  return {bytes.begin() + static_cast<long>(first), bytes.begin() + static_cast<long>(first + len)};
}

/// DPDK's own judgement of lengths and segment count.
void expect_sane(const rte_mbuf* m) {
  const char* reason = nullptr;
  EXPECT_EQ(rte_mbuf_check(m, 1, &reason), 0) << reason;
}

/// Leaves the last segment no tailroom.
void fill_up(rte_mbuf* m) {
  const std::uint16_t room = rte_pktmbuf_tailroom(rte_pktmbuf_lastseg(m));
  std::memset(rte_pktmbuf_append(m, room), 0, room);
}

class EverySplit : public testing::TestWithParam<std::size_t> {};

TEST_P(EverySplit, PullUpKeepsTheBytes) {
  const auto bytes = counted(40);
  for (std::uint32_t len = 0; len <= 40; ++len) {
    const Packet packet = make_packet(bytes, GetParam());
    ASSERT_TRUE(pull_up(packet.get(), len));
    EXPECT_GE(packet->data_len, len);
    EXPECT_EQ(bytes_of(packet.get()), bytes);
    expect_sane(packet.get());
  }
  EXPECT_FALSE(pull_up(make_packet(bytes, GetParam()).get(), 41));
}

TEST_P(EverySplit, TrimsAtBothEnds) {
  const auto bytes = counted(40);
  for (std::uint32_t len = 0; len < 40; ++len) {
    const Packet end = make_packet(bytes, GetParam());
    trim_end(end.get(), len);
    EXPECT_EQ(bytes_of(end.get()), part(bytes, 0, 40 - len));
    expect_sane(end.get());
    const Packet front = make_packet(bytes, GetParam());
    trim_front(front.get(), len);
    EXPECT_EQ(bytes_of(front.get()), part(bytes, len, 40 - len));
    expect_sane(front.get());
  }
}

TEST_P(EverySplit, AppendsAndPrependsWithAndWithoutRoom) {
  const auto bytes = counted(30);
  for (const bool room : {true, false}) {
    rte_mbuf* m = make_packet(bytes, GetParam()).release();
    if (!room) {
      fill_up(m);
      if (m->nb_segs > 1) m->data_off = 0;  // no headroom
    }
    const auto before = bytes_of(m);
    std::uint8_t* end = append(m, 17, test_pool());
    ASSERT_NE(end, nullptr);
    std::memset(end, 0xee, 17);
    std::uint8_t* front = prepend(m, 28, test_pool());
    ASSERT_NE(front, nullptr);
    std::memset(front, 0xff, 28);
    std::vector<std::uint8_t> expected(28 + before.size() + 17, 0xee);
    std::fill_n(expected.begin(), 28, std::uint8_t{0xff});
    std::copy(before.begin(), before.end(), expected.begin() + 28);
    EXPECT_EQ(bytes_of(m), expected);
    expect_sane(m);
    rte_pktmbuf_free(m);
  }
}

INSTANTIATE_TEST_SUITE_P(MbufOps, EverySplit, testing::Values(3, 7, 14, 39, 100));

TEST(MbufOps, NeverGrowsPastTheSegmentLimit) {
  const auto bytes = counted(kMaxSegments);
  const Packet packet = make_packet(bytes, 1);
  fill_up(packet.get());
  const std::uint32_t full = packet->pkt_len;
  EXPECT_EQ(append(packet.get(), 1, test_pool()), nullptr);
  EXPECT_EQ(packet->pkt_len, full);
}

}  // namespace
}  // namespace gate96
