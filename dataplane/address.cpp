// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/address.h"

#include <arpa/inet.h>

#include <charconv>
#include <cstdio>
#include <cstring>

namespace gate96 {
namespace {

unsigned max_len(Family family) {
  return family == Family::kIpv4 ? 32 : 128;
}

/// Clears all bits of `bytes` from bit `len` on.
void mask(std::array<std::uint8_t, 16>& bytes, unsigned len) {
  for (unsigned i = 0; i < bytes.size(); ++i) {
    const unsigned first = i * 8;
    if (len <= first) {
      bytes[i] = 0;
    } else if (len < first + 8) {
      bytes[i] &= static_cast<std::uint8_t>(0xff << (first + 8 - len));
    }
  }
}

}  // namespace

std::optional<IpAddress> IpAddress::parse(std::string_view text) {
  char buffer[INET6_ADDRSTRLEN];
  if (text.empty() || text.size() >= sizeof buffer || text.find('\0') != text.npos) return std::nullopt;
  std::memcpy(buffer, text.data(), text.size());
  buffer[text.size()] = '\0';
  IpAddress address;
  address.family = text.find(':') == text.npos ? Family::kIpv4 : Family::kIpv6;
  if (inet_pton(address.is_v4() ? AF_INET : AF_INET6, buffer, address.bytes.data()) != 1) return std::nullopt;
  return address;
}

std::string IpAddress::to_string() const {
  char buffer[INET6_ADDRSTRLEN];
  inet_ntop(is_v4() ? AF_INET : AF_INET6, bytes.data(), buffer, sizeof buffer);
  return buffer;
}

bool IpPrefix::contains(const IpAddress& other) const {
  if (other.family != address.family) return false;
  return IpPrefix{other, len}.network().address == network().address;
}

IpPrefix IpPrefix::network() const {
  IpPrefix result = *this;
  mask(result.address.bytes, len);
  return result;
}

std::optional<IpPrefix> IpPrefix::parse(std::string_view text) {
  const std::size_t slash = text.find('/');
  const auto address = IpAddress::parse(text.substr(0, slash));
  if (!address) return std::nullopt;
  unsigned len = max_len(address->family);
  if (slash != text.npos) {
    const char* const end = text.data() + text.size();
    const char* const begin = text.data() + slash + 1;
    if (begin == end || end - begin > 3) return std::nullopt;
    const auto [ptr, error] = std::from_chars(begin, end, len);
    if (error != std::errc{} || ptr != end || len > max_len(address->family)) return std::nullopt;
  }
  return IpPrefix{*address, static_cast<std::uint8_t>(len)};
}

std::string IpPrefix::to_string() const {
  return address.to_string() + "/" + std::to_string(len);
}

std::optional<MacAddress> MacAddress::parse(std::string_view text) {
  if (text.size() != 17) return std::nullopt;
  MacAddress mac;
  for (std::size_t i = 0; i < mac.bytes.size(); ++i) {
    const char* const digits = text.data() + 3 * i;
    if (i < 5 && digits[2] != ':') return std::nullopt;
    const auto [ptr, error] = std::from_chars(digits, digits + 2, mac.bytes[i], 16);
    if (error != std::errc{} || ptr != digits + 2) return std::nullopt;
  }
  return mac;
}

std::string MacAddress::to_string() const {
  char buffer[18];
  std::snprintf(buffer, sizeof buffer, "%02x:%02x:%02x:%02x:%02x:%02x", bytes[0], bytes[1], bytes[2],
                bytes[3], bytes[4], bytes[5]);
  return buffer;
}

}  // namespace gate96
