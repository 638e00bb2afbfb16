// SPDX-License-Identifier: BSD-3-Clause
// Register state as the XSAVE family divides it (Intel SDM vol. 1, 13.1). PKRU and AMX are never touched.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gate96::fpu {

/// The widest registers in use.
enum class Width : std::uint8_t { kSse, kAvx, kAvx512 };

inline constexpr std::uint64_t kMaskSse = 0x3;      // x87 and XMM
inline constexpr std::uint64_t kMaskAvx = 0x7;      // and the upper halves of YMM
inline constexpr std::uint64_t kMaskAvx512 = 0xe7;  // and opmask, the upper halves of ZMM0-15, ZMM16-31

constexpr std::uint64_t mask_of(Width width) {
  return width == Width::kSse ? kMaskSse : width == Width::kAvx ? kMaskAvx : kMaskAvx512;
}

/// Bytes that one SAVE or RESTORE moves: legacy region and header, then the components, compacted (13.4.3).
constexpr std::size_t state_len(Width width) {
  return width == Width::kSse ? 576 : width == Width::kAvx ? 832 : 2432;
}

inline constexpr std::size_t kHalfLen = 128;  // sparc64: 32 single registers

}  // namespace gate96::fpu
