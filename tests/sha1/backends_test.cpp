// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <openssl/sha.h>

#include <vector>

#include "sha1/select.h"
#include "sha1/sha1.h"

namespace gate96::sha1 {
namespace {

TEST(Backends, EveryLengthAgreesWithOpenSsl) {
  std::vector<std::uint8_t> data(1100);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::uint8_t>(i * 7 + (i >> 8));
  for (const Backend* backend : Selection::instance().usable()) {
    if (backend->lanes != 1) continue;
    for (std::size_t len = 0; len <= data.size(); ++len) {
      Digest expected;
      SHA1(data.data(), len, expected.data());
      ASSERT_EQ(digest(backend->block, {data.data(), len}), expected) << backend->name << " at " << len;
    }
  }
}

}  // namespace
}  // namespace gate96::sha1
