// SPDX-License-Identifier: BSD-3-Clause
// Messages in pieces, split anywhere.
#include <gtest/gtest.h>

#include "tests/hmac/load.h"

namespace gate96::hmac {
namespace {

TEST(Chain, SplitInTwoAnywhere) {
  for (std::size_t len : {63, 64, 65, 119, 120, 128, 200}) {
    for (std::size_t from = 0; from <= len; from += 20) {
      Load load;
      for (std::size_t split = from; split <= len && split < from + 20; ++split) {
        load.add_pieces({split, len - split}, split % 2 == 0);
      }
      expect_right_on_all(load, "two pieces");
    }
  }
}

TEST(Chain, EmptyPieces) {
  Load load;
  load.add_pieces({0, 0, 0}, false);
  load.add_pieces({0, 0}, true);
  load.add_pieces({0, 64, 0}, false);
  load.add_pieces({64, 0, 0, 64, 0}, true);
  load.add_pieces({0, 1, 0, 63, 0, 1}, false);
  expect_right_on_all(load, "empty pieces");
}

TEST(Chain, SingleBytes) {
  Load load;
  for (std::size_t len : {1, 55, 56, 64, 65, 130})
    load.add_pieces(std::vector<std::size_t>(len, 1), len % 2 == 0);
  expect_right_on_all(load, "single bytes");
}

TEST(Chain, RandomPiecesAmongWholeMessages) {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    Load load(seed);
    const std::size_t num_messages = 1 + load.random()() % 48;
    for (std::size_t i = 0; i < num_messages; ++i) {
      std::vector<std::size_t> lens(1 + load.random()() % 6);
      for (auto& len : lens) len = load.random()() % (load.random()() % 4 == 0 ? 700 : 90);
      load.add_pieces(lens, load.random()() % 2 == 0);
    }
    expect_right_on_all(load, "random pieces");
  }
}

}  // namespace
}  // namespace gate96::hmac
