// SPDX-License-Identifier: BSD-3-Clause
// IP and MAC addresses and prefixes as values: parse, print, compare.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gate96 {

enum class Family : std::uint8_t { kIpv4 = 4, kIpv6 = 6 };

/// An IPv4 or IPv6 address in network byte order. IPv4 fills bytes[0..3]; the rest is zero.
struct IpAddress {
  Family family = Family::kIpv4;
  std::array<std::uint8_t, 16> bytes{};

  auto operator<=>(const IpAddress&) const = default;

  [[nodiscard]] bool is_v4() const { return family == Family::kIpv4; }
  [[nodiscard]] bool is_multicast() const { return is_v4() ? (bytes[0] >> 4) == 0xe : bytes[0] == 0xff; }
  [[nodiscard]] bool is_unspecified() const { return bytes == std::array<std::uint8_t, 16>{}; }
  [[nodiscard]] bool is_link_local() const {
    return is_v4() ? bytes[0] == 169 && bytes[1] == 254 : bytes[0] == 0xfe && (bytes[1] & 0xc0) == 0x80;
  }

  /// nullopt unless `text` is one whole address.
  static std::optional<IpAddress> parse(std::string_view text);
  [[nodiscard]] std::string to_string() const;
};

/// An address and a prefix length. As an interface address the host bits are kept; as a selector they are
/// zero.
struct IpPrefix {
  IpAddress address;
  std::uint8_t len = 0;  // 0..32 or 0..128

  auto operator<=>(const IpPrefix&) const = default;

  [[nodiscard]] bool contains(const IpAddress& other) const;
  [[nodiscard]] IpPrefix network() const;  // host bits cleared

  /// "10.0.0.0/8", "2001:db8::/32", or an address alone (its full length).
  static std::optional<IpPrefix> parse(std::string_view text);
  [[nodiscard]] std::string to_string() const;
};

struct MacAddress {
  std::array<std::uint8_t, 6> bytes{};

  auto operator<=>(const MacAddress&) const = default;

  static std::optional<MacAddress> parse(std::string_view text);
  [[nodiscard]] std::string to_string() const;
};

}  // namespace gate96
