// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/esp.h"

#include <gtest/gtest.h>

#include <array>

namespace gate96 {
namespace {

TEST(Esp, PadLengthFollowsThePayload) {
  const std::array<std::uint32_t, 4> expected = {2, 1, 0, 3};  // payload mod 4 = 0, 1, 2, 3
  for (std::uint32_t len = 0; len < 70000; ++len) {
    ASSERT_EQ(esp::pad_len(len), expected[len % 4]);
    ASSERT_EQ((esp::kHeaderLen + len + esp::pad_len(len) + esp::kTrailerLen) % 4, 0u);
  }
}

TEST(Esp, TrailerIsOneTwoThreeLengthNext) {
  std::array<std::uint8_t, 6> bytes{};
  esp::write_trailer(bytes.data(), 3, 4);
  EXPECT_EQ(bytes, (std::array<std::uint8_t, 6>{1, 2, 3, 3, 4, 0}));
}

TEST(Esp, PaddingMustBeOneTwoThree) {
  const std::array<std::uint8_t, 3> good = {1, 2, 3};
  EXPECT_TRUE(esp::padding_ok(good.data(), 3));
  EXPECT_TRUE(esp::padding_ok(good.data(), 0));
  for (const std::array<std::uint8_t, 3>& bad :
       {std::array<std::uint8_t, 3>{0, 1, 2}, {0, 0, 0}, {0xff, 2, 3}, {1, 3, 3}, {1, 2, 4}}) {
    EXPECT_FALSE(esp::padding_ok(bad.data(), 3));
  }
  std::array<std::uint8_t, 255> longest{};
  for (unsigned i = 0; i < 255; ++i) longest[i] = static_cast<std::uint8_t>(i + 1);
  EXPECT_TRUE(esp::padding_ok(longest.data(), 255));
  longest[254] = 0;
  EXPECT_FALSE(esp::padding_ok(longest.data(), 255));
}

}  // namespace
}  // namespace gate96
