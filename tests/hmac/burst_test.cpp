// SPDX-License-Identifier: BSD-3-Clause
// Whole bursts on every backend: numbers, lengths, order, ESN.
#include "hmac/burst.h"

#include <gtest/gtest.h>

#include "tests/hmac/load.h"

namespace gate96::hmac {
namespace {

std::vector<std::size_t> numbers() {
  std::vector<std::size_t> numbers;
  for (std::size_t n = 1; n <= 40; ++n) numbers.push_back(n);
  for (std::size_t n : {63, 64, 65, 100, 127, 128, 129, 200, 255, 256}) numbers.push_back(n);
  return numbers;
}

TEST(Burst, EqualLengths) {
  for (std::size_t n : numbers()) {
    for (std::size_t len : {64, 200}) {
      Load load;
      for (std::size_t i = 0; i < n; ++i) load.add(len);
      expect_right_on_all(load, "equal");
    }
  }
}

TEST(Burst, DescendingAndAscendingLengths) {
  for (std::size_t n : numbers()) {
    Load descending, ascending;
    for (std::size_t i = 0; i < n; ++i) descending.add((n - i) * 13);
    for (std::size_t i = 0; i < n; ++i) ascending.add(i * 13);
    expect_right_on_all(descending, "descending");
    expect_right_on_all(ascending, "ascending");
  }
}

TEST(Burst, ZeroLengths) {
  for (std::size_t n : numbers()) {
    Load load;
    for (std::size_t i = 0; i < n; ++i) load.add(0);
    expect_right_on_all(load, "zero");
  }
}

TEST(Burst, RandomLengthsSomeWithEsn) {
  for (std::size_t n : numbers()) {
    Load load(static_cast<std::uint32_t>(n));
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t len = load.random()() % (i % 5 == 0 ? 1500 : 200);
      load.random()() % 3 == 0 ? load.add_with_esn(len) : load.add(len);
    }
    expect_right_on_all(load, "random");
  }
}

TEST(Burst, EveryLengthAndEsn) {
  for (std::size_t from = 0; from < 288; from += 16) {
    Load plain, esn;
    for (std::size_t i = 0; i < 16; ++i) plain.add(from + i);
    for (std::size_t i = 0; i < 16; ++i) esn.add_with_esn(from + i);
    expect_right_on_all(plain, "every length");
    expect_right_on_all(esn, "every length, with ESN");
  }
}

// As many blocks as the order tells apart, and more.
TEST(Burst, LongMessagesAmongShortOnes) {
  Load load;
  for (std::size_t len : {40000, 10, 33000, 9000, 64, 65536, 1, 32640, 32704}) load.add(len);
  expect_right_on_all(load, "long");
}

TEST(Burst, OneKeyManyMessages) {
  Load load;
  for (std::size_t i = 0; i < 20; ++i) load.add(100);
  std::vector<Job> jobs(20, load.jobs()[0]);
  fpu::Context fpu;
  for (Burst& burst : all_engines()) {
    for (Job& job : jobs) job.icv.fill(0);
    burst.start(jobs);
    ASSERT_EQ(burst.run(fpu), Outcome::kDone);
    load.jobs()[0].icv = jobs[0].icv;
    for (const Job& job : jobs) EXPECT_EQ(job.icv, jobs[0].icv) << burst.choice().name();
    EXPECT_EQ(burst.run(fpu), Outcome::kDone) << "nothing is left to do";
  }
}

TEST(Burst, NoMessages) {
  fpu::Context fpu;
  for (Burst& burst : all_engines()) {
    burst.start({});
    EXPECT_EQ(burst.run(fpu), Outcome::kDone);
    EXPECT_EQ(burst.run_scalar(), Outcome::kDone);
  }
}

TEST(BurstDeath, TooManyMessagesAbort) {
  std::vector<Job> jobs(kMaxBurst + 1);
  Burst burst;
  EXPECT_DEATH(burst.start(jobs), "");
}

}  // namespace
}  // namespace gate96::hmac
