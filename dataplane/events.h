// SPDX-License-Identifier: BSD-3-Clause
// What an auditor wants to know (RFC 4301 5, RFC 4303 4): which packets were refused and why, SAs at the end
// of their lifetime, trouble with the state file. A worker notes events without allocating or waiting; the
// main thread collects them (event_journal.h).
#pragma once

#include <rte_mbuf.h>

#include <array>
#include <cstdint>
#include <span>

#include "dataplane/address.h"
#include "dataplane/counter.h"
#include "dataplane/spsc_ring.h"
#include "dataplane/verdict.h"

namespace gate96 {

struct Sa;

enum class EventKind : std::uint8_t {
  kDrop,        // a packet, refused for `verdict`
  kSuppressed,  // `count` more of `verdict` in the same second
  kLifeSoft,    // an SA has reached a soft limit: `count` `unit`
  kLifeHard,    // an SA has reached a hard limit and is used up
  kStateFile,   // see `text`
};

struct Event {
  std::uint64_t time_ns = 0;  // since 1970, UTC
  EventKind kind = EventKind::kDrop;
  Verdict verdict = Verdict::kPass;
  std::uint8_t source = 0;  // the worker's index
  bool has_esp = false;     // spi and seq are known
  bool has_ip = false;      // src, dst (and flow_label) are known
  std::uint32_t spi = 0;
  std::uint32_t flow_label = 0;  // IPv6
  std::uint64_t seq = 0;
  std::uint64_t count = 0;
  const char* unit = "";  // static: "packets", "bytes", "seconds"
  IpAddress src;
  IpAddress dst;
  std::array<char, 40> sa{};     // its name, cut if longer; zero-terminated
  std::array<char, 160> text{};  // zero-terminated
};

/// The drops that are audited: those of RFC 4303 4 and RFC 4301 5.
[[nodiscard]] bool is_audited(Verdict verdict);

/// The events of one thread, on their way to the main thread.
class EventLog {
 public:
  /// Of each kind of drop, at most this many events a second; the rest are counted and told as a sum.
  static constexpr unsigned kPerSecond = 5;

  explicit EventLog(std::uint8_t source = 0) : source_(source) {}

  // The owner thread.
  /// `m` must still have its IP header in front. Precondition: is_audited(verdict).
  void dropped(const rte_mbuf* m, Verdict verdict);
  void life(const Sa& sa, EventKind kind, const char* unit, std::uint64_t used);
  void state_file(std::string_view text);
  /// Tells what was suppressed once a second has passed.
  void tick(std::uint64_t now_ms);

  // The main thread.
  [[nodiscard]] bool take(Event& event) { return ring_.pop(event); }
  /// Events that found the ring full.
  [[nodiscard]] std::uint64_t lost() const { return lost_.get(); }

 private:
  void push(Event& event);

  SpscRing<Event, 256> ring_;
  Counter lost_;
  std::array<std::uint64_t, kNumVerdicts> seen_{};  // in this second, by verdict
  std::uint64_t second_began_ms_ = 0;
  std::uint8_t source_;
};

}  // namespace gate96
