// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/state_keeper.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <set>

#include "dataplane/sa.h"
#include "tests/dataplane/sa_samples.h"
#include "tests/dataplane/temporary_folder.h"

namespace gate96 {
namespace {

/// A gateway as far as the keeper sees it: SAs made anew at each start, and a worker that heeds their limits.
class Life {
 public:
  Life(const std::string& path, MissingState missing = MissingState::kRefuse,
       const SaConfig& out_config = sample_sa(Direction::kOut),
       const SaConfig& in_config = sample_sa(Direction::kIn))
      : out(std::make_shared<Sa>(out_config)),
        in(std::make_shared<Sa>(in_config)),
        keeper(path, missing, log) {
    keeper.adopt({out, in});
  }

  /// The number sent; 0: none may be.
  std::uint64_t send() {
    if (out->last_seq >= out->seq_limit.load()) return 0;
    out->seq.set(++out->last_seq);
    return out->last_seq;
  }
  bool accept(std::uint64_t seq) {
    if (seq > in->seq_limit.load()) {
      in->seq_wanted.set(seq);
      return false;
    }
    if (in->window.update(seq) != ReplayCheck::kFresh) return false;
    in->seq.set(in->window.top());
    return true;
  }
  std::vector<std::string> events() {
    std::vector<std::string> texts;
    for (Event event; log.take(event);) texts.emplace_back(event.text.data());
    return texts;
  }

  std::shared_ptr<Sa> out;
  std::shared_ptr<Sa> in;
  EventLog log;
  StateKeeper keeper;
};

std::string fresh(const TemporaryFolder& folder) {
  EXPECT_EQ(init_state(folder.path("state")), "");
  return folder.path("state");
}

TEST(StateKeeper, RefusesToStartWithoutAFileAndSaysWhatToDo) {
  const TemporaryFolder folder;
  try {
    Life life(folder.path("state"));
    FAIL() << "started";
  } catch (const std::runtime_error& failure) {
    for (const char* word : {"no such file", "gate96 state init", "--accept-sequence-reuse"})
      EXPECT_NE(std::string(failure.what()).find(word), std::string::npos) << failure.what();
  }
}

std::string refusal_of(const std::string& path) {
  try {
    const Life life(path);
  } catch (const std::runtime_error& failure) {
    return failure.what();
  }
  return "";
}

TEST(StateKeeper, OneGatewayAtATimeHasTheFile) {
  const TemporaryFolder folder;
  const std::string path = fresh(folder);
  {
    const Life first(path);
    EXPECT_EQ(refusal_of(path),
              "state file " + path + ": another gate96 uses it; give each its own gateway.state_file");
    EXPECT_TRUE(std::filesystem::exists(path + ".lock"));
  }
  EXPECT_FALSE(std::filesystem::exists(path + ".lock"));
  EXPECT_EQ(refusal_of(path), "");
  std::ofstream(path, std::ios::app) << "x";
  EXPECT_NE(refusal_of(path), "");
  EXPECT_FALSE(std::filesystem::exists(path + ".lock"));  // nor does one that was refused keep it
}

TEST(StateKeeper, SaysThatItCannotMakeTheLock) {
  const TemporaryFolder folder;
  const std::string path = folder.path("nonesuch/state");
  EXPECT_EQ(refusal_of(path), "state file: " + path + ".lock: No such file or directory");
}

TEST(StateKeeper, RefusesADamagedFileUnlessReuseIsAccepted) {
  const TemporaryFolder folder;
  const std::string path = fresh(folder);
  std::ofstream(path, std::ios::app) << "x";
  EXPECT_THROW(Life life(path), std::runtime_error);
  {
    Life life(path, MissingState::kAcceptReuse);
    EXPECT_EQ(life.events().size(), 1U);
    EXPECT_EQ(life.send(), 1U);
  }
  Life after(path);
  EXPECT_GT(after.send(), kOutboundAhead);
}

TEST(StateKeeper, InitLeavesAFileThatIsThere) {
  const TemporaryFolder folder;
  const std::string path = fresh(folder);
  EXPECT_NE(init_state(path), "");
}

TEST(StateKeeper, TwoGatewaysDoNotShareAFile) {
  const TemporaryFolder folder;
  const std::string path = fresh(folder);
  Life first(path);
  EXPECT_THROW(Life second(path), std::runtime_error);
}

TEST(StateKeeper, ACleanStopGoesOnExactly) {
  const TemporaryFolder folder;
  const std::string path = fresh(folder);
  {
    Life life(path);
    for (int i = 0; i < 5; ++i) life.send();
    for (const std::uint64_t seq : {1u, 2u, 9u}) EXPECT_TRUE(life.accept(seq));
    life.keeper.finish();
  }
  Life life(path);
  EXPECT_EQ(life.send(), 6U);
  for (const std::uint64_t seq : {1u, 2u, 9u}) EXPECT_FALSE(life.accept(seq)) << seq;
  for (const std::uint64_t seq : {3u, 8u, 10u}) EXPECT_TRUE(life.accept(seq)) << seq;
}

TEST(StateKeeper, ACrashAfterACleanStopSkips) {
  const TemporaryFolder folder;
  const std::string path = fresh(folder);
  {
    Life life(path);
    life.keeper.finish();
  }
  {
    Life life(path);
    EXPECT_EQ(life.send(), 1U);
    EXPECT_TRUE(life.accept(1));
  }
  Life life(path);
  EXPECT_EQ(life.send(), kOutboundAhead + 1);
  for (std::uint64_t seq = 1; seq <= kInboundAhead; ++seq) EXPECT_FALSE(life.accept(seq)) << seq;
  EXPECT_TRUE(life.accept(kInboundAhead + 1));
}

TEST(StateKeeper, NeverBeyondTheLastNumber) {
  const TemporaryFolder folder;
  SaConfig out = sample_sa(Direction::kOut);
  out.seq_start = kLastSeq - 1;
  Life life(fresh(folder), MissingState::kRefuse, out);
  EXPECT_EQ(life.send(), kLastSeq - 1);
  EXPECT_EQ(life.send(), kLastSeq);
  EXPECT_TRUE(life.keeper.step(1));
  EXPECT_EQ(life.send(), 0U);
}

TEST(StateKeeper, SeqStartBeyondTheFileIsHeeded) {
  const TemporaryFolder folder;
  const std::string path = fresh(folder);
  {
    Life life(path);
    life.send();
    life.keeper.finish();
  }
  SaConfig out = sample_sa(Direction::kOut);
  out.seq_start = 1000;
  Life life(path, MissingState::kRefuse, out);
  EXPECT_EQ(life.send(), 1000U);
}

TEST(StateKeeper, AJumpOfThePeerIsFollowed) {
  const TemporaryFolder folder;
  Life life(fresh(folder));
  EXPECT_FALSE(life.accept(5'000'000));
  EXPECT_TRUE(life.keeper.step(1));
  EXPECT_TRUE(life.accept(5'000'001));
}

TEST(StateKeeper, AnSaThatLeavesAndComesBackGoesOn) {
  const TemporaryFolder folder;
  Life life(fresh(folder));
  EXPECT_EQ(life.send(), 1U);
  life.keeper.adopt({life.in});
  const auto again = std::make_shared<Sa>(sample_sa(Direction::kOut));
  life.keeper.adopt({again, life.in});
  EXPECT_GE(again->last_seq, 1U);
}

TEST(StateKeeper, ASuccessorStandsUnderTheSameLimit) {
  const TemporaryFolder folder;
  const std::string path = fresh(folder);
  {
    Life life(path);
    EXPECT_EQ(life.send(), 1U);
    EXPECT_TRUE(life.accept(7));
    SaConfig renamed = sample_sa(Direction::kOut);
    renamed.name = "renamed";
    for (int reload = 0; reload < 3; ++reload) {
      const auto next = std::make_shared<Sa>(renamed);
      life.keeper.adopt({next, life.in});
      EXPECT_EQ(next->seq_limit.load(), life.out->seq_limit.load());
      next->succeed(*life.out);
      life.out = next;
      EXPECT_EQ(life.send(), 2U + static_cast<unsigned>(reload));
    }
    EXPECT_FALSE(life.accept(7));
    EXPECT_TRUE(life.accept(8));
  }
  Life after(path);
  EXPECT_EQ(after.send(), kOutboundAhead + 1);
}

TEST(StateKeeper, ASuccessorNearTheLimitGetsRoomAtOnce) {
  const TemporaryFolder folder;
  Life life(fresh(folder));
  EXPECT_TRUE(life.accept(kInboundAhead));
  SaConfig renamed = sample_sa(Direction::kIn);
  renamed.name = "renamed";
  const auto next = std::make_shared<Sa>(renamed);
  life.keeper.adopt({life.out, next});
  next->succeed(*life.in);
  life.in = next;
  EXPECT_TRUE(life.accept(kInboundAhead + 1));
}

TEST(StateKeeper, NumbersOfEsnAreNoneWithoutIt) {
  const TemporaryFolder folder;
  const std::string path = fresh(folder);
  SaConfig out = sample_sa(Direction::kOut);
  out.esn = true;
  out.seq_start = kLastSeq + 5;
  {
    Life life(path, MissingState::kRefuse, out);
    EXPECT_EQ(life.send(), kLastSeq + 5);
    life.keeper.finish();
  }
  out.esn = false;
  out.seq_start = 1;
  Life life(path, MissingState::kRefuse, out);
  EXPECT_EQ(life.out->last_seq, kLastSeq);
}

TEST(StateKeeper, WhatCannotBeWrittenIsNotUsed) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path("disk"));
  const std::string path = folder.path("disk/state");
  ASSERT_EQ(init_state(path), "");
  Life life(path);
  std::filesystem::rename(folder.path("disk"), folder.path("gone"));
  std::uint64_t accepted = 0;
  for (std::uint64_t seq = 1; seq <= 1000; ++seq) {
    accepted += life.accept(seq) ? 1 : 0;
    EXPECT_EQ(life.keeper.step(seq * 2000), accepted <= kInboundAhead / 2) << seq;
  }
  EXPECT_EQ(accepted, kInboundAhead);
  EXPECT_EQ(life.events().size(), 1U);
  std::filesystem::rename(folder.path("gone"), folder.path("disk"));
  EXPECT_TRUE(life.keeper.step(9'000'000));
  EXPECT_TRUE(life.accept(1001));
  EXPECT_EQ(life.events(), std::vector<std::string>{"written again"});
}

TEST(StateKeeper, NoNumberTwiceOverRandomCrashes) {
  const TemporaryFolder folder;
  const std::string path = fresh(folder);
  std::mt19937_64 random(96);
  std::set<std::uint64_t> sent, accepted;
  std::uint64_t now_ms = 0, peer = 0;
  for (int start = 0; start < 40; ++start) {
    Life life(path);
    const std::size_t before = accepted.size();
    for (int i = 0; i < 1500; ++i) {
      if (const std::uint64_t seq = life.send(); seq != 0) {
        ASSERT_TRUE(sent.insert(seq).second) << seq;
      }
      peer += random() % 3;
      if (random() % 700 == 0) peer += 10'000;
      const std::uint64_t seq = random() % 4 == 0 && peer > 0 ? 1 + random() % peer : peer;
      if (life.accept(seq)) {
        ASSERT_TRUE(accepted.insert(seq).second) << seq;
      }
      if (random() % 50 == 0) {
        EXPECT_TRUE(life.keeper.step(now_ms += 5));
      }
    }
    if (random() % 3 == 0) life.keeper.finish();
    if (start % 2 == 0) peer += 100'000'000;  // passes what was reserved; after the others all may be refused
    if (start % 2 == 1) {
      EXPECT_GT(accepted.size(), before);
    }
  }
  EXPECT_GT(accepted.size(), 1000U);
}

}  // namespace
}  // namespace gate96
