// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/device.h"

#include <fmt/format.h>
#include <net/if.h>
#include <sys/capability.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <vector>

namespace gate96 {
namespace {

// Measured: with 512 frames (the driver's default) TCP loses packets in the ring silently; with 4096 none.
constexpr unsigned kAfPacketFrames = 4096;
// As many buffers as the driver lends the kernel. Measured (tools/lab iperf --seconds 3): with 1024, 7,689
// TCP retransmits; with 2048, none.
constexpr std::uint16_t kAfXdpDescriptors = 2048;
constexpr unsigned kTpacketOverhead = 128;  // TPACKET2 header, alignment and Ethernet before the payload
constexpr unsigned kMaxL2 = 22;

bool is_kind(const PortConfig& port, std::string_view kind) {
  return port.device.starts_with(std::string(kind) + ":");
}

std::string argument(const PortConfig& port) {
  const auto colon = port.device.find(':');
  return colon == std::string::npos ? "" : port.device.substr(colon + 1);
}

std::string af_packet_args(const std::string& interface, unsigned mtu, unsigned num_queues) {
  const unsigned frame = std::bit_ceil(std::max(2048u, mtu + kMaxL2 + kTpacketOverhead));
  return fmt::format("iface={},qpairs={},framesz={},blocksz={},framecnt={},qdisc_bypass=1", interface,
                     num_queues, frame, std::max(4096u, frame), kAfPacketFrames);
}

std::string pcap_args(const std::string& files) {
  const auto comma = files.find(',');
  return fmt::format("rx_pcap={},tx_pcap={}", files.substr(0, comma), files.substr(comma + 1));
}

bool may_open_packet_sockets() {
  const int fd = socket(AF_PACKET, SOCK_RAW, 0);
  if (fd >= 0) close(fd);
  return fd >= 0 || errno != EPERM;
}

bool has(cap_value_t capability) {
  const std::unique_ptr<std::remove_pointer_t<cap_t>, int (*)(void*)> ours(cap_get_proc(), cap_free);
  cap_flag_value_t value = CAP_CLEAR;
  return ours != nullptr && cap_get_flag(ours.get(), capability, CAP_EFFECTIVE, &value) == 0 &&
         value == CAP_SET;
}

bool may_lock_memory() {
  rlimit limit{};
  return has(CAP_IPC_LOCK) || (getrlimit(RLIMIT_MEMLOCK, &limit) == 0 && limit.rlim_cur == RLIM_INFINITY);
}

/// Loading the XDP program takes CAP_SYS_ADMIN: with CAP_BPF and CAP_PERFMON alone libxdp cannot look it up
/// again.
std::string missing_for_xdp() {
  std::vector<std::string_view> missing;
  if (!has(CAP_NET_ADMIN)) missing.emplace_back("CAP_NET_ADMIN");
  if (!has(CAP_SYS_ADMIN)) missing.emplace_back("CAP_SYS_ADMIN");
  if (!may_lock_memory()) missing.emplace_back("CAP_IPC_LOCK");
  return fmt::format("{}", fmt::join(missing, ", "));
}

}  // namespace

Device make_device(const PortConfig& port, unsigned index, unsigned num_queues) {
  const std::string arg = argument(port);
  if (is_kind(port, "af_packet")) {
    return {fmt::format("net_af_packet{}", index), af_packet_args(arg, port.mtu, num_queues), arg};
  }
  if (is_kind(port, "af_xdp")) {
    return {fmt::format("net_af_xdp{}", index), fmt::format("iface={},queue_count={}", arg, num_queues), arg,
            false, kAfXdpDescriptors};
  }
  if (is_kind(port, "tap")) return {fmt::format("net_tap{}", index), fmt::format("iface={}", arg), arg};
  if (is_kind(port, "pcap")) return {fmt::format("net_pcap{}", index), pcap_args(arg), ""};
  if (is_kind(port, "pci")) return {arg.size() < 12 ? "0000:" + arg : arg, "", "", true};
  // Without no-rx the driver makes up frames without end.
  if (port.device == "null") return {fmt::format("net_null{}", index), "no-rx=1", ""};
  const auto comma = port.device.find(',');
  return {port.device.substr(0, comma), comma == std::string::npos ? "" : port.device.substr(comma + 1), ""};
}

std::string obstacle(const PortConfig& port, const Device& device) {
  const bool on_interface = is_kind(port, "af_packet") || is_kind(port, "af_xdp");
  const bool exists = !device.interface.empty() && if_nametoindex(device.interface.c_str()) != 0;
  if (on_interface && !exists) {
    return fmt::format("there is no interface {} here; `ip link` lists those of this network namespace",
                       device.interface);
  }
  if (on_interface && !may_open_packet_sockets()) {
    return "no permission to open packet sockets; run as root or give gate96 CAP_NET_RAW";
  }
  if (is_kind(port, "af_xdp")) {
    if (const std::string missing = missing_for_xdp(); !missing.empty()) {
      return fmt::format("no permission for an XDP socket; run as root or give gate96 {}", missing);
    }
  }
  if (is_kind(port, "tap")) {
    if (exists)
      return fmt::format("the name {} is in use; choose another or remove that interface", device.interface);
    if (access("/dev/net/tun", R_OK | W_OK) != 0) {
      return "/dev/net/tun is missing or closed to us; run as root (modprobe tun) or give gate96 "
             "CAP_NET_ADMIN";
    }
  }
  if (is_kind(port, "pcap")) {
    const std::string file = argument(port).substr(0, argument(port).find(','));
    if (access(file.c_str(), R_OK) != 0) return fmt::format("cannot read the capture {}", file);
  }
  if (device.is_pci && !std::filesystem::exists("/sys/bus/pci/devices/" + device.name)) {
    return fmt::format("there is no PCI device {}; `lspci -D` lists them", device.name);
  }
  return "";
}

}  // namespace gate96
