// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/icv_hash.h"

#include <rte_prefetch.h>

#include <algorithm>
#include <cstring>

#include "dataplane/esp.h"
#include "dataplane/mbuf_ops.h"
#include "dataplane/sa.h"
#include "hmac/equal.h"
#include "sha1/backends.h"

namespace gate96 {
namespace {

using hmac::Outcome;

hmac::BackendChoice choice_of(const std::string& backend) {
  if (backend == "auto") return hmac::BackendChoice::automatic();
  return *hmac::BackendChoice::named(backend).choice;  // the loader has seen that there is one
}

/// The registers that the backend for many long packets dirties.
fpu::Width width_of(const hmac::BackendChoice& choice) {
  const std::size_t row = choice.row(hmac::BackendChoice::kCounts, hmac::Length::kLong);
  const sha1::FeatureSet needs = sha1::backends()[row].needs;
  if (needs.has(sha1::Feature::kAvx512f)) return fpu::Width::kAvx512;
  return needs.has(sha1::Feature::kAvx) || needs.has(sha1::Feature::kAvx2) ? fpu::Width::kAvx
                                                                           : fpu::Width::kSse;
}

/// The message of RFC 4303 2.8: from the SPI up to, not including, the ICV; then the high half with ESN.
void fill_job(hmac::Job& job, std::array<hmac::Segment, kMaxSegments>& segments, const rte_mbuf* m) {
  const PacketInfo& p = info(m);
  const std::uint32_t len = m->pkt_len - p.header_len - esp::kIcvLen;
  job.key = &p.sa->key;
  job.data = rte_pktmbuf_mtod_offset(m, const std::uint8_t*, p.header_len);
  job.has_esn = p.sa->esn;
  job.esn_high = static_cast<std::uint32_t>(p.seq >> 32);
  job.num_more = 0;
  job.len = std::min<std::uint32_t>(len, m->data_len - p.header_len);
  job.more = segments.data();
  std::uint32_t left = len - job.len;
  for (const rte_mbuf* seg = m->next; left > 0; seg = seg->next) {
    const std::uint32_t piece = std::min<std::uint32_t>(left, seg->data_len);
    segments[job.num_more++] = {rte_pktmbuf_mtod(seg, const std::uint8_t*), piece};
    left -= piece;
  }
}

/// Bytes that the engine hashes for a packet: the message in padded blocks, and the outer hash's block.
std::uint64_t hashed_bytes(const hmac::Job& job) {
  constexpr std::uint64_t kBlock = sha1::kBlockLen;
  std::uint64_t len = job.len + (job.has_esn ? sizeof job.esn_high : 0);
  for (std::uint16_t i = 0; i < job.num_more; ++i) len += job.more[i].len;
  return ((len + 9 + kBlock - 1) / kBlock + 1) * kBlock;  // 9: the least padding (FIPS 180-4 5.1.1)
}

/// Asks for what the headers' prefetch (worker.cpp) has not. Further on the CPU's own prefetchers follow.
void prefetch_message(const rte_mbuf* m) {
  constexpr std::uint32_t kBegin = 2 * RTE_CACHE_LINE_SIZE;
  const std::uint32_t end = std::min<std::uint32_t>(m->data_len, 10 * RTE_CACHE_LINE_SIZE);
  for (std::uint32_t at = kBegin; at < end; at += RTE_CACHE_LINE_SIZE)
    rte_prefetch0(rte_pktmbuf_mtod_offset(m, const std::uint8_t*, at));
}

void settle_one(rte_mbuf* m, const std::array<std::uint8_t, hmac::kIcvLen>& icv) {
  PacketInfo& p = info(m);
  if (p.outbound) {
    rte_mbuf* last = rte_pktmbuf_lastseg(m);
    auto* to = rte_pktmbuf_mtod_offset(last, std::uint8_t*, last->data_len - esp::kIcvLen);
    std::memcpy(to, icv.data(), esp::kIcvLen);
    return;
  }
  std::uint8_t copy[esp::kIcvLen];
  const std::uint8_t* received = bytes_at(m, m->pkt_len - esp::kIcvLen, esp::kIcvLen, copy);
  p.icv_good = hmac::equal_tags(icv, {received, esp::kIcvLen});
}

}  // namespace

IcvHash::IcvHash(const Config& config, unsigned worker)
    : burst_(choice_of(config.gateway.backend)), fpu_(config.fpu, worker), ask_(config.fpu.ask) {
  fpu_.set_backend(width_of(burst_.choice()));
}

void IcvHash::start(std::span<rte_mbuf* const> packets) {
  for (std::size_t i = 0; i < packets.size(); ++i) {
    prefetch_message(packets[i]);
    fill_job(jobs_[i], segments_[i], packets[i]);
  }
  burst_.start({jobs_.data(), packets.size()});
}

/// Counts as scalar what sections have not counted. `first`: of run(), before any scalar code.
void IcvHash::finish(std::span<rte_mbuf* const> packets, std::uint64_t simd_bytes_before, Outcome first) {
  for (std::size_t i = 0; i < packets.size(); ++i) settle_one(packets[i], jobs_[i].icv);
  if (first == Outcome::kDone && burst_.choice().is_vector()) [[likely]]
    return;
  std::uint64_t num_bytes = 0;
  for (std::size_t i = 0; i < packets.size(); ++i) num_bytes += hashed_bytes(jobs_[i]);
  const std::uint64_t in_sections = fpu_.counters().simd_bytes.get() - simd_bytes_before;
  if (in_sections < num_bytes) fpu_.count_scalar(num_bytes - in_sections);
}

void IcvHash::settle_together(std::span<rte_mbuf* const> packets) {
  const std::uint64_t before = fpu_.counters().simd_bytes.get();
  start(packets);
  const Outcome first = burst_.run(fpu_);
  for (Outcome outcome = first; outcome != Outcome::kDone;) outcome = burst_.run_scalar();
  finish(packets, before, first);
}

/// As a kernel's hash driver is called: an update for each piece of the packet, and a final. Each call asks.
void IcvHash::settle_by_calls(rte_mbuf* m) {
  const std::uint64_t before = fpu_.counters().simd_bytes.get();
  start({&m, 1});
  const hmac::Job& job = jobs_[0];
  Outcome outcome = Outcome::kBudget;
  for (unsigned call = 0; outcome != Outcome::kDone; ++call) {
    const std::size_t num_bytes = call == 0              ? job.len
                                  : call <= job.num_more ? job.more[call - 1].len
                                                         : SIZE_MAX;
    const std::size_t whole_blocks = num_bytes - num_bytes % sha1::kBlockLen;
    if (whole_blocks == 0) continue;
    outcome = burst_.run(fpu_, whole_blocks);
    if (outcome == Outcome::kRefused) outcome = burst_.run_scalar(whole_blocks);
  }
  finish({&m, 1}, before, Outcome::kBudget);
}

void IcvHash::settle(std::span<rte_mbuf* const> packets) {
  if (ask_ == fpu::Ask::kBurst) [[likely]]
    return settle_together(packets);
  for (rte_mbuf* m : packets) ask_ == fpu::Ask::kPacket ? settle_together({&m, 1}) : settle_by_calls(m);
}

bool IcvHash::settle_if_granted(std::span<rte_mbuf* const> packets) {
  const std::uint64_t before = fpu_.counters().simd_bytes.get();
  start(packets);
  const Outcome first = burst_.run(fpu_);
  if (first == Outcome::kRefused && fpu_.counters().simd_bytes.get() == before) {
    burst_.cancel();
    return false;
  }
  for (Outcome outcome = first; outcome != Outcome::kDone;) outcome = burst_.run_scalar();
  finish(packets, before, first);
  return true;
}

}  // namespace gate96
