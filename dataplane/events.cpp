// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/events.h"

#include <time.h>

#include <algorithm>
#include <cstring>

#include "dataplane/packet.h"
#include "dataplane/sa.h"
#include "dataplane/wire_format.h"

namespace gate96 {
namespace {

constexpr std::array kAudited = {
    Verdict::kNoPolicy,     Verdict::kClearOnProtect, Verdict::kSelectorMismatch, Verdict::kEspFragment,
    Verdict::kNoSa,         Verdict::kReplay,         Verdict::kReplayOld,        Verdict::kIcvBad,
    Verdict::kSeqExhausted, Verdict::kSeqUnsaved,
};

constexpr auto kIsAudited = [] {
  std::array<bool, kNumVerdicts + 1> table{};
  for (const Verdict verdict : kAudited) table[static_cast<std::size_t>(verdict)] = true;
  return table;
}();

std::uint64_t now_ns() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

template <std::size_t kSize>
void copy_text(std::array<char, kSize>& to, std::string_view from) {
  const std::size_t len = std::min(from.size(), kSize - 1);
  std::copy_n(from.data(), len, to.data());
  to[len] = '\0';
}

void fill_addresses(Event& event, const rte_mbuf* m) {
  const bool v4 = info(m).family == Family::kIpv4;
  event.has_ip = m->data_len >= (v4 ? sizeof(Ipv4Header) : sizeof(Ipv6Header));
  if (!event.has_ip) return;
  const auto* bytes = rte_pktmbuf_mtod(m, const std::uint8_t*);
  const std::size_t src = v4 ? offsetof(Ipv4Header, src) : offsetof(Ipv6Header, src);
  const std::size_t len = v4 ? 4 : 16;
  event.src.family = event.dst.family = info(m).family;
  std::memcpy(event.src.bytes.data(), bytes + src, len);
  std::memcpy(event.dst.bytes.data(), bytes + src + len, len);
  if (!v4) event.flow_label = (bytes[1] & 0x0fu) << 16 | std::uint32_t{bytes[2]} << 8 | bytes[3];
}

/// SPI and sequence number: the SA's, or else what stands in the ESP header if there is one.
void fill_esp(Event& event, const rte_mbuf* m) {
  const PacketInfo& p = info(m);
  if (p.sa != nullptr) {
    event.has_esp = true;
    event.spi = p.sa->spi;
    event.seq = p.seq;
    copy_text(event.sa, p.sa->name);
    return;
  }
  const bool is_esp = p.protocol == kProtoEsp || p.udp_encap;
  if (!is_esp || p.later_fragment || p.header_len + sizeof(EspHeader) > m->data_len) return;
  EspHeader header;
  std::memcpy(&header, rte_pktmbuf_mtod_offset(m, const std::uint8_t*, p.header_len), sizeof header);
  event.has_esp = true;
  event.spi = rte_be_to_cpu_32(header.spi);
  event.seq = rte_be_to_cpu_32(header.seq);
}

}  // namespace

bool is_audited(Verdict verdict) {
  return kIsAudited[static_cast<std::size_t>(verdict)];
}

void EventLog::push(Event& event) {
  event.time_ns = now_ns();
  event.source = source_;
  if (!ring_.push(event)) lost_.add();
}

void EventLog::dropped(const rte_mbuf* m, Verdict verdict) {
  if (seen_[static_cast<std::size_t>(verdict)]++ >= kPerSecond) return;
  Event event;
  event.verdict = verdict;
  fill_addresses(event, m);
  fill_esp(event, m);
  push(event);
}

void EventLog::life(const Sa& sa, EventKind kind, const char* unit, std::uint64_t used) {
  Event event;
  event.kind = kind;
  event.has_esp = event.has_ip = true;
  event.spi = sa.spi;
  event.seq = sa.seq.get();
  event.src = sa.src;
  event.dst = sa.dst;
  event.unit = unit;
  event.count = used;
  copy_text(event.sa, sa.name);
  push(event);
}

void EventLog::state_file(std::string_view text) {
  Event event;
  event.kind = EventKind::kStateFile;
  copy_text(event.text, text);
  push(event);
}

void EventLog::tick(std::uint64_t now_ms) {
  if (now_ms - second_began_ms_ < 1000) return;
  second_began_ms_ = now_ms;
  for (std::size_t i = 0; i < kNumVerdicts; ++i) {
    if (seen_[i] > kPerSecond) {
      Event event;
      event.kind = EventKind::kSuppressed;
      event.verdict = static_cast<Verdict>(i);
      event.count = seen_[i] - kPerSecond;
      push(event);
    }
    seen_[i] = 0;
  }
}

}  // namespace gate96
