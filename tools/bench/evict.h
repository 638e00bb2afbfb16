// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gate96::bench {

/// Takes the caches away from whoever ran last, as a busy kernel does: writes to four times the L2 cache, and
/// runs four times the L1 instruction cache of code, a jump a line, which empties decoded-instruction and
/// branch caches too. What was there is then in L3 at best.
class Evictor {
 public:
  Evictor();  // throws std::system_error
  ~Evictor();
  Evictor(const Evictor&) = delete;
  Evictor& operator=(const Evictor&) = delete;

  void evict();

 private:
  std::vector<std::uint8_t> data_;
  std::uint8_t* code_ = nullptr;
  std::size_t code_len_;
};

}  // namespace gate96::bench
