// SPDX-License-Identifier: BSD-3-Clause
// What the path's bench sends, and the configurations that meet it.
#include <rte_ip.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "dataplane/wire_format.h"
#include "tools/bench/path_rig.h"

namespace gate96::bench {
namespace {

constexpr std::uint32_t kFirstSpi = 0x1000;
constexpr std::size_t kEtherLen = 14;
constexpr const char* kUs = "192.0.2.1";
constexpr const char* kPeer = "192.0.2.2";
constexpr const char* kHost = "10.1.0.2";

IpAddress address(const char* text) {
  return *IpAddress::parse(text);
}

/// The far host of one SA: 10.2.0.0 and onwards.
IpAddress far_host(std::size_t sa) {
  IpAddress host = address("10.2.0.0");
  for (std::size_t byte = 3; byte > 0; --byte, sa >>= 8) {
    host.bytes[byte] = static_cast<std::uint8_t>(host.bytes[byte] + (sa & 0xff));
  }
  return host;
}

SecretKey key_of(std::size_t sa) {
  std::array<std::uint8_t, SecretKey::kLen> bytes = {0x96};
  std::memcpy(bytes.data() + 4, &sa, sizeof sa);
  return SecretKey(bytes);
}

Config two_ports(const char* own, const char* peer) {
  Config config;
  config.ports.resize(2);
  config.ports[0].name = "lan";
  config.ports[0].role = Role::kProtected;
  config.ports[0].addresses = {*IpPrefix::parse("10.1.0.1/24")};
  config.ports[0].neighbours = {{address(kHost), *MacAddress::parse("02:00:00:00:01:02")}};
  config.ports[1].name = "wan";
  config.ports[1].role = Role::kUnprotected;
  config.ports[1].addresses = {{address(own), 24}};
  config.ports[1].neighbours = {{address(peer), *MacAddress::parse("02:00:00:00:02:02")}};
  RouteConfig route;
  route.to = *IpPrefix::parse("10.0.0.0/8");
  route.via = address(peer);
  route.port = 1;
  config.routes = {route};
  return config;
}

/// Outbound SAs choose by the far host as destination, inbound ones (and their sender's) as source.
enum class FarIs { kSource, kDestination };

void add_sas(Config& config, Direction direction, const char* from, const char* to, FarIs far,
             std::size_t num, unsigned window) {
  for (std::size_t i = 0; i < num; ++i) {
    SaConfig sa;
    sa.name = "sa" + std::to_string(i);
    sa.direction = direction;
    sa.spi = kFirstSpi + static_cast<std::uint32_t>(i);
    sa.src = address(from);
    sa.dst = address(to);
    sa.key = key_of(i);
    sa.replay_window = window;
    config.sas.push_back(sa);
    PolicyConfig policy;
    policy.direction = direction;
    (far == FarIs::kSource ? policy.src : policy.dst) = IpPrefix{far_host(i), 32};
    policy.action = Action::kProtect;
    policy.sa = static_cast<std::uint32_t>(i);
    config.policies.push_back(policy);
  }
}

std::vector<std::uint8_t> udp_frame(std::size_t len, const IpAddress& src, const IpAddress& dst) {
  std::vector<std::uint8_t> frame(len);
  std::fill_n(frame.begin(), 6, std::uint8_t{0xff});  // reaches any port
  frame[6] = 2;
  frame[12] = 0x08;
  rte_ipv4_hdr ip{};
  ip.version_ihl = 0x45;
  ip.total_length = rte_cpu_to_be_16(static_cast<std::uint16_t>(len - kEtherLen));
  ip.time_to_live = 64;
  ip.next_proto_id = kProtoUdp;
  std::memcpy(&ip.src_addr, src.bytes.data(), 4);
  std::memcpy(&ip.dst_addr, dst.bytes.data(), 4);
  ip.hdr_checksum = rte_ipv4_cksum(&ip);
  std::memcpy(frame.data() + kEtherLen, &ip, sizeof ip);
  return frame;
}

std::vector<std::size_t> lengths(Size size, std::size_t num) {
  std::vector<std::size_t> all(num, size.bytes);
  if (!size.imix) return all;
  constexpr std::size_t kDozen[] = {64, 64, 64, 64, 64, 64, 64, 594, 594, 594, 594, 1418};
  for (std::size_t i = 0; i < num; ++i) all[i] = kDozen[i % 12];
  std::shuffle(all.begin(), all.end(), std::mt19937(96));
  return all;
}

}  // namespace

std::string name(PathCase which) {
  constexpr const char* kNames[] = {"bypass", "protect", "verify", "verify-fresh"};
  return kNames[static_cast<std::size_t>(which)];
}

Config path_config(PathCase which, std::size_t sas) {
  Config config = two_ports(kUs, kPeer);
  if (which == PathCase::kBypass) {
    PolicyConfig policy;
    policy.action = Action::kBypass;
    config.policies = {policy};
  } else if (which == PathCase::kProtect) {
    add_sas(config, Direction::kOut, kUs, kPeer, FarIs::kDestination, sas, 0);
  } else {
    add_sas(config, Direction::kIn, kPeer, kUs, FarIs::kSource, sas, which == PathCase::kVerify ? 0 : 64);
  }
  return config;
}

Config sealer_config(std::size_t sas) {
  Config config = two_ports(kPeer, kUs);
  add_sas(config, Direction::kOut, kPeer, kUs, FarIs::kSource, sas, 0);
  return config;
}

Frames clear_frames(PathCase which, Size size, std::size_t sas, std::size_t num) {
  const bool far_sends = which == PathCase::kVerify || which == PathCase::kVerifyFresh;
  Frames frames;
  std::size_t i = 0;
  for (const std::size_t len : lengths(size, num)) {
    const IpAddress far = far_host(i++ % sas);
    frames.push_back(far_sends ? udp_frame(len, far, address(kHost)) : udp_frame(len, address(kHost), far));
  }
  return frames;
}

}  // namespace gate96::bench
