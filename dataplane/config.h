// SPDX-License-Identifier: BSD-3-Clause
// The configuration as plain values. config_load.cpp reads it from TOML and checks it; nothing here knows TOML.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dataplane/address.h"
#include "dataplane/secret.h"

namespace gate96 {

enum class Idle { kSleep, kPoll };
enum class Role { kProtected, kUnprotected };
enum class Direction { kIn, kOut, kBoth };
enum class Mode { kTunnel, kTransport };
enum class Action { kProtect, kBypass, kDiscard };

struct GatewayConfig {
  std::string name = "gate96";     // also the DPDK file prefix: gate96-NAME
  std::string control;             // socket path; default /run/gate96/NAME.sock
  unsigned workers = 1;            // 1..16
  unsigned burst = 32;             // packets a receive call, 1..256
  Idle idle = Idle::kSleep;
  std::string backend = "auto";
};

struct EalConfig {
  bool hugepages = false;
  unsigned memory_mb = 512;        // 64..1048576
  std::vector<std::string> extra;  // further EAL arguments, verbatim
};

struct NeighbourConfig {
  IpAddress address;
  MacAddress mac;
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
  std::uint32_t protected_port = 0;    // indices into ports
  std::uint32_t unprotected_port = 0;
};

struct SaConfig {
  std::string name;
  Direction direction = Direction::kOut;
  std::uint32_t spi = 0;  // 256..0xffffffff
  Mode mode = Mode::kTunnel;
  IpAddress src;  // tunnel ends, or the hosts of a transport SA
  IpAddress dst;
  SecretKey key;  // 20 bytes
  unsigned replay_window = 64;  // 0, or 32..65536
  bool esn = false;
};

struct PortRange {
  std::uint16_t low = 0;
  std::uint16_t high = 65535;
};

struct PolicyConfig {
  Direction direction = Direction::kOut;
  std::uint32_t priority = 0;             // lower first; equal: file order
  std::optional<IpPrefix> src;            // none: any
  std::optional<IpPrefix> dst;
  std::optional<std::uint8_t> protocol;   // none: any
  std::optional<PortRange> src_ports;     // none: any, fragments and port-less protocols included
  std::optional<PortRange> dst_ports;
  Action action = Action::kDiscard;
  std::optional<std::uint32_t> sa;        // index into sas, for kProtect
};

struct Config {
  std::string file;
  GatewayConfig gateway;
  EalConfig eal;
  std::vector<PortConfig> ports;
  std::vector<WireConfig> wires;
  std::vector<RouteConfig> routes;
  std::vector<SaConfig> sas;
  std::vector<PolicyConfig> policies;
};

}  // namespace gate96
