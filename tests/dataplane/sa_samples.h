// SPDX-License-Identifier: BSD-3-Clause
// SAs for tests that need one but do not care which.
#pragma once

#include <array>

#include "dataplane/config.h"

namespace gate96 {

[[nodiscard]] inline SaConfig sample_sa(Direction direction, std::uint32_t spi = 0x1001) {
  SaConfig config;
  config.name = direction == Direction::kIn ? "from-peer" : "to-peer";
  config.direction = direction;
  config.spi = spi;
  config.src = *IpAddress::parse("192.0.2.1");
  config.dst = *IpAddress::parse("192.0.2.2");
  std::array<std::uint8_t, SecretKey::kLen> key{};
  key.fill(static_cast<std::uint8_t>(spi));
  config.key = SecretKey(key);
  return config;
}

}  // namespace gate96
