// SPDX-License-Identifier: BSD-3-Clause
// What port.device means to DPDK.
#pragma once

#include <cstdint>
#include <string>

#include "dataplane/config.h"

namespace gate96 {

struct Device {
  std::string name;       // by which DPDK knows it: "net_af_packet0", a PCI address
  std::string args;       // devargs for the hotplug of a virtual device
  std::string interface;  // kernel interface that must exist, or whose name must be free; or empty
  bool is_pci = false;
  std::uint16_t num_descriptors = 1024;  // asked for in each receive and transmit ring
};

/// `index`: the port's place in the configuration, which makes the name unique. `num_queues`: one a worker.
[[nodiscard]] Device make_device(const PortConfig& port, unsigned index, unsigned num_queues);

/// Why the device cannot come up, as far as that can be told beforehand, with what to do; empty: nothing
/// known.
[[nodiscard]] std::string obstacle(const PortConfig& port, const Device& device);

}  // namespace gate96
