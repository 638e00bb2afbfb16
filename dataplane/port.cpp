// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/port.h"

#include <fmt/format.h>
#include <rte_bus.h>
#include <rte_dev.h>
#include <rte_errno.h>
#include <rte_ethdev.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "dataplane/eal.h"
#include "dataplane/nd.h"
#include "dataplane/packet.h"

namespace gate96 {
namespace {

/// The interface's received packets of /proc/self/net/dev, which is always that of our own network namespace.
std::uint64_t interface_rx_packets(const std::string& interface) {
  std::ifstream file("/proc/self/net/dev");
  for (std::string line; std::getline(file, line);) {
    const auto colon = line.find(':');
    if (colon == std::string::npos) continue;
    std::istringstream fields(line.substr(0, colon) + " " + line.substr(colon + 1));
    std::string name;
    std::uint64_t bytes = 0;
    std::uint64_t packets = 0;
    if (fields >> name >> bytes >> packets && name == interface) return packets;
  }
  return 0;
}

}  // namespace

Port::Port(const Config& config, unsigned index, unsigned num_queues, rte_mempool* pool)
    : spec_(make_device(config.ports[index], index, num_queues)),
      device_text_(config.ports[index].device),
      info_(make_port_info(config, index)),
      num_queues_(num_queues) {
  if (const std::string why = obstacle(config.ports[index], spec_); !why.empty()) fail(why);
  plug();
  try {
    configure(pool);
  } catch (...) {
    rte_eth_dev_close(id_);
    throw;
  }
}

void Port::fail(const std::string& why) const {
  throw std::runtime_error(fmt::format("port {} ({}): {}", info_.name, device_text_, why));
}

void Port::plug() {
  const EalLog log;
  if (!spec_.is_pci) {
    const int error = rte_eal_hotplug_add("vdev", spec_.name.c_str(), spec_.args.c_str());
    if (error != 0) {
      fail(fmt::format("DPDK cannot make {} with \"{}\": {} ({})", spec_.name, spec_.args,
                       rte_strerror(-error), log.text()));
    }
  }
  if (rte_eth_dev_get_port_by_name(spec_.name.c_str(), &id_) != 0) {
    fail(spec_.is_pci
             ? "DPDK has not taken it; bind it to vfio-pci or uio_pci_generic (dpdk-devbind.py) and check "
               "that its kind of NIC is among gate96's drivers"
             : "DPDK made no port of it");
  }
  plugged_ = true;
}

void Port::configure(rte_mempool* pool) {
  const EalLog log;
  auto check = [&](int error, std::string_view what) {
    if (error < 0) fail(fmt::format("{}: {} {}", what, rte_strerror(-error), log.text()));
  };
  rte_eth_dev_info device{};
  check(rte_eth_dev_info_get(id_, &device), "cannot ask the device");
  if (num_queues_ > std::min(device.max_rx_queues, device.max_tx_queues)) {
    num_queues_ = std::min(device.max_rx_queues, device.max_tx_queues);
  }
  info_.num_queues = num_queues_;
  rte_eth_conf conf{};
  const auto queues = static_cast<std::uint16_t>(num_queues_);
  check(rte_eth_dev_configure(id_, queues, queues, &conf), "cannot configure");
  const std::uint32_t max_mtu = device.max_mtu == 0 ? UINT16_MAX : device.max_mtu;
  if (info_.mtu > max_mtu) fail(fmt::format("mtu = {}: the device takes at most {}", info_.mtu, max_mtu));
  if (const int error = rte_eth_dev_set_mtu(id_, static_cast<std::uint16_t>(info_.mtu)); error != -ENOTSUP) {
    check(error, fmt::format("cannot set mtu = {}", info_.mtu));
  }
  std::uint16_t num_rx = spec_.num_descriptors;
  std::uint16_t num_tx = spec_.num_descriptors;
  check(rte_eth_dev_adjust_nb_rx_tx_desc(id_, &num_rx, &num_tx), "cannot size the rings");
  for (std::uint16_t queue = 0; queue < queues; ++queue) {
    check(rte_eth_rx_queue_setup(id_, queue, num_rx, SOCKET_ID_ANY, nullptr, pool), "receive queue");
    check(rte_eth_tx_queue_setup(id_, queue, num_tx, SOCKET_ID_ANY, nullptr), "transmit queue");
  }
  kernel_base_ = interface_rx_packets(spec_.interface);
  check(rte_eth_dev_start(id_), "cannot start");
  rte_ether_addr mac{};
  check(rte_eth_macaddr_get(id_, &mac), "no MAC address");
  std::copy_n(mac.addr_bytes, 6, info_.mac.bytes.begin());
  if (info_.wire_peer)
    check(rte_eth_promiscuous_enable(id_), "cannot hear other stations' frames (a wire must)");
  const bool any_v6 =
      std::ranges::any_of(info_.addresses, [](const IpPrefix& a) { return !a.address.is_v4(); });
  if (any_v6) {
    info_.link_local = nd::link_local(info_.mac);
    rte_eth_allmulticast_enable(id_);  // neighbour discovery; virtual devices hear all groups anyway
  }
}

Port::~Port() {
  if (!plugged_) return;
  rte_eth_dev_stop(id_);
  rte_eth_dev_close(id_);
}

bool Port::link_up() const {
  rte_eth_link link{};
  return rte_eth_link_get_nowait(id_, &link) == 0 && link.link_status == RTE_ETH_LINK_UP;
}

std::uint64_t Port::kernel_rx_packets() const {
  return spec_.interface.empty() ? 0 : interface_rx_packets(spec_.interface) - kernel_base_;
}

}  // namespace gate96
