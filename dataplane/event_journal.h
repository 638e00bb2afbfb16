// SPDX-License-Identifier: BSD-3-Clause
// The main thread's side of the events: each is written to standard error as one line of JSON, and the last
// ones are kept for `gate96 show events`.
#pragma once

#include <deque>
#include <map>
#include <nlohmann/json_fwd.hpp>

#include "dataplane/events.h"

namespace gate96 {

class EventJournal {
 public:
  static constexpr std::size_t kKept = 256;

  /// Takes over what has come up in `log`.
  void collect(EventLog& log);

  [[nodiscard]] const std::deque<Event>& recent() const { return recent_; }
  /// Those that found no room in their log, or none on standard error.
  [[nodiscard]] std::uint64_t lost() const;

 private:
  std::deque<Event> recent_;
  std::map<const EventLog*, std::uint64_t> lost_;
  std::uint64_t num_unwritten_ = 0;
};

/// Every field, null where it says nothing: time (RFC 3339), event (a drop's reason, "life_soft", "life_hard"
/// or "state_file"), sa, spi, seq, src, dst, flow_label, suppressed, used, unit, text, worker.
[[nodiscard]] nlohmann::ordered_json to_json(const Event& event);

}  // namespace gate96
