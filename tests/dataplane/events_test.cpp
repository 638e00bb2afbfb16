// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/events.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "dataplane/event_journal.h"
#include "dataplane/sa.h"
#include "tests/dataplane/eal_environment.h"
#include "tests/dataplane/sa_samples.h"

namespace gate96 {
namespace {

/// 192.0.2.1 to 192.0.2.2, protocol 50, SPI 0xabcd1234, sequence number 7.
Packet esp_packet() {
  Packet m =
      make_packet(std::array<std::uint8_t, 28>{0x45, 0, 0,   28, 0, 0, 0,    0,    64,   50,   0, 0, 192, 0,
                                               2,    1, 192, 0,  2, 2, 0xab, 0xcd, 0x12, 0x34, 0, 0, 0,   7});
  info(m.get()).protocol = 50;
  info(m.get()).header_len = 20;
  return m;
}

std::vector<Event> all(EventLog& log) {
  std::vector<Event> events;
  for (Event event; log.take(event);) events.push_back(event);
  return events;
}

TEST(Events, TellSpiAddressesNumberReasonAndTime) {
  EventLog log(3);
  log.dropped(esp_packet().get(), Verdict::kNoSa);
  const auto events = all(log);
  ASSERT_EQ(events.size(), 1U);
  const auto json = to_json(events[0]);
  EXPECT_EQ(json["event"], "no_sa");
  EXPECT_EQ(json["spi"], "0xabcd1234");
  EXPECT_EQ(json["seq"], 7);
  EXPECT_EQ(json["src"], "192.0.2.1");
  EXPECT_EQ(json["dst"], "192.0.2.2");
  EXPECT_EQ(json["worker"], 3);
  EXPECT_TRUE(json["sa"].is_null());
  EXPECT_EQ(json["time"].get<std::string>().size(), std::string("2000-01-01T00:00:00.000000Z").size());
}

// RFC 3629: a character cut in two is not UTF-8, and JSON is.
TEST(Events, ANameCutWithinACharacterIsStillTold) {
  SaConfig config = sample_sa(Direction::kIn);
  config.name = "x";
  for (int i = 0; i < 40; ++i) config.name += "\xc3\xa9";
  const Sa sa(config);
  const Packet m = esp_packet();
  info(m.get()).sa = const_cast<Sa*>(&sa);
  EventLog log;
  log.dropped(m.get(), Verdict::kIcvBad);
  EventJournal journal;
  testing::internal::CaptureStderr();
  journal.collect(log);
  const auto json = nlohmann::json::parse(testing::internal::GetCapturedStderr());
  EXPECT_TRUE(json["sa"].get<std::string>().starts_with("x\xc3\xa9"));
}

// A log whose reader is stuck, as a pager is: the main thread goes on, or it would not hear SIGTERM.
TEST(Events, AReaderWhoIsStuckHoldsNobodyUp) {
  int pipes[2] = {};
  ASSERT_EQ(pipe2(pipes, O_NONBLOCK), 0);
  const char bytes[4096] = {};
  while (write(pipes[1], bytes, sizeof bytes) > 0) {
  }
  ASSERT_EQ(fcntl(pipes[1], F_SETFL, 0), 0);
  const int before = dup(STDERR_FILENO);
  dup2(pipes[1], STDERR_FILENO);
  EventLog log;
  EventJournal journal;
  for (const char* text : {"first", "second"}) log.state_file(text);
  alarm(20);  // as it would be without an end
  journal.collect(log);
  alarm(0);
  dup2(before, STDERR_FILENO);
  for (const int fd : {before, pipes[0], pipes[1]}) close(fd);
  EXPECT_EQ(journal.recent().size(), 2U);
  EXPECT_EQ(journal.lost(), 2U);
}

TEST(Events, TellTheWholeNumberOfAKnownSa) {
  const Sa sa(sample_sa(Direction::kIn));
  const Packet m = esp_packet();
  info(m.get()).sa = const_cast<Sa*>(&sa);
  info(m.get()).seq = 0x5'0000'0001;
  EventLog log;
  log.dropped(m.get(), Verdict::kIcvBad);
  const auto json = to_json(all(log).at(0));
  EXPECT_EQ(json["sa"], "from-peer");
  EXPECT_EQ(json["seq"], 0x5'0000'0001);
}

TEST(Events, ReadNothingPastAShortPacket) {
  Packet m = make_packet(std::array<std::uint8_t, 12>{0x45});
  info(m.get()).protocol = 50;
  info(m.get()).header_len = 20;
  EventLog log;
  log.dropped(m.get(), Verdict::kNoPolicy);
  const Event event = all(log).at(0);
  EXPECT_FALSE(event.has_ip || event.has_esp);
}

TEST(Events, AreLimitedByReasonAndTheRestIsSummed) {
  EventLog log;
  const Packet m = esp_packet();
  log.tick(10'000);
  for (int i = 0; i < 100; ++i) log.dropped(m.get(), Verdict::kReplay);
  log.dropped(m.get(), Verdict::kNoSa);
  EXPECT_EQ(all(log).size(), EventLog::kPerSecond + 1);
  log.tick(10'999);
  EXPECT_TRUE(all(log).empty());
  log.tick(11'000);
  const auto sums = all(log);
  ASSERT_EQ(sums.size(), 1U);
  EXPECT_EQ(sums[0].verdict, Verdict::kReplay);
  EXPECT_EQ(to_json(sums[0])["suppressed"], 100 - EventLog::kPerSecond);
  log.dropped(m.get(), Verdict::kReplay);
  EXPECT_EQ(all(log).size(), 1U);
}

TEST(Events, ThatFindTheRingFullAreCounted) {
  const Sa sa(sample_sa(Direction::kOut));
  EventLog log;
  for (int i = 0; i < 300; ++i) log.life(sa, EventKind::kLifeSoft, "packets", 1);
  EXPECT_EQ(all(log).size() + log.lost(), 300U);
  EXPECT_GT(log.lost(), 0U);
}

TEST(SpscRing, KeepsOrderBetweenTwoThreads) {
  constexpr int kNum = 100'000;
  SpscRing<int, 64> ring;
  std::thread producer([&ring] {
    for (int i = 0; i < kNum;) i += ring.push(i) ? 1 : 0;
  });
  int wanted = 0;
  for (int item = 0; wanted < kNum;) {
    if (!ring.pop(item)) continue;
    EXPECT_EQ(item, wanted);
    ++wanted;
  }
  producer.join();
}

}  // namespace
}  // namespace gate96
