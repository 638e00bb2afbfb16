// SPDX-License-Identifier: BSD-3-Clause
// The configuration as plain values: what config_load.h gives after every check. Nothing here knows TOML.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dataplane/address.h"
#include "dataplane/secret.h"
#include "fpu/settings.h"

namespace gate96 {

enum class Idle { kSleep, kPoll };
enum class Role { kProtected, kUnprotected };
enum class Direction : std::uint8_t { kIn, kOut, kBoth };
enum class Mode : std::uint8_t { kTunnel, kTransport };
enum class Action : std::uint8_t { kProtect, kBypass, kDiscard };
enum class EspFragments { kReassemble, kDiscard };     // ESP that arrives in IP fragments (RFC 4303 3.4.1)
enum class Df : std::uint8_t { kCopy, kSet, kClear };  // the outer DF bit (RFC 4301 8.1)
enum class Ecn : std::uint8_t { kNormal, kCompatibility };  // ingress mode of a tunnel (RFC 6040 4.1)

inline constexpr std::size_t kMaxPorts = 16;

struct GatewayConfig {
  std::string name = "gate96";  // also the DPDK file prefix: gate96-NAME
  std::string control;          // socket path; default /run/gate96/NAME.sock
  unsigned workers = 1;         // 1..16
  unsigned burst = 64;          // packets a receive call at most, 1..256: see README, "Bursts"
  Idle idle = Idle::kSleep;
  std::string backend = "auto";
  EspFragments esp_fragments = EspFragments::kReassemble;
  std::string state_file;  // reserved sequence numbers and windows; empty: none is kept, on purpose
};

struct EalConfig {
  bool hugepages = false;
  unsigned memory_mb = 512;        // 64..1048576
  std::vector<std::string> extra;  // further EAL arguments, verbatim
};

struct NeighbourConfig {
  IpAddress address;
  MacAddress mac;

  bool operator==(const NeighbourConfig&) const = default;
};

struct PortConfig {
  std::string name;
  std::string device;  // "af_packet:IFACE", ..., or raw DPDK devargs
  Role role = Role::kProtected;
  std::vector<IpPrefix> addresses;  // host bits kept
  unsigned mtu = 1500;              // 576..9600; IP bytes
  std::vector<NeighbourConfig> neighbours;
};

struct RouteConfig {
  IpPrefix to;
  std::optional<IpAddress> via;  // none: on link
  std::uint32_t port = 0;        // index into ports
};

struct WireConfig {
  std::uint32_t protected_port = 0;  // indices into ports
  std::uint32_t unprotected_port = 0;

  bool operator==(const WireConfig&) const = default;
};

/// When an SA is used up. The soft limit raises an event once, the hard one stops the SA.
struct Lifetime {
  std::optional<std::uint64_t> soft;
  std::optional<std::uint64_t> hard;  // never below soft

  bool operator==(const Lifetime&) const = default;
};

/// ESP in UDP (RFC 3948). Ports as this gateway sends them; inbound, the peer's come as the NAT left them.
struct UdpEncapConfig {
  std::uint16_t src_port = 4500;
  std::uint16_t dst_port = 4500;
  unsigned keepalive_seconds = 20;  // 0: none (RFC 3948 4)

  bool operator==(const UdpEncapConfig&) const = default;
};

struct SaConfig {
  std::string name;
  Direction direction = Direction::kOut;
  std::uint32_t spi = 0;  // 256..0xffffffff
  Mode mode = Mode::kTunnel;
  IpAddress src;  // tunnel ends, or the hosts of a transport SA; unspecified: any source (multicast dst only)
  IpAddress dst;
  SecretKey key;                // 20 bytes
  unsigned replay_window = 64;  // 0, or 32..65536; 0 unless given where several hosts send (RFC 4303 2.2)
  bool esn = false;
  std::uint64_t seq_start = 1;  // the first number sent; inbound, the first one expected
  std::optional<UdpEncapConfig> udp_encap;
  unsigned tfc = 0;  // pad the payload to this length (RFC 4303 2.7); 0: not
  Df df = Df::kCopy;
  std::optional<std::uint8_t> dscp;  // of the outer header, 0..63; none: copied
  Ecn ecn = Ecn::kNormal;
  Lifetime life_bytes;
  Lifetime life_packets;
  Lifetime life_seconds;

  bool operator==(const SaConfig&) const = default;
};

struct PortRange {
  std::uint16_t low = 0;
  std::uint16_t high = 65535;
};

struct PolicyConfig {
  Direction direction = Direction::kOut;
  std::uint32_t priority = 0;   // lower first; equal: file order
  std::optional<IpPrefix> src;  // none: any
  std::optional<IpPrefix> dst;
  std::optional<std::uint8_t> protocol;  // none: any
  std::optional<PortRange> src_ports;    // none: any, fragments and port-less protocols included
  std::optional<PortRange> dst_ports;
  std::optional<PortRange> icmp_type;  // 0..255; for icmp and icmpv6
  std::optional<PortRange> icmp_code;
  Action action = Action::kDiscard;
  std::optional<std::uint32_t> sa;  // index into sas, for kProtect
};

struct Config {
  std::string file;
  GatewayConfig gateway;
  EalConfig eal;
  fpu::FpuConfig fpu;
  std::vector<PortConfig> ports;
  std::vector<WireConfig> wires;
  std::vector<RouteConfig> routes;
  std::vector<SaConfig> sas;
  std::vector<PolicyConfig> policies;
  std::optional<double> simd_off_rate;  // of the command line, not of the file
};

/// `gate96 run --simd-off-rate`: stands in the place of fpu.simd_off_rate, after a reload too.
inline void set_simd_off_rate(Config& config, std::optional<double> rate) {
  config.simd_off_rate = rate;
  if (rate) config.fpu.simd_off_rate = *rate;
}

}  // namespace gate96
