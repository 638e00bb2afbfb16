// SPDX-License-Identifier: BSD-3-Clause
// rte_ip_frag_table_del_expired_entries is the one call that is not yet part of DPDK's stable interface.
#define ALLOW_EXPERIMENTAL_API
#include "dataplane/reassembler.h"

#include <rte_cycles.h>

#include <algorithm>
#include <stdexcept>

#include "dataplane/ip_edit.h"
#include "dataplane/ip_ends.h"
#include "dataplane/parse.h"
#include "dataplane/wire_format.h"

namespace gate96 {
namespace {

constexpr std::uint32_t kBucketEntries = 16;

std::uint64_t cycles(std::uint64_t ms) {
  return rte_get_tsc_hz() / 1000 * ms;
}

bool is_ours(const Context& context, const rte_mbuf* m) {
  const PacketInfo& p = info(m);
  if ((*context.ports)[p.port].wire_peer) return p.protocol == kProtoEsp;
  const IpEnds ends = ip_ends(m);
  return context.tables->routes.is_own(ends.dst.family, ends.dst.bytes.data());
}

/// rte_ip_frag takes a fragment header only right behind the IPv6 header.
bool is_plain(const rte_mbuf* m) {
  const PacketInfo& p = info(m);
  return p.family == Family::kIpv4 || (p.header_len == sizeof(Ipv6Header) + sizeof(rte_ipv6_fragment_ext) &&
                                       p.next_header_at == sizeof(Ipv6Header));
}

/// Heads of fragments within the whole: every one was a packet of its own.
template <class Each>
void each_piece(rte_mbuf* whole, Each&& each) {
  for (rte_mbuf* seg = whole; seg != nullptr; seg = seg->next) {
    if (info(seg).is_piece) each(seg);
  }
}

/// Segments behind the head carry no PacketInfo yet; none of them is a piece.
void mark(rte_mbuf* m) {
  for (rte_mbuf* seg = m->next; seg != nullptr; seg = seg->next) info(seg).is_piece = false;
  info(m).is_piece = true;
}

}  // namespace

Reassembler::Reassembler(EspFragments mode) {
  if (mode == EspFragments::kDiscard) return;
  table_.reset(rte_ip_frag_table_create(kMaxReassemblies / kBucketEntries, kBucketEntries, kMaxReassemblies,
                                        cycles(kReassemblyMs), SOCKET_ID_ANY));
  if (!table_) throw std::runtime_error("reassembly table: no memory; raise eal.memory_mb");
}

rte_mbuf* Reassembler::insert(Context& context, rte_mbuf* m) {
  PacketInfo& p = info(m);
  Counter& held = context.counters->ended[static_cast<std::size_t>(Verdict::kHeld)];
  mark(m);
  held.add();
  m->l2_len = 0;
  m->l3_len = p.header_len;
  const std::uint64_t now = cycles(context.now_ms);
  rte_mbuf* whole = nullptr;
  if (p.family == Family::kIpv4) {
    whole = rte_ipv4_frag_reassemble_packet(table_.get(), &dead_, m, now, rte_pktmbuf_mtod(m, rte_ipv4_hdr*));
  } else {
    auto* ip = rte_pktmbuf_mtod(m, rte_ipv6_hdr*);
    whole = rte_ipv6_frag_reassemble_packet(table_.get(), &dead_, m, now, ip,
                                            reinterpret_cast<rte_ipv6_fragment_ext*>(ip + 1));
  }
  if (whole == nullptr) return nullptr;
  each_piece(whole, [&](rte_mbuf* piece) {
    held.sub();
    if (piece != whole) context.note(piece, Verdict::kMerged);
  });
  return whole;
}

void Reassembler::collect(Context& context, PacketList& list) {
  const bool any = std::any_of(list.begin(), list.end(), [](const rte_mbuf* m) { return info(m).fragment; });
  if (!table_ || !any) [[likely]]
    return;
  context.keep(list, [&](rte_mbuf* m) {
    return info(m).fragment && is_ours(context, m) && !is_plain(m) ? Verdict::kReassembly : Verdict::kPass;
  });
  std::uint16_t kept = 0;
  for (rte_mbuf* m : list) {
    if (info(m).fragment && is_ours(context, m)) [[unlikely]] {
      m = insert(context, m);
      bury(context);
      if (m == nullptr) continue;
      m->ol_flags = 0;
      set_ip_len(m);
      if (const Verdict verdict = parse_ip(m, info(m).family); verdict != Verdict::kPass) {
        context.end(m, verdict);
        continue;
      }
    }
    list.packets[kept++] = m;
  }
  list.num = kept;
}

void Reassembler::bury(Context& context) {
  for (std::uint32_t i = 0; i < dead_.cnt; ++i) {
    context.counters->ended[static_cast<std::size_t>(Verdict::kHeld)].sub();
    context.end(dead_.row[i], Verdict::kReassembly);
  }
  dead_.cnt = 0;
}

void Reassembler::tick(Context& context) {
  if (!table_) return;
  rte_ip_frag_table_del_expired_entries(table_.get(), &dead_, cycles(context.now_ms));
  bury(context);
}

void Reassembler::drop_all(Context& context) {
  if (!table_) return;
  const std::uint64_t over = cycles(context.now_ms + kReassemblyMs + 1);
  std::uint32_t num = 0;
  do {  // as many at a time as the death row takes
    rte_ip_frag_table_del_expired_entries(table_.get(), &dead_, over);
    num = dead_.cnt;
    bury(context);
  } while (num > 0);
}

}  // namespace gate96
