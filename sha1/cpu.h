// SPDX-License-Identifier: BSD-3-Clause
// What the CPU and the operating system allow. Detection works on a table of CPUID and XCR0 values, so that a
// test can be any machine.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace gate96::sha1 {

/// Instruction groups that some backend uses. AVX and beyond count as usable only if the OS saves their
/// registers.
enum class Feature : std::uint8_t {
  kBswap,  // i486 and later
  kSse2,
  kSsse3,
  kSse41,
  kMovbe,
  kBmi1,
  kBmi2,
  kSha,
  kAvx,
  kAvx2,
  kAvx512f,
  kAvx512bw,
  kAvx512vl,
  kAvx512vbmi,
  kAvx512vbmi2,
  kCount
};

/// The name in /proc/cpuinfo, "avx2" say.
[[nodiscard]] std::string_view name(Feature feature);

class FeatureSet {
 public:
  constexpr FeatureSet() = default;
  constexpr FeatureSet(std::initializer_list<Feature> features) {
    for (Feature f : features) bits_ |= bit(f);
  }
  constexpr void add(Feature f) { bits_ |= bit(f); }
  [[nodiscard]] constexpr bool has(Feature f) const { return (bits_ & bit(f)) != 0; }
  [[nodiscard]] constexpr bool has_all(FeatureSet other) const { return (other.bits_ & ~bits_) == 0; }
  [[nodiscard]] constexpr bool empty() const { return bits_ == 0; }
  [[nodiscard]] constexpr FeatureSet without(FeatureSet other) const {
    FeatureSet rest;
    rest.bits_ = bits_ & ~other.bits_;
    return rest;
  }
  [[nodiscard]] constexpr bool operator==(const FeatureSet&) const = default;

 private:
  static constexpr std::uint32_t bit(Feature f) { return 1u << static_cast<unsigned>(f); }
  std::uint32_t bits_ = 0;
};

/// "avx2 bmi2", in the order of the enum; "" for the empty set.
[[nodiscard]] std::string to_string(FeatureSet features);

/// The registers of one CPUID leaf. Subleaf 0 where the leaf has none.
struct CpuidLeaf {
  std::uint32_t leaf = 0;
  std::uint32_t subleaf = 0;
  std::uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
};

/// All that detection looks at: leaves 0, 1 and 7.0 (those that exist) and XCR0 (0 unless leaf 1 says
/// OSXSAVE).
struct CpuTable {
  std::vector<CpuidLeaf> leaves;
  std::uint64_t xcr0 = 0;
};

/// Reads this machine's table. XGETBV runs only if OSXSAVE allows it. Without CPUID the table is empty.
[[nodiscard]] CpuTable read_cpu();

struct Cpu {
  FeatureSet present;  // CPUID says so
  FeatureSet usable;   // and the OS has enabled the registers in XCR0
};

/// Intel SDM volume 1, 14.3 and 15.2: AVX wants OSXSAVE and XCR0 bits 1 and 2; AVX-512 bits 5 to 7 besides.
/// A feature whose foundation is missing (AVX2 without AVX, AVX-512 without AVX2) is not usable.
[[nodiscard]] Cpu detect(const CpuTable& table);

}  // namespace gate96::sha1
