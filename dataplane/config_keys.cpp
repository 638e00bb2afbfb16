// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/config_keys.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace gate96 {
namespace {

const Section kSections[] = {
    {"gateway",
     false,
     {"name", "control", "workers", "burst", "idle", "backend", "esp_fragments", "state_file"}},
    {"eal", false, {"hugepages", "memory_mb", "extra"}},
    {"fpu",
     false,
     {"profile",
      "eager",
      "ask",
      "fallback",
      "section_bytes",
      "scalar_below",
      "save_cost",
      "save_components",
      "queue_limit",
      "backlog",
      "order",
      "defer_to",
      "defer_budget",
      "workload",
      "share_task",
      "share_ksoftirqd",
      "share_user",
      "share_idle",
      "share_kernel",
      "share_live",
      "live_components",
      "share_in_section",
      "switches_per_second",
      "seed",
      "simd_off_rate",
      "section_ns"}},
    {"port", true, {"name", "device", "role", "addresses", "mtu", "neighbours"}},
    {"port.neighbours", true, {"address", "mac"}},
    {"wire", true, {"protected", "unprotected"}},
    {"route", true, {"to", "via", "port"}},
    {"sa",
     true,
     {"name", "direction", "spi", "mode", "src", "dst", "key", "key_file", "replay_window", "esn",
      "seq_start", "udp_encap", "tfc", "df", "dscp", "ecn", "life_bytes", "life_packets", "life_seconds"}},
    {"sa.udp_encap", false, {"src_port", "dst_port", "keepalive_seconds"}},
    {"sa.life_bytes", false, {"soft", "hard"}},
    {"sa.life_packets", false, {"soft", "hard"}},
    {"sa.life_seconds", false, {"soft", "hard"}},
    {"policy",
     true,
     {"direction", "priority", "src", "dst", "protocol", "src_ports", "dst_ports", "icmp_type", "icmp_code",
      "action", "sa"}},
};

/// Letters to add, drop, change or (neighbours) swap to make one word of the other.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> two_ago, above(b.size() + 1), row(b.size() + 1);
  std::iota(above.begin(), above.end(), 0U);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], two_ago[j - 2] + 1);
      }
    }
    two_ago = above;
    std::swap(above, row);
  }
  return above[b.size()];
}

}  // namespace

std::span<const Section> sections() {
  return kSections;
}

const Section& section(std::string_view name) {
  for (const Section& s : kSections) {
    if (s.name == name) return s;
  }
  std::abort();  // a name in our own code
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates) {
  constexpr std::size_t kMaxWord = 64;  // longer ones are no typing errors
  if (word.size() > kMaxWord) return {};
  std::string_view best;
  std::size_t best_distance = 1 + std::max<std::size_t>(1, word.size() / 3);
  for (const std::string_view candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace gate96
