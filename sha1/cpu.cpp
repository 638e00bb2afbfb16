// SPDX-License-Identifier: BSD-3-Clause
#include "sha1/cpu.h"

#include <cpuid.h>

#include <array>

namespace gate96::sha1 {
namespace {

enum class Register { kEbx, kEcx, kEdx };

// Which registers must be enabled in XCR0 before the feature's instructions may run.
enum class OsState { kNone, kYmm, kZmm };

struct Bit {
  Feature feature;
  std::string_view name;
  std::uint32_t leaf;
  Register reg;
  unsigned bit;
  OsState os;
  FeatureSet foundation;
};

// BSWAP has no CPUID bit of its own: it came with the i486, and so (almost) did CPUID.
constexpr std::array kBits = {
    Bit{Feature::kSse2, "sse2", 1, Register::kEdx, 26, OsState::kNone, {}},
    Bit{Feature::kSsse3, "ssse3", 1, Register::kEcx, 9, OsState::kNone, {}},
    Bit{Feature::kSse41, "sse4_1", 1, Register::kEcx, 19, OsState::kNone, {}},
    Bit{Feature::kMovbe, "movbe", 1, Register::kEcx, 22, OsState::kNone, {}},
    Bit{Feature::kBmi1, "bmi1", 7, Register::kEbx, 3, OsState::kNone, {}},
    Bit{Feature::kBmi2, "bmi2", 7, Register::kEbx, 8, OsState::kNone, {}},
    Bit{Feature::kSha, "sha_ni", 7, Register::kEbx, 29, OsState::kNone, {}},
    Bit{Feature::kAvx, "avx", 1, Register::kEcx, 28, OsState::kYmm, {}},
    Bit{Feature::kAvx2, "avx2", 7, Register::kEbx, 5, OsState::kYmm, {Feature::kAvx}},
    Bit{Feature::kAvx512f, "avx512f", 7, Register::kEbx, 16, OsState::kZmm, {Feature::kAvx2}},
    Bit{Feature::kAvx512bw, "avx512bw", 7, Register::kEbx, 30, OsState::kZmm, {Feature::kAvx512f}},
    Bit{Feature::kAvx512vl, "avx512vl", 7, Register::kEbx, 31, OsState::kZmm, {Feature::kAvx512f}},
    Bit{Feature::kAvx512vbmi, "avx512vbmi", 7, Register::kEcx, 1, OsState::kZmm, {Feature::kAvx512f}},
    Bit{Feature::kAvx512vbmi2, "avx512_vbmi2", 7, Register::kEcx, 6, OsState::kZmm, {Feature::kAvx512f}},
};
static_assert(kBits.size() + 1 == static_cast<std::size_t>(Feature::kCount));

constexpr std::uint32_t kOsxsave = 1u << 27;  // leaf 1 ECX
constexpr std::uint64_t kXcr0Ymm = 0x06;      // SSE, AVX
constexpr std::uint64_t kXcr0Zmm = 0xe6;      // and opmask, upper ZMM, ZMM16 to 31

CpuidLeaf find(const CpuTable& table, std::uint32_t leaf) {
  if (table.leaves.empty() || leaf > table.leaves.front().eax) return {};
  for (const CpuidLeaf& l : table.leaves) {
    if (l.leaf == leaf && l.subleaf == 0) return l;
  }
  return {};
}

bool is_set(const CpuidLeaf& leaf, Register reg, unsigned bit) {
  const std::uint32_t value = reg == Register::kEbx ? leaf.ebx : reg == Register::kEcx ? leaf.ecx : leaf.edx;
  return ((value >> bit) & 1) != 0;
}

bool enabled(OsState os, bool osxsave, std::uint64_t xcr0) {
  if (os == OsState::kNone) return true;
  const std::uint64_t need = os == OsState::kYmm ? kXcr0Ymm : kXcr0Zmm;
  return osxsave && (xcr0 & need) == need;
}

std::uint64_t read_xcr0() {
  std::uint32_t low = 0;
  std::uint32_t high = 0;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (static_cast<std::uint64_t>(high) << 32) | low;
}

}  // namespace

std::string_view name(Feature feature) {
  for (const Bit& b : kBits) {
    if (b.feature == feature) return b.name;
  }
  return "bswap";
}

std::string to_string(FeatureSet features) {
  std::string text;
  for (unsigned i = 0; i < static_cast<unsigned>(Feature::kCount); ++i) {
    const auto feature = static_cast<Feature>(i);
    if (!features.has(feature)) continue;
    if (!text.empty()) text += ' ';
    text += name(feature);
  }
  return text;
}

CpuTable read_cpu() {
  CpuTable table;
  const unsigned highest = __get_cpuid_max(0, nullptr);
  for (const std::uint32_t leaf : {0u, 1u, 7u}) {
    if (highest == 0 || leaf > highest) break;
    CpuidLeaf l{leaf, 0, 0, 0, 0, 0};
    __cpuid_count(leaf, 0, l.eax, l.ebx, l.ecx, l.edx);
    table.leaves.push_back(l);
  }
  if ((find(table, 1).ecx & kOsxsave) != 0) table.xcr0 = read_xcr0();
  return table;
}

Cpu detect(const CpuTable& table) {
  Cpu cpu;
  const CpuidLeaf leaf1 = find(table, 1);
  if (((leaf1.eax >> 8) & 0xf) >= 4) {
    cpu.present.add(Feature::kBswap);
    cpu.usable.add(Feature::kBswap);
  }
  const bool osxsave = (leaf1.ecx & kOsxsave) != 0;
  for (const Bit& b : kBits) {  // foundations come before what stands on them
    if (!is_set(find(table, b.leaf), b.reg, b.bit)) continue;
    cpu.present.add(b.feature);
    if (enabled(b.os, osxsave, table.xcr0) && cpu.usable.has_all(b.foundation)) cpu.usable.add(b.feature);
  }
  return cpu;
}

}  // namespace gate96::sha1
