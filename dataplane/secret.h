// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace gate96 {

/// A 20-byte HMAC-SHA1 key (RFC 2404 3) that wipes itself. It has no print function on purpose.
class SecretKey {
 public:
  static constexpr std::size_t kLen = 20;

  SecretKey() = default;
  explicit SecretKey(std::span<const std::uint8_t, kLen> bytes);
  SecretKey(const SecretKey&) = default;
  SecretKey& operator=(const SecretKey&) = default;
  ~SecretKey();

  [[nodiscard]] std::span<const std::uint8_t, kLen> bytes() const { return bytes_; }
  bool operator==(const SecretKey& other) const;  // constant time

 private:
  std::array<std::uint8_t, kLen> bytes_{};
};

}  // namespace gate96
