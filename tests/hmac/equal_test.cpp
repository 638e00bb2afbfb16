// SPDX-License-Identifier: BSD-3-Clause
#include "hmac/equal.h"

#include <gtest/gtest.h>

#include <array>

namespace gate96::hmac {
namespace {

using Tag = std::array<std::uint8_t, 12>;

TEST(EqualTags, SameTagsAreEqual) {
  const Tag a{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  const Tag b = a;
  EXPECT_TRUE(equal_tags(a, b));
}

TEST(EqualTags, AnyBitOfAnyByteCounts) {
  const Tag a{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  for (std::size_t byte = 0; byte < a.size(); ++byte) {
    for (int bit = 0; bit < 8; ++bit) {
      Tag b = a;
      b[byte] ^= static_cast<std::uint8_t>(1 << bit);
      EXPECT_FALSE(equal_tags(a, b)) << "byte " << byte << " bit " << bit;
    }
  }
}

TEST(EqualTags, OtherLengthsAndEmptyTagsAreNotEqual) {
  const Tag a{};
  EXPECT_FALSE(equal_tags(a, std::span(a).first(11)));
  EXPECT_FALSE(equal_tags(std::span(a).first(0), std::span(a).first(0)));
}

}  // namespace
}  // namespace gate96::hmac
