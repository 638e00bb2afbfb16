// SPDX-License-Identifier: BSD-3-Clause
// Puts fragments that are for us together again before anything looks into them (RFC 4303 3.4.1), by
// rte_ip_frag.
#pragma once

#include <rte_ip_frag.h>

#include <memory>

#include "dataplane/context.h"

namespace gate96 {

inline constexpr std::uint64_t kReassemblyMs = 3000;    // from the first fragment to the last
inline constexpr std::uint32_t kMaxReassemblies = 512;  // at once; each holds at most 8 fragments

class Reassembler {
 public:
  /// kDiscard: fragments of ESP are dropped later on, by name; others pass as they are.
  explicit Reassembler(EspFragments mode);

  /// Takes the fragments for our own addresses (on a wire: those of ESP) out of `list` and puts the datagrams
  /// that they complete into their place, parsed.
  void collect(Context& context, PacketList& list);

  /// Ends the fragments whose time is over.
  void tick(Context& context);

  /// Ends all fragments.
  void drop_all(Context& context);

 private:
  struct FreeTable {
    void operator()(rte_ip_frag_tbl* table) const { rte_ip_frag_table_destroy(table); }
  };
  [[nodiscard]] rte_mbuf* insert(Context& context, rte_mbuf* m);
  void bury(Context& context);

  std::unique_ptr<rte_ip_frag_tbl, FreeTable> table_;  // null: kDiscard
  rte_ip_frag_death_row dead_{};
};

}  // namespace gate96
