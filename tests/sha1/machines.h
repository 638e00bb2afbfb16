// SPDX-License-Identifier: BSD-3-Clause
// CPUs and hypervisors as detection sees them: the feature bits of leaves 1 and 7.0, and XCR0. Other bits are
// left 0.
#pragma once

#include <string>
#include <vector>

#include "sha1/cpu.h"

namespace gate96::sha1 {

// Leaf 1 ECX and EDX (Intel SDM volume 2, CPUID).
inline constexpr std::uint32_t kSse2Edx = 1u << 26;
inline constexpr std::uint32_t kSsse3Ecx = 1u << 9, kSse41Ecx = 1u << 19, kMovbeEcx = 1u << 22;
inline constexpr std::uint32_t kOsxsaveEcx = 1u << 27, kAvxEcx = 1u << 28;
// Leaf 7.0 EBX and ECX.
inline constexpr std::uint32_t kBmi1Ebx = 1u << 3, kAvx2Ebx = 1u << 5, kBmi2Ebx = 1u << 8,
                               kAvx512fEbx = 1u << 16;
inline constexpr std::uint32_t kShaEbx = 1u << 29, kAvx512bwEbx = 1u << 30, kAvx512vlEbx = 1u << 31;
inline constexpr std::uint32_t kVbmiEcx = 1u << 1, kVbmi2Ecx = 1u << 6;

inline constexpr std::uint32_t kSse4 = kSsse3Ecx | kSse41Ecx;
inline constexpr std::uint32_t kAvxOs = kSse4 | kOsxsaveEcx | kAvxEcx;
inline constexpr std::uint32_t kHaswellEcx = kAvxOs | kMovbeEcx;
inline constexpr std::uint32_t kHaswellEbx = kBmi1Ebx | kAvx2Ebx | kBmi2Ebx;
inline constexpr std::uint32_t kSkylakeXEbx = kHaswellEbx | kAvx512fEbx | kAvx512bwEbx | kAvx512vlEbx;

struct Machine {
  std::string name;
  std::uint32_t max_leaf;   // 0: there is no CPUID
  std::uint32_t signature;  // leaf 1 EAX: family in bits 8 to 11
  std::uint32_t ecx1, edx1, ebx7, ecx7;
  std::uint64_t xcr0;
  std::string scalar, vector;      // the backends that x86-64 builds must choose
  std::vector<std::string> lanes;  // and the multi-buffer ones that may run
};

inline CpuTable table_of(const Machine& m) {
  CpuTable table;
  if (m.max_leaf == 0) return table;
  table.leaves = {
      {0, 0, m.max_leaf, 0, 0, 0}, {1, 0, m.signature, 0, m.ecx1, m.edx1}, {7, 0, 0, m.ebx7, m.ecx7, 0}};
  table.xcr0 = m.xcr0;
  return table;
}

[[nodiscard]] std::vector<Machine> machines();

}  // namespace gate96::sha1
