// SPDX-License-Identifier: BSD-3-Clause
#include "sha1/backends.h"

#include <array>

#include "asm/functions.h"
#include "sha1/portable.h"

// The linker marks the ends of a section whose name is a C identifier.
extern "C" {
extern const char __start_sha1_generic_code[];
extern const char __stop_sha1_generic_code[];
extern const char __start_sha1_unrolled_code[];
extern const char __stop_sha1_unrolled_code[];
#if defined(__x86_64__)
extern const char __start_sha1_unrolled_bmi2_code[];
extern const char __stop_sha1_unrolled_bmi2_code[];
#endif
}

namespace gate96::sha1 {
namespace {

using enum Feature;
using enum Registers;

std::size_t bytes(const char* begin, const char* end) {
  return static_cast<std::size_t>(end - begin);
}

template <typename Fn>
std::size_t bytes(Fn* begin, const char* end) {
  return bytes(reinterpret_cast<const char*>(begin), end);
}

Backend one_stream(std::string_view name, FeatureSet needs, Registers registers, BlockFn fn,
                   std::size_t size) {
  return {name, 1, needs, registers, fn, nullptr, size};
}

#if defined(__x86_64__)
Backend in_lanes(std::string_view name, unsigned lanes, FeatureSet needs, LaneFn fn, std::size_t size) {
  return {name, lanes, needs, kVector, nullptr, fn, size};
}
#endif

// clang-format off
#define CPP_FN(name) name, bytes(__start_sha1_##name##_code, __stop_sha1_##name##_code)
#define ASM_FN(name) gate96_sha1_##name, bytes(gate96_sha1_##name, gate96_sha1_##name##_end)
#define LOOP_FN(name) gate96_sha1_##name, bytes(gate96_sha1_##name, gate96_sha1_##name##_end) + \
                                          bytes(gate96_sha1_##name##_rounds, gate96_sha1_##name##_rounds_end)

const auto& rows() {
  static const std::array table = {
      one_stream("generic", {}, kScalar, CPP_FN(generic)),
      one_stream("unrolled", {}, kScalar, CPP_FN(unrolled)),
#if defined(__x86_64__)
      one_stream("unrolled_bmi2", {kBmi1, kBmi2}, kScalar, CPP_FN(unrolled_bmi2)),
      one_stream("x86_64", {}, kScalar, ASM_FN(x86_64)),
      one_stream("ssse3", {kSsse3}, kVector, ASM_FN(ssse3)),
      one_stream("avx", {kAvx}, kVector, ASM_FN(avx)),
      one_stream("avx2", {kAvx2, kBmi2}, kVector, ASM_FN(avx2)),
      one_stream("sha_ni", {kSha, kSsse3, kSse41}, kVector, ASM_FN(sha_ni)),
      in_lanes("sha_ni_x2", 2, {kSha, kSsse3, kSse41}, ASM_FN(sha_ni_x2)),
      in_lanes("sha_ni_x4", 4, {kSha, kSsse3, kSse41}, ASM_FN(sha_ni_x4)),
      in_lanes("avx2_x8", 8, {kAvx2, kMovbe}, ASM_FN(avx2_x8)),
      in_lanes("avx512vl_x8", 8, {kAvx512vl, kAvx512f, kAvx2, kMovbe}, ASM_FN(avx512vl_x8)),
      in_lanes("avx512_x16", 16, {kAvx512f, kAvx2, kMovbe}, ASM_FN(avx512_x16)),
      in_lanes("avx512_loop_x16", 16, {kAvx512f, kAvx512bw}, LOOP_FN(avx512_loop_x16)),
      in_lanes("avx512_loop_x32", 32, {kAvx512f, kAvx512bw}, LOOP_FN(avx512_loop_x32)),
#elif defined(__i386__)
      one_stream("i486", {kBswap}, kScalar, ASM_FN(i486)),
#endif
  };
  return table;
}
// clang-format on

}  // namespace

std::span<const Backend> backends() {
  return rows();
}

}  // namespace gate96::sha1
