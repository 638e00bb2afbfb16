// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/inbound.h"

#include <cstring>

#include "dataplane/ecn.h"
#include "dataplane/esp.h"
#include "dataplane/ip_edit.h"
#include "dataplane/lifetime.h"
#include "dataplane/mbuf_ops.h"
#include "dataplane/parse.h"
#include "dataplane/sa.h"
#include "dataplane/udp_encap.h"

namespace gate96::inbound {
namespace {

const std::uint8_t* destination(const rte_mbuf* m) {
  return rte_pktmbuf_mtod_offset(
      m, const std::uint8_t*,
      info(m).family == Family::kIpv4 ? offsetof(Ipv4Header, dst) : offsetof(Ipv6Header, dst));
}

/// What can be said of an ESP packet before its SA is known.
Verdict check_shape(rte_mbuf* m) {
  const PacketInfo& p = info(m);
  if (p.fragment) return Verdict::kEspFragment;
  const std::uint32_t esp_len = m->pkt_len - p.header_len;
  if (esp_len < esp::kMinLen) return Verdict::kEspShort;
  if (!pull_up(m, p.header_len + esp::kHeaderLen)) return Verdict::kSegments;
  const auto* header = rte_pktmbuf_mtod_offset(m, const EspHeader*, p.header_len);
  if (rte_be_to_cpu_32(header->spi) < esp::kFirstSpi) return Verdict::kSpiReserved;
  return Verdict::kPass;
}

bool on_encap_port(const Tables& tables, const rte_mbuf* m) {
  const PacketInfo& p = info(m);
  return p.protocol == kProtoUdp && p.ports_kind == PortsKind::kPorts && !p.fragment &&
         tables.sad.has_udp_port(p.dst_port);
}

bool is_for_us(const Context& context, const rte_mbuf* m) {
  return context.tables->routes.is_own(info(m).family, destination(m));
}

/// ESP in UDP, ours or passing by on a wire; from here on its header length leads to ESP.
bool is_esp_in_udp(const Context& context, rte_mbuf* m) {
  if (!on_encap_port(*context.tables, m)) return false;
  if (!context.is_wire(info(m).port) && !is_for_us(context, m)) return false;
  if (udp_encap::classify(m) != udp_encap::Payload::kEsp) return false;
  info(m).udp_encap = true;
  info(m).header_len += sizeof(UdpHeader);
  return true;
}

bool is_keepalive(const Context& context, const rte_mbuf* m) {
  return on_encap_port(*context.tables, m) && is_for_us(context, m) &&
         udp_encap::classify(m) == udp_encap::Payload::kKeepalive;
}

/// What looked like ESP of one of our SAs and is none: dropped if it is for us; others' goes on in clear.
void not_ours(Context& context, rte_mbuf* m, Verdict verdict, PacketList& clear) {
  if (is_for_us(context, m)) return context.end(m, verdict);
  forget_sa(m);
  clear.push(m);
}

Verdict verdict_of(ReplayCheck check, Sa& sa) {
  if (check == ReplayCheck::kFresh) [[likely]]
    return Verdict::kPass;
  sa.replays.add();
  return check == ReplayCheck::kSeen ? Verdict::kReplay : Verdict::kReplayOld;
}

/// A number that the state file does not cover yet is not accepted; the SA's limit will follow it.
bool is_saved(Sa& sa, std::uint64_t seq) {
  if (seq <= sa.seq_limit.load(std::memory_order_acquire) || sa.window.size() == 0) [[likely]]
    return true;
  if (seq > sa.seq_wanted.get()) sa.seq_wanted.set(seq);
  return false;
}

/// RFC 4303 3.4.4 and, with the window once more (the same packet may be in the burst twice), 3.4.3.
inline Verdict accept(Context& context, rte_mbuf* m) {
  const PacketInfo& p = info(m);
  Sa& sa = *p.sa;
  if (!p.icv_good) [[unlikely]] {
    sa.icv_bad.add();
    return Verdict::kIcvBad;
  }
  if (!is_saved(sa, p.seq)) return Verdict::kSeqUnsaved;
  const Verdict verdict = verdict_of(sa.window.update(p.seq), sa);
  if (verdict != Verdict::kPass) return verdict;
  if (!spend(context, sa, m->pkt_len - p.header_len)) return Verdict::kSaExpired;
  if (sa.direction == Direction::kIn) sa.seq.set(sa.window.top());
  return Verdict::kPass;
}

Verdict strip_tunnel(rte_mbuf* m, std::uint8_t next_header) {
  if (next_header != kProtoIpv4 && next_header != kProtoIpv6) return Verdict::kNextHeader;
  const std::uint8_t outer = traffic_class(m);
  trim_front(m, info(m).header_len + esp::kHeaderLen);
  const Family family = next_header == kProtoIpv4 ? Family::kIpv4 : Family::kIpv6;
  if (parse_ip(m, family) != Verdict::kPass) return Verdict::kInnerBad;
  const std::uint8_t inner = traffic_class(m);
  const auto ecn = ecn::decapsulate(inner & ecn::kMask, outer & ecn::kMask);
  if (!ecn) return Verdict::kCongested;
  if (*ecn != (inner & ecn::kMask))
    set_traffic_class(m, static_cast<std::uint8_t>((inner & ~ecn::kMask) | *ecn));
  return Verdict::kPass;
}

/// Moves the IP header over the ESP header (and UDP's) and mends what says "ESP" and the length in it.
Verdict strip_transport(rte_mbuf* m, std::uint8_t next_header) {
  const PacketInfo& p = info(m);
  const bool in_udp = p.udp_encap;
  const std::uint16_t udp_len = in_udp ? sizeof(UdpHeader) : 0;
  auto* bytes = rte_pktmbuf_mtod(m, std::uint8_t*);
  bytes[p.next_header_at] = next_header;
  std::memmove(bytes + udp_len + esp::kHeaderLen, bytes, p.header_len - udp_len);
  trim_front(m, udp_len + esp::kHeaderLen);
  set_ip_len(m);
  if (parse_ip(m, p.family) != Verdict::kPass) return Verdict::kInnerBad;
  if (in_udp) udp_encap::mend_checksum(m);
  return Verdict::kPass;
}

Verdict strip(rte_mbuf* m) {
  PacketInfo& p = info(m);
  // RFC 4303 2.4: pad length and next header end on a 4-byte boundary.
  if ((m->pkt_len - p.header_len) % 4 != 0) return Verdict::kEspAlign;
  std::uint8_t copy[esp::kMaxPad];
  const std::uint8_t* trailer =
      bytes_at(m, m->pkt_len - esp::kIcvLen - esp::kTrailerLen, esp::kTrailerLen, copy);
  const std::uint32_t num_pad = trailer[0];
  const std::uint8_t next_header = trailer[1];
  const std::uint32_t behind = num_pad + esp::kTrailerLen + esp::kIcvLen;
  if (p.header_len + esp::kHeaderLen + behind > m->pkt_len) return Verdict::kPadBad;
  if (!esp::padding_ok(bytes_at(m, m->pkt_len - behind, num_pad, copy), num_pad)) return Verdict::kPadBad;
  if (next_header == kProtoNone) return Verdict::kConsumed;  // a dummy packet (RFC 4303 2.6)
  trim_end(m, behind);
  p.decapsulated = true;
  return p.sa->mode == Mode::kTunnel ? strip_tunnel(m, next_header) : strip_transport(m, next_header);
}

}  // namespace

void forget_sa(rte_mbuf* m) {
  info(m).sa = nullptr;
  if (info(m).udp_encap) info(m).header_len -= sizeof(UdpHeader);  // it is plain UDP again
  info(m).udp_encap = false;
}

void find_sa(Context& context, PacketList& list, PacketList& esp) {
  PacketList candidates;
  PacketList clear;
  for (rte_mbuf* m : list) {
    if (info(m).protocol == kProtoEsp || is_esp_in_udp(context, m)) {
      const Verdict verdict = check_shape(m);
      verdict == Verdict::kPass ? candidates.push(m) : not_ours(context, m, verdict, clear);
    } else if (is_keepalive(context, m)) {
      context.end(m, Verdict::kConsumed);
    } else {
      clear.push(m);
    }
  }
  Sa* sas[kMaxPackets];
  context.tables->sad.lookup(candidates.packets, candidates.num, sas);
  for (std::uint16_t i = 0; i < candidates.num; ++i) {
    rte_mbuf* m = candidates.packets[i];
    if (sas[i] != nullptr && sas[i]->udp_encap.has_value() == info(m).udp_encap) [[likely]] {
      info(m).sa = sas[i];
      esp.push(m);
    } else {
      not_ours(context, m, Verdict::kNoSa, clear);
    }
  }
  list = clear;
}

void check_replay(Context& context, PacketList& esp) {
  context.keep(esp, [](rte_mbuf* m) {
    PacketInfo& p = info(m);
    if (p.sa->expired.get() != 0) return Verdict::kSaExpired;
    const auto* header = rte_pktmbuf_mtod_offset(m, const EspHeader*, p.header_len);
    const std::uint32_t low = rte_be_to_cpu_32(header->seq);
    p.seq = p.sa->esn ? infer_esn(p.sa->window.top(), p.sa->window.size(), low) : low;
    return verdict_of(p.sa->window.check(p.seq), *p.sa);
  });
}

void decapsulate(Context& context, PacketList& esp) {
  context.keep(esp, [&context](rte_mbuf* m) {
    const Verdict verdict = accept(context, m);
    return verdict == Verdict::kPass ? strip(m) : verdict;
  });
}

void check_selectors(Context& context, PacketList& inner) {
  const Ruling* rulings[kMaxPackets];
  const Spd& spd = context.tables->inbound;
  spd.classify(inner.packets, inner.num, rulings);
  const Ruling** ruling = rulings;
  context.keep(inner, [&](rte_mbuf* m) {
    Sa* sa = info(m).sa;
    const Ruling* match = *ruling++;
    if (match != nullptr && match->sa == sa) [[likely]]
      return Verdict::kPass;
    if (match != nullptr && match->sa != nullptr && spd.within_selectors(m, sa)) return Verdict::kPass;
    sa->selector_mismatch.add();
    return Verdict::kSelectorMismatch;
  });
}

void check_clear(Context& context, PacketList& clear) {
  const Ruling* rulings[kMaxPackets];
  context.tables->inbound.classify(clear.packets, clear.num, rulings);
  const Ruling** ruling = rulings;
  context.keep(clear, [&](rte_mbuf*) {
    const Ruling* match = *ruling++;
    if (match == nullptr) return Verdict::kNoPolicy;
    switch (match->action) {
      case Action::kBypass:
        return Verdict::kPass;
      case Action::kProtect:
        return Verdict::kClearOnProtect;
      default:
        return Verdict::kPolicyDiscard;
    }
  });
}

}  // namespace gate96::inbound
