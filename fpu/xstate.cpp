// SPDX-License-Identifier: BSD-3-Clause
#include "fpu/xstate.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#if defined(__x86_64__)
#include <cpuid.h>

extern "C" {
void gate96_xstate_xsave(void* area, std::uint64_t mask);
void gate96_xstate_xsaveopt(void* area, std::uint64_t mask);
void gate96_xstate_xsavec(void* area, std::uint64_t mask);
void gate96_xstate_xrstor(const void* area, std::uint64_t mask);
void gate96_xstate_touch(unsigned width);
void gate96_xstate_clean();
void gate96_xstate_half_save(void* half, unsigned upper);
void gate96_xstate_half_restore(const void* half, unsigned upper);
}
#endif

namespace gate96::fpu {
namespace {

constexpr std::size_t kLegacyLen = 512;  // what FXSAVE writes
constexpr std::size_t kHeaderLen = 64;
constexpr std::size_t kMxcsrAt = 24;
constexpr std::size_t kAreaAlign = 64;

#if defined(__x86_64__)
struct Leaf {
  unsigned eax, ebx, ecx, edx;
};

Leaf cpuid(unsigned leaf, unsigned subleaf) {
  Leaf out{};
  if (__get_cpuid_count(leaf, subleaf, &out.eax, &out.ebx, &out.ecx, &out.edx) == 0) return {};
  return out;
}

std::uint64_t xcr0() {
  if ((cpuid(1, 0).ecx & bit_OSXSAVE) == 0) return 0;
  unsigned low = 0, high = 0;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (static_cast<std::uint64_t>(high) << 32) | low;
}
#endif

}  // namespace

#if defined(__x86_64__)

std::uint64_t supported_mask(std::uint64_t mask) {
  static const std::uint64_t enabled = xcr0();
  return mask & enabled;
}

SaveBy supported_save(SaveBy wanted) {
  constexpr unsigned kHasXsaveopt = 1, kHasXsavec = 2;  // CPUID.(0Dh,1).EAX
  static const unsigned has = cpuid(0xd, 1).eax;
  if (wanted == SaveBy::kXsaveopt && (has & kHasXsaveopt) == 0) return SaveBy::kXsave;
  if (wanted == SaveBy::kXsavec && (has & kHasXsavec) == 0) return SaveBy::kXsave;
  return wanted;
}

std::size_t area_len(std::uint64_t mask, SaveBy by) {
  constexpr unsigned kAligned = 2;  // CPUID.(0Dh,i).ECX: begins at a multiple of 64 when packed
  std::size_t len = kLegacyLen + kHeaderLen;
  for (unsigned i = 2; i < 63; ++i) {
    if ((mask >> i & 1) == 0) continue;
    const Leaf component = cpuid(0xd, i);
    if (by != SaveBy::kXsavec) {
      len = std::max<std::size_t>(len, component.ebx + component.eax);
      continue;
    }
    if ((component.ecx & kAligned) != 0) len = (len + kAreaAlign - 1) & ~(kAreaAlign - 1);
    len += component.eax;
  }
  return len;
}

void StateArea::save() {
  switch (by_) {
    case SaveBy::kXsave:
      return gate96_xstate_xsave(area_.get(), mask_);
    case SaveBy::kXsaveopt:
      return gate96_xstate_xsaveopt(area_.get(), mask_);
    case SaveBy::kXsavec:
      return gate96_xstate_xsavec(area_.get(), mask_);
  }
}

void StateArea::restore() {
  gate96_xstate_xrstor(area_.get(), mask_);
}

void touch_state(Width width) {
  while (width != Width::kSse && supported_mask(mask_of(width)) != mask_of(width)) {
    width = static_cast<Width>(static_cast<unsigned>(width) - 1);
  }
  gate96_xstate_touch(static_cast<unsigned>(width));
}

void clean_upper() {
  if (supported_mask(kMaskAvx) == kMaskAvx) gate96_xstate_clean();
}

void save_half(std::uint8_t* half, bool upper) {
  gate96_xstate_half_save(half, upper ? 1 : 0);
}
void restore_half(const std::uint8_t* half, bool upper) {
  gate96_xstate_half_restore(half, upper ? 1 : 0);
}

#else

std::uint64_t supported_mask(std::uint64_t) {
  return 0;
}
SaveBy supported_save(SaveBy) {
  return SaveBy::kXsave;
}
std::size_t area_len(std::uint64_t, SaveBy) {
  return kLegacyLen + kHeaderLen;
}
void StateArea::save() {}
void StateArea::restore() {}
void touch_state(Width) {}
void clean_upper() {}
void save_half(std::uint8_t*, bool) {}
void restore_half(const std::uint8_t*, bool) {}

#endif

void StateArea::Free::operator()(std::uint8_t* area) const {
  std::free(area);
}

StateArea::StateArea(std::uint64_t mask, SaveBy by)
    : mask_(supported_mask(mask)), by_(by), len_(area_len(mask_, by)) {
  const std::size_t rounded = (len_ + kAreaAlign - 1) & ~(kAreaAlign - 1);
  area_.reset(static_cast<std::uint8_t*>(std::aligned_alloc(kAreaAlign, rounded)));
  if (!area_) std::abort();
  std::memset(area_.get(), 0, rounded);
  constexpr std::uint32_t kDefaultMxcsr = 0x1f80;
  std::memcpy(area_.get() + kMxcsrAt, &kDefaultMxcsr, sizeof kDefaultMxcsr);
}

}  // namespace gate96::fpu
