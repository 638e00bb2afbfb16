// SPDX-License-Identifier: BSD-3-Clause
// RFC 2202 section 3: every case through the one-shot, the streaming and the burst interface.
#include <gtest/gtest.h>

#include <vector>

#include "hmac/burst.h"
#include "hmac/hmac.h"
#include "tests/hmac/hex.h"

namespace gate96::hmac {
namespace {

struct Case {
  Bytes key;
  Bytes message;
  const char* tag;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {Bytes(20, 0x0b), text("Hi There"), "b617318655057264e28bc0b6fb378c8ef146be00"},
      {text("Jefe"), text("what do ya want for nothing?"), "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"},
      {Bytes(20, 0xaa), Bytes(50, 0xdd), "125d7342b9ac11cd91a39af48aa17b4f63f175d3"},
      {from_hex("0102030405060708090a0b0c0d0e0f10111213141516171819"), Bytes(50, 0xcd),
       "4c9007f4026250c6bc8414f9bf50c86c2d7235da"},
      {Bytes(20, 0x0c), text("Test With Truncation"), "4c1a03424b55e07fe7f27be1d58bb9324a9a5a04"},
      {Bytes(80, 0xaa), text("Test Using Larger Than Block-Size Key - Hash Key First"),
       "aa4ae5e15272d00e95705637ce8a3b55ed402112"},
      {Bytes(80, 0xaa), text("Test Using Larger Than Block-Size Key and Larger Than One Block-Size Data"),
       "e8e99d0f45237d786d6bbaa7965c7808bbff1a91"},
  };
  return all;
}

TEST(Rfc2202, OneShot) {
  for (const Case& c : cases()) EXPECT_EQ(to_hex(digest(Key(c.key), c.message)), c.tag);
}

TEST(Rfc2202, StreamingSplitAnywhere) {
  for (const Case& c : cases()) {
    for (std::size_t split = 0; split <= c.message.size(); ++split) {
      Hmac hmac{Key(c.key)};
      hmac.update(std::span(c.message).first(split));
      hmac.update(std::span(c.message).subspan(split));
      ASSERT_EQ(to_hex(hmac.final()), c.tag) << "split at " << split;
    }
  }
}

TEST(Rfc2202, BurstOfAllCases) {
  std::vector<Key> keys;
  for (const Case& c : cases()) keys.emplace_back(c.key);
  std::vector<Job> jobs;
  for (std::size_t i = 0; i < cases().size(); ++i) {
    const Bytes& message = cases()[i].message;
    jobs.push_back(
        {.key = &keys[i], .data = message.data(), .len = static_cast<std::uint32_t>(message.size())});
  }
  Burst burst;
  fpu::Context fpu;
  burst.start(jobs);
  ASSERT_EQ(burst.run(fpu), Outcome::kDone);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    EXPECT_EQ(to_hex(jobs[i].icv), std::string(cases()[i].tag).substr(0, 2 * kIcvLen));
  }
}

}  // namespace
}  // namespace gate96::hmac
