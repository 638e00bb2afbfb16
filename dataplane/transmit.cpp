// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/transmit.h"

namespace gate96 {

void TxBuffers::flush(Context& context) {
  for (std::size_t port = 0; port < context.ports->size(); ++port) {
    if (buffers_[port].num > 0) flush(context, static_cast<std::uint8_t>(port));
  }
}

void TxBuffers::flush(Context& context, std::uint8_t port) {
  PacketList& list = buffers_[port];
  const unsigned sender = context.worker % (*context.ports)[port].num_queues;
  if (sender != context.worker) [[unlikely]]
    return pass_to_sender(context, list, port, sender);
  PortCounters& counters = context.counters->ports[port];
  std::uint64_t bytes[kMaxPackets];
  std::uint64_t sum = 0;
  for (std::uint16_t i = 0; i < list.num; ++i) bytes[i] = sum += list.packets[i]->pkt_len;
  const std::uint16_t sent = transmitter_.send(port, list.packets, list.num);
  if (sent > 0) {
    context.counters->ended[static_cast<std::size_t>(Verdict::kForwarded)].add(sent);
    counters.tx_packets.add(sent);
    counters.tx_bytes.add(bytes[sent - 1]);
  }
  counters.tx_full.add(list.num - sent);
  for (std::uint16_t i = sent; i < list.num; ++i) context.end(list.packets[i], Verdict::kTxFull);
  list.num = 0;
}

}  // namespace gate96
