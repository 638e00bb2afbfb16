// SPDX-License-Identifier: BSD-3-Clause
#include "tools/bench/evict.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace gate96::bench {
namespace {

constexpr std::size_t kLineLen = 64;
constexpr std::uint8_t kJumpToNextLine[] = {0xeb, kLineLen - 2};  // jmp rel8
constexpr std::uint8_t kReturn = 0xc3;

/// Four times a cache's size, or four times `fallback` where the system does not know.
std::size_t four_times(int cache, std::size_t fallback) {
  const long size = sysconf(cache);
  return 4 * (size > 0 ? static_cast<std::size_t>(size) : fallback);
}

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

}  // namespace

Evictor::Evictor()
    : data_(four_times(_SC_LEVEL2_CACHE_SIZE, std::size_t{1} << 20)),
      code_len_(four_times(_SC_LEVEL1_ICACHE_SIZE, std::size_t{32} << 10)) {
  void* pages = mmap(nullptr, code_len_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) fail("mmap");
  code_ = static_cast<std::uint8_t*>(pages);
  for (std::size_t at = 0; at + kLineLen < code_len_; at += kLineLen) {
    std::memcpy(code_ + at, kJumpToNextLine, sizeof kJumpToNextLine);
  }
  code_[code_len_ - kLineLen] = kReturn;
  if (mprotect(pages, code_len_, PROT_READ | PROT_EXEC) != 0) fail("mprotect");
}

Evictor::~Evictor() {
  munmap(code_, code_len_);
}

void Evictor::evict() {
  for (std::size_t at = 0; at < data_.size(); at += kLineLen) ++data_[at];
  void (*run)() = nullptr;
  std::memcpy(&run, &code_, sizeof run);
  run();
}

}  // namespace gate96::bench
