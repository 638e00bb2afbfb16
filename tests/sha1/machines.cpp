// SPDX-License-Identifier: BSD-3-Clause
#include "tests/sha1/machines.h"

namespace gate96::sha1 {
namespace {

using Names = std::vector<std::string>;
const Names kNoLanes;
const Names kShaLanes = {"sha_ni_x2", "sha_ni_x4"};
const Names kAvx2Lanes = {"avx2_x8"};
const Names kShaAvx2Lanes = {"sha_ni_x2", "sha_ni_x4", "avx2_x8"};
const Names kAvx512Lanes = {"avx2_x8", "avx512vl_x8", "avx512_x16", "avx512_loop_x16", "avx512_loop_x32"};
const Names kAllLanes = {"sha_ni_x2",  "sha_ni_x4",       "avx2_x8",        "avx512vl_x8",
                         "avx512_x16", "avx512_loop_x16", "avx512_loop_x32"};

constexpr std::uint32_t kFamily4 = 0x480, kFamily5 = 0x520, kFamily6 = 0x600, kFamily15 = 0xf00;

std::vector<Machine> bare_metal() {
  return {
      {"i486 without CPUID", 0, 0, 0, 0, 0, 0, 0, "x86_64", "", kNoLanes},
      {"i486DX4", 1, kFamily4, 0, 0, 0, 0, 0, "x86_64", "", kNoLanes},
      {"Pentium", 1, kFamily5, 0, 0, 0, 0, 0, "x86_64", "", kNoLanes},
      {"Pentium 4", 2, kFamily15, 0, kSse2Edx, 0, 0, 0, "x86_64", "", kNoLanes},
      {"Opteron, K8", 1, kFamily15, 0, kSse2Edx, 0, 0, 0, "x86_64", "", kNoLanes},
      {"Core 2", 0xa, kFamily6, kSsse3Ecx, kSse2Edx, 0, 0, 0, "x86_64", "ssse3", kNoLanes},
      {"Nehalem", 0xb, kFamily6, kSse4, kSse2Edx, 0, 0, 0, "x86_64", "ssse3", kNoLanes},
      {"Sandy Bridge", 0xd, kFamily6, kAvxOs, kSse2Edx, 0, 0, 7, "x86_64", "avx", kNoLanes},
      {"Bulldozer", 0xd, kFamily15, kAvxOs, kSse2Edx, 0, 0, 7, "x86_64", "avx", kNoLanes},
      {"Haswell", 0xd, kFamily6, kHaswellEcx, kSse2Edx, kHaswellEbx, 0, 7, "x86_64", "avx2", kAvx2Lanes},
      {"Skylake-X", 0x16, kFamily6, kHaswellEcx, kSse2Edx, kSkylakeXEbx, 0, 0xe7, "x86_64", "avx2",
       kAvx512Lanes},
      {"Knights Landing",
       0xd,
       kFamily6,
       kHaswellEcx,
       kSse2Edx,
       kHaswellEbx | kAvx512fEbx,
       0,
       0xe7,
       "x86_64",
       "avx2",
       {"avx2_x8", "avx512_x16"}},
      {"Ice Lake server", 0x1b, kFamily6, kHaswellEcx, kSse2Edx, kSkylakeXEbx | kShaEbx, kVbmiEcx | kVbmi2Ecx,
       0xe7, "x86_64", "sha_ni", kAllLanes},
      {"Alder Lake", 0x20, kFamily6, kHaswellEcx, kSse2Edx, kHaswellEbx | kShaEbx, 0, 7, "x86_64", "sha_ni",
       kShaAvx2Lanes},
      {"Goldmont, SHA without AVX", 0x15, kFamily6, kSse4 | kMovbeEcx | kOsxsaveEcx, kSse2Edx, kShaEbx, 0, 3,
       "x86_64", "sha_ni", kShaLanes},
      {"Zen 1", 0xd, kFamily15, kHaswellEcx, kSse2Edx, kHaswellEbx | kShaEbx, 0, 7, "x86_64", "sha_ni",
       kShaAvx2Lanes},
      {"Zen 4", 0x10, kFamily15, kHaswellEcx, kSse2Edx, kSkylakeXEbx | kShaEbx, kVbmiEcx | kVbmi2Ecx, 0xe7,
       "x86_64", "sha_ni", kAllLanes},
  };
}

// Where bits and registers are masked by a hypervisor, a kernel or a BIOS.
std::vector<Machine> masked() {
  return {
      {"QEMU qemu64", 0xd, kFamily15, 0, kSse2Edx, 0, 0, 0, "x86_64", "", kNoLanes},
      {"Linux with noxsave: no OSXSAVE", 0xd, kFamily6, kHaswellEcx & ~kOsxsaveEcx, kSse2Edx,
       kSkylakeXEbx | kShaEbx, 0, 0, "x86_64", "sha_ni", kShaLanes},
      {"Xen, XCR0 without AVX", 0xd, kFamily6, kHaswellEcx, kSse2Edx, kHaswellEbx, 0, 3, "x86_64", "ssse3",
       kNoLanes},
      {"XCR0 with AVX and without SSE", 0xd, kFamily6, kHaswellEcx, kSse2Edx, kHaswellEbx, 0, 5, "x86_64",
       "ssse3", kNoLanes},
      {"hypervisor, XCR0 without AVX-512", 0x16, kFamily6, kHaswellEcx, kSse2Edx, kSkylakeXEbx, 0, 7,
       "x86_64", "avx2", kAvx2Lanes},
      {"macOS guest, opmask not yet enabled", 0x16, kFamily6, kHaswellEcx, kSse2Edx, kSkylakeXEbx, 0, 0xc7,
       "x86_64", "avx2", kAvx2Lanes},
      {"AVX masked, AVX2 left", 0xd, kFamily6, kHaswellEcx & ~kAvxEcx, kSse2Edx, kHaswellEbx, 0, 7, "x86_64",
       "ssse3", kNoLanes},
      {"AVX2 without BMI2 and MOVBE", 0xd, kFamily6, kAvxOs, kSse2Edx, kAvx2Ebx, 0, 7, "x86_64", "avx",
       kNoLanes},
      {"BIOS limits CPUID to leaf 3", 3, kFamily6, kHaswellEcx, kSse2Edx, kHaswellEbx | kShaEbx, 0, 7,
       "x86_64", "avx", kNoLanes},
      {"SHA without SSE4.1", 0xd, kFamily15, kSsse3Ecx, kSse2Edx, kShaEbx, 0, 0, "x86_64", "ssse3", kNoLanes},
  };
}

}  // namespace

std::vector<Machine> machines() {
  std::vector<Machine> all = bare_metal();
  for (Machine& m : masked()) all.push_back(std::move(m));
  return all;
}

}  // namespace gate96::sha1
