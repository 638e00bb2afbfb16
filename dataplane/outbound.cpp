// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/outbound.h"

#include <algorithm>
#include <cstring>

#include "dataplane/esp.h"
#include "dataplane/fragment.h"
#include "dataplane/icmp_error.h"
#include "dataplane/ip_edit.h"
#include "dataplane/lifetime.h"
#include "dataplane/mbuf_ops.h"
#include "dataplane/outer_header.h"
#include "dataplane/path_mtu.h"
#include "dataplane/sa.h"
#include "dataplane/udp_encap.h"

namespace gate96::outbound {
namespace {

/// RFC 4303 3.3.3: the last number is used once; then the SA sends no more.
Verdict take_number(Sa& sa, std::uint64_t& seq) {
  if (sa.last_seq == (sa.esn ? kLastEsn : kLastSeq)) return Verdict::kSeqExhausted;
  if (sa.last_seq >= sa.seq_limit.load(std::memory_order_acquire)) return Verdict::kSeqUnsaved;
  seq = ++sa.last_seq;
  return Verdict::kPass;
}

void write_esp_header(std::uint8_t* to, const Sa& sa, std::uint64_t seq) {
  const EspHeader header = {rte_cpu_to_be_32(sa.spi), rte_cpu_to_be_32(static_cast<std::uint32_t>(seq))};
  std::memcpy(to, &header, sizeof header);
}

/// Trailer and room for the ICV behind `payload_len` bytes.
inline Verdict add_trailer(Context& context, rte_mbuf* m, std::uint32_t payload_len,
                           std::uint8_t next_header) {
  const std::uint32_t num_pad = esp::pad_len(payload_len);
  std::uint8_t* trailer = append(m, num_pad + esp::kTrailerLen + esp::kIcvLen, context.pool);
  if (trailer == nullptr) return Verdict::kNoRoom;
  esp::write_trailer(trailer, num_pad, next_header);
  return Verdict::kPass;
}

/// Zeroes up to the SA's TFC length, as far as they fit (RFC 4303 2.7). The inner IP length tells them apart.
[[gnu::noinline]] bool add_tfc(Context& context, rte_mbuf* m) {
  const PacketInfo& p = info(m);
  if (p.sa->tfc <= m->pkt_len || p.to_be_cut) return true;
  const unsigned fits = largest_inside(*p.sa, path_mtu_again(context, *p.sa, p.port), p.header_len);
  for (const unsigned target = std::min(p.sa->tfc, fits); m->pkt_len < target;) {
    const std::uint32_t room = std::max<std::uint32_t>(rte_pktmbuf_tailroom(rte_pktmbuf_lastseg(m)), 1024);
    const std::uint32_t len = std::min(target - m->pkt_len, room);
    std::uint8_t* zeroes = append(m, len, context.pool);
    if (zeroes == nullptr) return false;
    std::memset(zeroes, 0, len);
  }
  return true;
}

inline Verdict encapsulate_tunnel(Context& context, rte_mbuf*& m) {
  Sa& sa = *info(m).sa;
  const Family inner_family = info(m).family;
  OuterFields fields = outer_fields(sa, m);
  if (info(m).to_be_cut) fields.dont_fragment = false;
  if (sa.tfc != 0 && !add_tfc(context, m)) return Verdict::kNoRoom;
  const Verdict verdict =
      add_trailer(context, m, m->pkt_len, inner_family == Family::kIpv4 ? kProtoIpv4 : kProtoIpv6);
  if (verdict != Verdict::kPass) return verdict;
  const std::uint16_t outer_len = sa.outer_len;
  std::uint8_t* outer = prepend(m, outer_len + esp::kHeaderLen, context.pool);
  if (outer == nullptr) return Verdict::kNoRoom;
  PacketInfo& p = info(m);
  write_outer_header(outer, sa, fields, m->pkt_len);
  write_esp_header(outer + outer_len, sa, p.seq);
  p.family = sa.dst.family;
  p.header_len = outer_len;
  p.dont_fragment = fields.dont_fragment && sa.dst.is_v4();  // as its source we may cut IPv6 too
  p.fragment = p.later_fragment = false;
  return Verdict::kPass;
}

/// The IP header and its extensions move forward; ESP goes between them and what they carry (RFC 4303 3.1.1).
[[gnu::noinline]] Verdict encapsulate_transport(Context& context, rte_mbuf*& m) {
  if (info(m).fragment) return Verdict::kTransportFragment;
  const Verdict verdict = add_trailer(context, m, m->pkt_len - info(m).header_len, info(m).protocol);
  if (verdict != Verdict::kPass) return verdict;
  const Sa& sa = *info(m).sa;
  const std::uint16_t header_len = info(m).header_len;
  const std::uint16_t udp_len = sa.udp_encap ? sizeof(UdpHeader) : 0;
  if (prepend(m, udp_len + esp::kHeaderLen, context.pool) == nullptr) return Verdict::kNoRoom;
  if (!pull_up(m, header_len + udp_len + esp::kHeaderLen)) return Verdict::kSegments;
  PacketInfo& p = info(m);
  auto* bytes = rte_pktmbuf_mtod(m, std::uint8_t*);
  std::memmove(bytes, bytes + udp_len + esp::kHeaderLen, header_len);
  p.header_len = header_len + udp_len;
  if (sa.udp_encap) udp_encap::write_header(bytes + header_len, *sa.udp_encap, m->pkt_len - p.header_len);
  write_esp_header(bytes + p.header_len, sa, p.seq);
  bytes[p.next_header_at] = sa.udp_encap ? kProtoUdp : kProtoEsp;
  set_ip_len(m);
  return Verdict::kPass;
}

/// Whether a packet that does not fit may become an ESP packet that is cut afterwards (RFC 4303 3.3.4).
bool may_exceed(const rte_mbuf* m, unsigned fits) {
  const PacketInfo& p = info(m);
  // An IPv6 sender cannot be told less than 1280 (RFC 8200 5): the tunnel has to carry that much.
  if (p.family == Family::kIpv6 && p.sa->mode == Mode::kTunnel && m->pkt_len <= std::max(fits, kMinPathMtu6))
    return true;
  return p.sa->mode == Mode::kTunnel ? !outer_fields(*p.sa, m).dont_fragment : may_fragment(m);
}

/// The packet does not fit: whether it is to be cut after it has become ESP.
[[gnu::noinline]] bool be_cut(rte_mbuf* m, unsigned fits) {
  info(m).to_be_cut = may_exceed(m, fits);
  return info(m).to_be_cut;
}

/// Counts down the TTL of a packet in transit (RFC 4301 5.1.2). False: that was its end.
inline bool count_down(Context& context, rte_mbuf* m) {
  if (decrement_ttl(m)) [[likely]]
    return true;
  icmp_error::reject(context, m, Verdict::kTtlExpired, icmp_error::Kind::kTimeExceeded);
  return false;
}

/// Turns away what is too big as ESP and must not be cut, with an ICMP error (RFC 4301 8.2). False: it is
/// gone.
inline bool check_size(Context& context, rte_mbuf* m) {
  const PacketInfo& p = info(m);
  const unsigned fits = largest_inside(*p.sa, path_mtu_again(context, *p.sa, p.port), p.header_len);
  if (m->pkt_len <= fits || be_cut(m, fits)) [[likely]]
    return true;
  const unsigned mtu = p.family == Family::kIpv6 ? std::max(fits, kMinPathMtu6) : fits;
  icmp_error::reject(context, m, Verdict::kTooBig, icmp_error::Kind::kTooBig, mtu);
  return false;
}

inline Verdict encapsulate_one(Context& context, rte_mbuf*& m) {
  Sa& sa = *info(m).sa;
  if (sa.expired.get() != 0) return Verdict::kSaExpired;
  Verdict verdict = take_number(sa, info(m).seq);
  if (verdict != Verdict::kPass) return verdict;
  verdict = sa.mode == Mode::kTunnel ? encapsulate_tunnel(context, m) : encapsulate_transport(context, m);
  if (verdict != Verdict::kPass) return verdict;
  PacketInfo& p = info(m);
  if (!spend(context, sa, m->pkt_len - p.header_len)) return Verdict::kSaExpired;
  p.protocol = kProtoEsp;
  p.ttl_done = true;
  p.outbound = true;
  p.udp_checksum = sa.udp_encap && p.family == Family::kIpv6;
  sa.last_sent_ms = context.now_ms;
  sa.seq.set(sa.last_seq);
  return Verdict::kPass;
}

}  // namespace

void apply_policy(Context& context, PacketList& list, PacketList& protect) {
  const Ruling* rulings[kMaxPackets];
  context.tables->outbound.classify(list.packets, list.num, rulings);
  std::uint16_t kept = 0;
  for (std::uint16_t i = 0; i < list.num; ++i) {
    rte_mbuf* m = list.packets[i];
    const Ruling* match = rulings[i];
    if (match == nullptr) {
      context.end(m, Verdict::kNoPolicy);
    } else if (match->action == Action::kProtect) {
      prefetch(*match->sa);
      info(m).sa = match->sa;
      protect.push(m);
    } else if (match->action == Action::kBypass) {
      list.packets[kept++] = m;
    } else {
      context.end(m, Verdict::kPolicyDiscard);
    }
  }
  list.num = kept;
}

void encapsulate(Context& context, PacketList& protect) {
  std::uint16_t kept = 0;
  for (std::uint16_t i = 0; i < protect.num; ++i) {
    rte_mbuf* m = protect.packets[i];
    if (!count_down(context, m) || !check_size(context, m)) [[unlikely]]
      continue;
    const Verdict verdict = encapsulate_one(context, m);  // may put a new segment in front
    if (verdict == Verdict::kPass) [[likely]] {
      protect.packets[kept++] = m;
    } else {
      context.end(m, verdict);
    }
  }
  protect.num = kept;
}

}  // namespace gate96::outbound
