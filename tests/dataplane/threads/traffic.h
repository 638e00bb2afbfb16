// SPDX-License-Identifier: BSD-3-Clause
// Captures to load a gateway with.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gate96::test {

inline constexpr unsigned kNumSas = 4;  // each way; those of odd SPI have another owner than the even
inline constexpr std::uint32_t kOutSpi = 0x1000, kInSpi = 0x2000;  // of the first

[[nodiscard]] std::vector<std::uint8_t> key_of(std::uint32_t spi);

/// UDP from 10.1.0.2 to 10.2.N.2 for each outbound SA, of several lengths.
void write_lan(const std::string& file);

/// ESP of each inbound SA, sequence numbers 1 to `num_each`, UDP from 10.2.N.2 to 10.1.0.2 inside.
void write_wan(const std::string& file, std::uint32_t num_each);

}  // namespace gate96::test
