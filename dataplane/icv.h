// SPDX-License-Identifier: BSD-3-Clause
// The ICV stage: the HMACs of a whole list of ESP packets, of any SAs, in one run of the burst engine.
#pragma once

#include <array>

#include "dataplane/context.h"
#include "fpu/context.h"
#include "hmac/burst.h"

namespace gate96 {

class IcvStage {
 public:
  /// Outbound: writes the ICV over the last 12 bytes of each packet.
  void seal(PacketList& list);

  /// Inbound: drops those whose last 12 bytes are not the ICV (compared in constant time).
  void verify(Context& context, PacketList& list);

 private:
  void compute(const PacketList& list);

  hmac::Burst burst_;
  fpu::Context fpu_;
  std::array<hmac::Job, kMaxPackets> jobs_;
  std::array<std::array<hmac::Segment, kMaxSegments>, kMaxPackets> segments_;
};

}  // namespace gate96
