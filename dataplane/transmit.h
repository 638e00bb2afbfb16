// SPDX-License-Identifier: BSD-3-Clause
// The last stage: finished frames gather per port and leave in bursts.
#pragma once

#include <rte_mbuf.h>

#include <array>
#include <cstdint>

#include "dataplane/context.h"

namespace gate96 {

/// Where frames go: an ethdev queue in the gateway, a capture file in `gate96 explain`.
class Transmitter {
 public:
  virtual ~Transmitter() = default;
  /// Takes over the first k of `num` frames and returns k.
  virtual std::uint16_t send(std::uint8_t port, rte_mbuf** frames, std::uint16_t num) = 0;
};

class TxBuffers {
 public:
  explicit TxBuffers(Transmitter& transmitter) : transmitter_(transmitter) {}

  /// `frame`: from Ethernet header to payload. Flushes the port first when its buffer is full.
  void push(Context& context, std::uint8_t port, rte_mbuf* frame) {
    if (buffers_[port].full()) flush(context, port);
    buffers_[port].push(frame);
  }

  /// Sends what is gathered; what the ring has no place for is dropped as kTxFull.
  void flush(Context& context);

 private:
  void flush(Context& context, std::uint8_t port);

  Transmitter& transmitter_;
  std::array<PacketList, kMaxPorts> buffers_;
};

}  // namespace gate96
