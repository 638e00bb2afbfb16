// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/arp.h"

#include <algorithm>
#include <cstring>

#include "dataplane/mbuf_ops.h"
#include "dataplane/wire_format.h"

namespace gate96::arp {
namespace {

constexpr std::uint16_t kHardwareEthernet = 1;
constexpr std::size_t kMinFrame = 60;  // without FCS

IpAddress ipv4(const std::uint8_t* bytes) {
  IpAddress address;
  std::copy_n(bytes, 4, address.bytes.begin());
  return address;
}

bool write(rte_mbuf* m, const PortInfo& port, Operation operation, const IpAddress& sender,
           const MacAddress& to_mac, const MacAddress& target_mac, const IpAddress& target) {
  auto* frame = reinterpret_cast<std::uint8_t*>(rte_pktmbuf_append(m, kMinFrame));
  if (frame == nullptr) return false;
  std::memset(frame, 0, kMinFrame);
  auto* ether = reinterpret_cast<EtherHeader*>(frame);
  std::memcpy(ether->dst, to_mac.bytes.data(), 6);
  std::memcpy(ether->src, port.mac.bytes.data(), 6);
  ether->type = rte_cpu_to_be_16(kEtherTypeArp);
  auto* arp = reinterpret_cast<ArpPacket*>(ether + 1);
  arp->hardware = rte_cpu_to_be_16(kHardwareEthernet);
  arp->protocol = rte_cpu_to_be_16(kEtherTypeIpv4);
  arp->hardware_len = 6;
  arp->protocol_len = 4;
  arp->operation = rte_cpu_to_be_16(static_cast<std::uint16_t>(operation));
  std::memcpy(arp->sender_mac, port.mac.bytes.data(), 6);
  std::memcpy(arp->sender_ip, sender.bytes.data(), 4);
  std::memcpy(arp->target_mac, target_mac.bytes.data(), 6);
  std::memcpy(arp->target_ip, target.bytes.data(), 4);
  return true;
}

}  // namespace

std::optional<Message> read(rte_mbuf* m) {
  if (!pull_up(m, sizeof(ArpPacket))) return std::nullopt;
  const auto* arp = rte_pktmbuf_mtod(m, const ArpPacket*);
  const std::uint16_t operation = rte_be_to_cpu_16(arp->operation);
  if (rte_be_to_cpu_16(arp->hardware) != kHardwareEthernet ||
      rte_be_to_cpu_16(arp->protocol) != kEtherTypeIpv4 || arp->hardware_len != 6 || arp->protocol_len != 4 ||
      operation < 1 || operation > 2 || (arp->sender_mac[0] & 1) != 0) {
    return std::nullopt;
  }
  Message message{static_cast<Operation>(operation), {}, ipv4(arp->sender_ip), ipv4(arp->target_ip)};
  std::copy_n(arp->sender_mac, 6, message.sender_mac.bytes.begin());
  return message;
}

bool write_request(rte_mbuf* m, const PortInfo& port, const IpAddress& own, const IpAddress& target) {
  constexpr MacAddress kBroadcast{{0xff, 0xff, 0xff, 0xff, 0xff, 0xff}};
  return write(m, port, Operation::kRequest, own, kBroadcast, MacAddress{}, target);
}

bool write_reply(rte_mbuf* m, const PortInfo& port, const Message& request) {
  return write(m, port, Operation::kReply, request.target, request.sender_mac, request.sender_mac,
               request.sender);
}

}  // namespace gate96::arp
