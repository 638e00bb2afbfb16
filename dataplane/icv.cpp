// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/icv.h"

#include <algorithm>
#include <cstring>

#include "dataplane/esp.h"
#include "dataplane/mbuf_ops.h"
#include "dataplane/sa.h"
#include "hmac/equal.h"

namespace gate96 {
namespace {

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

}  // namespace

void IcvStage::compute(const PacketList& list) {
  for (std::uint16_t i = 0; i < list.num; ++i) fill_job(jobs_[i], segments_[i], list.packets[i]);
  burst_.start({jobs_.data(), list.num});
  hmac::Outcome outcome = hmac::Outcome::kBudget;
  while (outcome == hmac::Outcome::kBudget) outcome = burst_.run(fpu_, fpu_.section_bytes());
  while (outcome != hmac::Outcome::kDone) outcome = burst_.run_scalar();
}

void IcvStage::seal(PacketList& list) {
  if (list.num == 0) return;
  compute(list);
  for (std::uint16_t i = 0; i < list.num; ++i) {
    rte_mbuf* last = rte_pktmbuf_lastseg(list.packets[i]);
    auto* icv = rte_pktmbuf_mtod_offset(last, std::uint8_t*, last->data_len - esp::kIcvLen);
    std::memcpy(icv, jobs_[i].icv.data(), esp::kIcvLen);
  }
}

void IcvStage::verify(Context& context, PacketList& list) {
  if (list.num == 0) return;
  compute(list);
  const hmac::Job* job = jobs_.data();
  context.keep(list, [&job](rte_mbuf* m) {
    std::uint8_t received[esp::kIcvLen];
    copy_out(m, m->pkt_len - esp::kIcvLen, esp::kIcvLen, received);
    if (hmac::equal_tags((job++)->icv, received)) [[likely]]
      return Verdict::kPass;
    info(m).sa->icv_bad.add();
    return Verdict::kIcvBad;
  });
}

}  // namespace gate96
