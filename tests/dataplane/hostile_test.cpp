// SPDX-License-Identifier: BSD-3-Clause
// Whatever arrives, the accounts balance and no buffer is lost (the environment counts them at the end).
#include <gtest/gtest.h>

#include <random>

#include "dataplane/esp.h"
#include "dataplane/wire_format.h"
#include "tests/dataplane/eal_environment.h"
#include "tests/dataplane/site.h"

namespace gate96 {
namespace {

class Hostile : public testing::Test {
 protected:
  std::uint32_t pick(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }

  /// Bytes that look like a packet: an IP version, plausible protocols and lengths, then anything.
  Bytes datagram() {
    Bytes bytes(20 + pick(pick(10) == 0 ? 9000 : 200));
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random_());
    const bool v4 = pick(2) != 0;
    bytes[0] = v4 ? 0x45 : 0x60;
    if (v4) {
      set16(bytes, 2, static_cast<std::uint16_t>(bytes.size() - pick(3)));
      set16(bytes, 6, pick(4) != 0 ? 0 : static_cast<std::uint16_t>(pick(0x2003)));
      constexpr std::uint8_t kProtocols[] = {kProtoIcmp, kProtoUdp, kProtoTcp, kProtoEsp};
      bytes[9] = kProtocols[pick(4)];
      constexpr std::uint8_t kAddresses[][4] = {{10, 1, 0, 1}, {10, 2, 0, 5}, {192, 0, 2, 1}, {192, 0, 2, 2}};
      std::copy_n(kAddresses[pick(4)], 4, bytes.begin() + 12);
      std::copy_n(kAddresses[pick(4)], 4, bytes.begin() + 16);
      if (pick(8) != 0) seal_header(bytes, 0);
    } else if (bytes.size() >= 40) {
      set16(bytes, 4, static_cast<std::uint16_t>(bytes.size() - 40 - pick(2)));
      constexpr std::uint8_t kNext[] = {0, 43, 44, 50, 58, 60, 17};
      bytes[6] = kNext[pick(7)];
    }
    return bytes;
  }

  Bytes frame() {
    Bytes bytes = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2, 0, 0, 0, 0, 9};
    if (pick(6) == 0) bytes.insert(bytes.end(), {0x81, 0, 0, 5});
    const Bytes inside = datagram();
    const std::uint16_t type = pick(20) == 0       ? kEtherTypeArp
                               : inside[0] == 0x45 ? kEtherTypeIpv4
                                                   : kEtherTypeIpv6;
    bytes.push_back(static_cast<std::uint8_t>(type >> 8));
    bytes.push_back(static_cast<std::uint8_t>(type));
    bytes.insert(bytes.end(), inside.begin(), inside.end());
    if (pick(20) == 0) bytes.resize(pick(static_cast<std::uint32_t>(bytes.size())));
    return bytes;
  }

  /// An ESP packet whose ICV is right and whose inside is not to be trusted.
  Bytes sealed() {
    Bytes inside = datagram();
    if (inside.size() > 1400) inside.resize(1400);
    const std::uint32_t pad =
        pick(4) == 0 ? pick(256) : esp::pad_len(static_cast<std::uint32_t>(inside.size()));
    inside.resize(inside.size() + pick(5));
    for (std::uint32_t i = 0; i < pad; ++i) inside.push_back(static_cast<std::uint8_t>(i + 1));
    inside.push_back(static_cast<std::uint8_t>(pad + (pick(8) == 0 ? pick(256) : 0)));
    constexpr std::uint8_t kNext[] = {kProtoIpv4, kProtoIpv6, kProtoNone, kProtoUdp};
    inside.push_back(kNext[pick(4)]);
    Bytes bytes = sealed_frame(0x1002 + pick(2), pick(1000), inside);
    if (pick(8) == 0) bytes.back() ^= 1;
    return bytes;
  }

  /// The two halves of a sealed frame's datagram as IPv4 fragments; now and then one is missing or late.
  std::vector<Bytes> halves() {
    constexpr std::size_t kHead = 14 + 20;
    const Bytes whole = sealed();
    const std::size_t cut = (whole.size() - kHead) / 2 & ~std::size_t{7};
    Bytes first(whole.begin(), whole.begin() + static_cast<long>(kHead + cut));
    Bytes second(whole.begin(), whole.begin() + kHead);
    second.insert(second.end(), whole.begin() + static_cast<long>(kHead + cut), whole.end());
    const auto id = static_cast<std::uint16_t>(random_());
    for (Bytes* half : {&first, &second}) {
      set16(*half, 14 + 2, static_cast<std::uint16_t>(half->size() - 14));
      set16(*half, 14 + 4, id);
      set16(*half, 14 + 6, half == &first ? 0x2000 : static_cast<std::uint16_t>(cut / 8));
      seal_header(*half, 14);
    }
    if (pick(3) == 0) return {second};
    return {second, first};
  }

  static void seal_header(Bytes& bytes, std::size_t at) {
    set16(bytes, at + 10, 0);
    std::uint32_t sum = 0;
    for (std::size_t i = at; i < at + 20; i += 2)
      sum += static_cast<std::uint32_t>(bytes[i] << 8 | bytes[i + 1]);
    while (sum >> 16 != 0) sum = (sum & 0xffff) + (sum >> 16);
    set16(bytes, at + 10, static_cast<std::uint16_t>(~sum));
  }

  static void set16(Bytes& bytes, std::size_t at, std::uint16_t value) {
    bytes[at] = static_cast<std::uint8_t>(value >> 8);
    bytes[at + 1] = static_cast<std::uint8_t>(value);
  }

  std::mt19937_64 random_{96};
};

TEST_F(Hostile, AccountsBalanceAfterAnyInput) {
  Site site(test_pool(), kSiteConfig);
  site.keep_sent = false;
  for (std::uint64_t round = 0; round < 3000; ++round) {
    std::vector<Bytes> frames(1 + pick(32));
    const auto port = static_cast<std::uint8_t>(pick(4));
    for (Bytes& bytes : frames) bytes = port == 1 && pick(2) != 0 ? sealed() : frame();
    site.receive(port, frames);
    ASSERT_EQ(site.balance(), 0) << "round " << round;
    site.receive(1, halves());
    if (round % 16 == 0) site.tick(round * 3);
  }
  site.stop();
  EXPECT_EQ(site.balance(), 0);
  EXPECT_EQ(site.ended(Verdict::kHeld), 0U);
  // The input reached far: each of these ends a packet deep inside.
  for (const Verdict verdict :
       {Verdict::kForwarded, Verdict::kConsumed, Verdict::kMerged, Verdict::kInnerBad, Verdict::kPadBad,
        Verdict::kNextHeader, Verdict::kSelectorMismatch, Verdict::kIcvBad, Verdict::kIpExtension,
        Verdict::kReassembly, Verdict::kFrameShort}) {
    EXPECT_GT(site.ended(verdict), 0U) << name(verdict);
  }
}

}  // namespace
}  // namespace gate96
