// SPDX-License-Identifier: BSD-3-Clause
// The HMACs of ESP packets, of any SAs, in runs of the burst engine, under the worker's FPU policy.
#pragma once

#include <rte_mbuf.h>

#include <array>
#include <span>

#include "dataplane/config.h"
#include "dataplane/packet.h"
#include "fpu/context.h"
#include "hmac/burst.h"

namespace gate96 {

class IcvHash {
 public:
  IcvHash(const Config& config, unsigned worker);

  /// Settles the ICV of each packet (at most kMaxPackets): outbound, writes it; inbound, compares it in
  /// constant time and notes the result in info(m).icv_good. Vector code where it is granted, scalar code
  /// where not.
  void settle(std::span<rte_mbuf* const> packets);

  /// The same with one question and one engine call, whatever `ask` in the configuration says.
  void settle_together(std::span<rte_mbuf* const> packets);

  /// The same if vector code is granted; otherwise returns false and has done nothing.
  [[nodiscard]] bool settle_if_granted(std::span<rte_mbuf* const> packets);

  [[nodiscard]] fpu::Context& fpu() { return fpu_; }
  [[nodiscard]] const fpu::Context& fpu() const { return fpu_; }
  [[nodiscard]] const hmac::Burst& engine() const { return burst_; }

 private:
  void start(std::span<rte_mbuf* const> packets);
  void finish(std::span<rte_mbuf* const> packets, std::uint64_t simd_bytes_before, hmac::Outcome first);
  void settle_by_calls(rte_mbuf* m);

  hmac::Burst burst_;
  fpu::Context fpu_;
  fpu::Ask ask_;
  std::array<hmac::Job, kMaxPackets> jobs_;
  std::array<std::array<hmac::Segment, kMaxSegments>, kMaxPackets> segments_;
};

}  // namespace gate96
