// SPDX-License-Identifier: BSD-3-Clause
// An ethdev port: brought up by its configuration, stopped and closed at its end.
#pragma once

#include <rte_mempool.h>

#include <cstdint>
#include <string>

#include "dataplane/config.h"
#include "dataplane/device.h"
#include "dataplane/port_info.h"

namespace gate96 {

class Port {
 public:
  /// Of config.ports[index]. `num_queues`: receive and transmit queues, one a worker. Throws
  /// std::runtime_error that names the port, the device, the cause and what to do.
  Port(const Config& config, unsigned index, unsigned num_queues, rte_mempool* pool);
  ~Port();
  Port(const Port&) = delete;
  Port& operator=(const Port&) = delete;

  [[nodiscard]] std::uint16_t id() const { return id_; }  // DPDK's
  [[nodiscard]] const PortInfo& info() const { return info_; }
  [[nodiscard]] const std::string& device() const { return device_text_; }
  [[nodiscard]] unsigned num_queues() const { return num_queues_; }
  [[nodiscard]] bool link_up() const;

  /// Packets that the kernel interface has received since the port came up; 0 if there is no such interface.
  /// What is over the port's own count was lost in the packet socket's ring, which the driver does not tell.
  [[nodiscard]] std::uint64_t kernel_rx_packets() const;

 private:
  void plug();
  void configure(rte_mempool* pool);
  [[noreturn]] void fail(const std::string& why) const;

  Device spec_;
  std::string device_text_;
  PortInfo info_;
  unsigned num_queues_;
  std::uint16_t id_ = 0;
  bool plugged_ = false;
  std::uint64_t kernel_base_ = 0;
};

}  // namespace gate96
