// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#ifdef GATE96_HAVE_OPENSSL
#include <openssl/sha.h>
#endif

#include <cstring>
#include <new>

#include "sha1/portable.h"
#include "tests/sha1/common.h"

namespace gate96::sha1 {
namespace {

TEST(Hasher, PiecesOfEveryLengthMakeTheSameDigest) {
  const std::vector<std::uint8_t> data = pattern(700);
  const Digest whole = digest(generic, data);
  for (const Backend* backend : single_streams()) {
    for (std::size_t piece = 1; piece <= 200; ++piece) {
      Hasher hasher(backend->block);
      for (std::size_t at = 0; at < data.size(); at += piece) {
        hasher.update(std::span(data).subspan(at, std::min(piece, data.size() - at)));
        hasher.update({});
      }
      ASSERT_EQ(hasher.final(), whole) << backend->name << ", pieces of " << piece;
    }
  }
}

TEST(Hasher, GoesOnFromAMidstate) {
  const std::vector<std::uint8_t> data = pattern(300);
  State midstate = init();
  generic(midstate.h.data(), data.data(), 2);
  Hasher hasher(generic, midstate, 2 * kBlockLen);
  hasher.update(std::span(data).subspan(2 * kBlockLen));
  EXPECT_EQ(hasher.final(), digest(generic, data));
}

TEST(Hasher, IsAsNewAfterFinal) {
  const std::vector<std::uint8_t> data = pattern(100);
  Hasher hasher(generic);
  hasher.update(data);
  (void)hasher.final();
  hasher.update(data);
  EXPECT_EQ(hasher.final(), digest(generic, data));
}

// Every byte of it: head -c 536870912 /dev/zero | sha1sum. The bit count needs its 33rd bit.
TEST(Hasher, CountsBitsBeyond32) {
  const Selection& selection = Selection::instance();
  const Backend* fast =
      selection.best_vector() != nullptr ? selection.best_vector() : selection.best_scalar();
  const std::vector<std::uint8_t> zeros(1u << 20);
  Hasher hasher(fast->block);
  for (int i = 0; i < 511; ++i) hasher.update(zeros);
  hasher.update(std::span(zeros).first(zeros.size() - 1));
  Hasher one_more = hasher;
  one_more.update(std::span(zeros).first(1));
  EXPECT_EQ(to_hex(hasher.final()), "7d32aa572655d797397393e83c8204082f7e71e5");    // 2^29 - 1 bytes
  EXPECT_EQ(to_hex(one_more.final()), "5b088492c9f4778f409b7ae61477dec124c99033");  // 2^29 bytes
}

#ifdef GATE96_HAVE_OPENSSL
// A count that no test can reach by hashing: OpenSSL's context is given the same one.
TEST(Hasher, CountsLikeOpenSslFromAnyCount) {
  const std::vector<std::uint8_t> data = pattern(150);
  for (const std::uint64_t before :
       {std::uint64_t{1} << 29, (std::uint64_t{1} << 29) - 64, (std::uint64_t{1} << 32),
        (std::uint64_t{1} << 35) + 64, (std::uint64_t{1} << 61) - 256}) {
    SHA_CTX theirs;
    SHA1_Init(&theirs);
    theirs.Nl = static_cast<SHA_LONG>(before << 3);
    theirs.Nh = static_cast<SHA_LONG>(before >> 29);
    SHA1_Update(&theirs, data.data(), data.size());
    Digest expected;
    SHA1_Final(expected.data(), &theirs);
    for (const Backend* backend : single_streams()) {
      Hasher ours(backend->block, init(), before);
      ours.update(data);
      EXPECT_EQ(ours.final(), expected) << backend->name << " after " << before;
    }
  }
}
#endif

// The bytes of a hasher that ended its life hold nothing of the message or the state.
TEST(Hasher, IsWipedOnDestruction) {
  const std::vector<std::uint8_t> secret(40, 0xa5);
  State midstate{{0xa5a5a5a5u, 0xa5a5a5a5u, 0xa5a5a5a5u, 0xa5a5a5a5u, 0xa5a5a5a5u}};
  alignas(Hasher) unsigned char storage[sizeof(Hasher)] = {};
  // Runs of four: a single such byte may be part of the block function's address.
  const auto holds_secret = [&] { return memmem(storage, sizeof storage, secret.data(), 4) != nullptr; };
  auto* hasher = new (storage) Hasher(generic, midstate, kBlockLen);
  hasher->update(secret);
  EXPECT_TRUE(holds_secret());
  hasher->~Hasher();
  asm volatile("" : : "r"(storage) : "memory");  // what is there now, not what a compiler knows of the dead
  EXPECT_FALSE(holds_secret());
}

}  // namespace
}  // namespace gate96::sha1
