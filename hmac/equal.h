// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace gate96::hmac {

/// True if two tags of equal length are the same. Takes the same time wherever they differ, and reads all of
/// both; the length is not secret. Tags of different lengths are never equal; nor are empty ones, which prove
/// nothing.
[[nodiscard]] bool equal_tags(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b);

}  // namespace gate96::hmac
