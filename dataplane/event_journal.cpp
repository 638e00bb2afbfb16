// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/event_journal.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "dataplane/json_text.h"
#include "dataplane/log_line.h"

namespace gate96 {
namespace {

using Json = nlohmann::ordered_json;

std::string time_text(std::uint64_t time_ns) {
  const auto seconds = static_cast<std::time_t>(time_ns / 1'000'000'000);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:06}Z", fmt::gmtime(seconds), time_ns / 1000 % 1'000'000);
}

std::string_view kind_text(const Event& event) {
  switch (event.kind) {
    case EventKind::kLifeSoft:
      return "life_soft";
    case EventKind::kLifeHard:
      return "life_hard";
    case EventKind::kStateFile:
      return "state_file";
    default:
      return name(event.verdict);
  }
}

template <class T>
Json if_known(bool known, T&& value) {
  return known ? Json(std::forward<T>(value)) : Json();
}

std::string line_of(const Event& event) {
  Json line;
  const Json all = to_json(event);
  for (const auto& [key, value] : all.items()) {
    if (!value.is_null()) line[key] = value;
  }
  return json_text(line) + "\n";
}

}  // namespace

Json to_json(const Event& event) {
  const bool is_life = event.kind == EventKind::kLifeSoft || event.kind == EventKind::kLifeHard;
  return {{"time", time_text(event.time_ns)},
          {"event", kind_text(event)},
          {"sa", if_known(event.sa[0] != '\0', event.sa.data())},
          {"spi", if_known(event.has_esp, fmt::format("{:#010x}", event.spi))},
          {"seq", if_known(event.has_esp, event.seq)},
          {"src", if_known(event.has_ip, event.src.to_string())},
          {"dst", if_known(event.has_ip, event.dst.to_string())},
          {"flow_label", if_known(event.has_ip && !event.src.is_v4(), event.flow_label)},
          {"suppressed", if_known(event.kind == EventKind::kSuppressed, event.count)},
          {"used", if_known(is_life, event.count)},
          {"unit", if_known(is_life, event.unit)},
          {"text", if_known(event.text[0] != '\0', event.text.data())},
          {"worker", if_known(event.kind != EventKind::kStateFile, event.source)}};
}

void EventJournal::collect(EventLog& log) {
  Event event;
  while (log.take(event)) {
    if (!log_line(line_of(event))) ++num_unwritten_;
    recent_.push_back(event);
    if (recent_.size() > kKept) recent_.pop_front();
  }
  lost_[&log] = log.lost();
}

std::uint64_t EventJournal::lost() const {
  std::uint64_t total = num_unwritten_;
  for (const auto& [log, lost] : lost_) total += lost;
  return total;
}

}  // namespace gate96
