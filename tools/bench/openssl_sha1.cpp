// SPDX-License-Identifier: BSD-3-Clause
#include "tools/bench/openssl_sha1.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <openssl/crypto.h>
#include <openssl/sha.h>

#include <charconv>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>

namespace gate96::bench {

static_assert(sizeof(SHA_CTX) <= sizeof(OpensslContext));

namespace {

// Bits of OPENSSL_ia32cap(3): the first word is CPUID.1 EDX and ECX, the second CPUID.7 EBX and ECX.
constexpr std::uint64_t kIntelCpu = 1ull << 30;  // set by OpenSSL on Intel CPUs; its AVX code wants it
constexpr std::uint64_t kSsse3 = 1ull << 41;
constexpr std::uint64_t kAvx = 1ull << 60;
constexpr std::uint64_t kAvx2 = 1ull << 5;
constexpr std::uint64_t kSha = 1ull << 29;

struct Mask {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  bool operator==(const Mask&) const = default;
};

/// From "OPENSSL_ia32cap=0x..:0x..", as OPENSSL_info() gives it.
Mask parse_mask(const char* text) {
  const std::string settings = text == nullptr ? "" : text;
  const std::size_t first = settings.find("=0x");
  const std::size_t second = settings.find(":0x");
  Mask mask;
  if (first == std::string::npos || second == std::string::npos) return mask;
  std::from_chars(settings.data() + first + 3, settings.data() + second, mask.first, 16);
  std::from_chars(settings.data() + second + 3, settings.data() + settings.size(), mask.second, 16);
  return mask;
}

Mask mask_of(Tier tier) {
  Mask mask = parse_mask(OPENSSL_info(OPENSSL_INFO_CPU_SETTINGS));
  if (tier < Tier::kShaNi) mask.second &= ~kSha;
  if (tier < Tier::kAvx2) mask.second &= ~kAvx2;
  if (tier == Tier::kAvx) mask.first |= kIntelCpu;
  if (tier < Tier::kAvx) mask.first &= ~kAvx;
  if (tier < Tier::kSsse3) mask.first &= ~kSsse3;
  return mask;
}

void* load(const Mask& mask) {
  const char* before = std::getenv("OPENSSL_ia32cap");
  const std::string saved = before == nullptr ? "" : before;
  setenv("OPENSSL_ia32cap", fmt::format("{:#x}:{:#x}", mask.first, mask.second).c_str(), 1);
  void* library = dlmopen(LM_ID_NEWLM, "libcrypto.so.3", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw std::runtime_error(fmt::format("dlmopen: {}", dlerror()));
  using InfoFn = const char* (*)(int);
  const auto info = reinterpret_cast<InfoFn>(dlsym(library, "OPENSSL_info"));
  const bool taken = info != nullptr && parse_mask(info(OPENSSL_INFO_CPU_SETTINGS)) == mask;
  if (before == nullptr) {
    unsetenv("OPENSSL_ia32cap");
  } else {
    setenv("OPENSSL_ia32cap", saved.c_str(), 1);
  }
  if (!taken) throw std::runtime_error("libcrypto did not take OPENSSL_ia32cap");
  return library;
}

template <typename Fn>
Fn symbol(void* library, const char* symbol_name) {
  void* found = dlsym(library, symbol_name);
  if (found == nullptr) throw std::runtime_error(fmt::format("libcrypto has no {}", symbol_name));
  return reinterpret_cast<Fn>(found);
}

}  // namespace

bool have_openssl() {
  return true;
}

OpensslSha1::OpensslSha1(Tier tier) {
  void* library = load(mask_of(tier));
  init_ = symbol<decltype(init_)>(library, "SHA1_Init");
  update_ = symbol<decltype(update_)>(library, "SHA1_Update");
  final_ = symbol<decltype(final_)>(library, "SHA1_Final");
}

sha1::Digest OpensslSha1::digest(std::span<const std::uint8_t> data) const {
  OpensslContext context;
  sha1::Digest result;
  init(context);
  update(context, data);
  final(context, result);
  return result;
}

const OpensslSha1& openssl_sha1(Tier tier) {
  static std::map<Tier, std::unique_ptr<OpensslSha1>> loaded;
  auto& library = loaded[tier];
  if (!library) library = std::make_unique<OpensslSha1>(tier);
  return *library;
}

}  // namespace gate96::bench
