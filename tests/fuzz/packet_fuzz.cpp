// SPDX-License-Identifier: BSD-3-Clause
// Frames of any content through a whole worker, both ways: the parsers, ESP, ND, ARP, ICMP, fragments, the
// wire.
//
// The input is records of an operation, a length of two bytes and a frame. Frames of one port in a row are
// one burst. At the end the verdicts that were ever reached are told: a fuzzer that stays at the doorstep
// shows. Seeds: packet_seeds.py.
#include <fmt/format.h>

#include <bitset>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "dataplane/eal.h"
#include "tests/dataplane/site.h"
#include "tests/fuzz/mend.h"

namespace {

enum Operation : std::uint8_t {
  kPortMask = 0x03,
  kMend = 0x04,      // sums and the ICV are right
  kNumber = 0x08,    // the ESP number is a fresh one
  kEndBurst = 0x10,  // after this frame
  kTick = 0x20,      // time passes after this frame
  kGrow = 0xc0,      // to a length by kLengths
};
constexpr std::size_t kLengths[] = {0, 1459, 1500, 9000};
constexpr std::size_t kMaxBurst = 32;
constexpr std::uint64_t kTickMs = 700;

class Fuzzed {
 public:
  Fuzzed() {
    gate96::Config config;
    gate96::make_offline(config, "fuzz");
    config.eal.memory_mb = 256;
    eal_ = std::make_unique<gate96::Eal>(config);
    site_ = std::make_unique<gate96::Site>(gate96::make_packet_pool(config), gate96::kSiteConfig);
    site_->keep_sent = false;
  }

  ~Fuzzed() {
    std::string never;
    std::size_t num = 0;
    for (std::size_t i = 0; i < gate96::kNumVerdicts; ++i) {
      const auto verdict = static_cast<gate96::Verdict>(i);
      if (reached_[i] || site_->ended(verdict) != 0) {
        ++num;
      } else {
        never += fmt::format(" {}", gate96::name(verdict));
      }
    }
    fmt::print(stderr, "verdicts reached: {} of {}; never:{}\n", num, gate96::kNumVerdicts, never);
  }

  void run(std::span<const std::uint8_t> input) {
    std::vector<gate96::Bytes> burst;
    std::uint8_t port = 0;
    while (input.size() > 3) {
      const std::uint8_t operation = input[0];
      if ((operation & kPortMask) != port) receive(port, burst);
      port = operation & kPortMask;
      const std::size_t len = std::min<std::size_t>(input.size() - 3, input[1] << 8 | input[2]);
      burst.push_back(frame(operation, input.subspan(3, len)));
      input = input.subspan(3 + len);
      if ((operation & kEndBurst) != 0 || burst.size() == kMaxBurst) receive(port, burst);
      if ((operation & kTick) != 0) site_->tick(now_ms_ += kTickMs);
    }
    receive(port, burst);
  }

 private:
  gate96::Bytes frame(std::uint8_t operation, std::span<const std::uint8_t> bytes) {
    gate96::Bytes made(bytes.begin(), bytes.end());
    if ((operation & kGrow) != 0) gate96::grow(made, kLengths[operation >> 6]);
    if ((operation & kMend) != 0) gate96::mend(made, (operation & kNumber) != 0 ? ++seq_ : 0);
    return made;
  }

  void receive(std::uint8_t port, std::vector<gate96::Bytes>& burst) {
    if (!burst.empty()) site_->receive(port, burst);
    burst.clear();
    if (site_->balance() != 0) std::abort();
    for (std::size_t i = 0; i < gate96::kNumVerdicts; ++i) {  // held goes down again
      if (site_->ended(static_cast<gate96::Verdict>(i)) != 0) reached_.set(i);
    }
  }

  std::unique_ptr<gate96::Eal> eal_;
  std::unique_ptr<gate96::Site> site_;
  std::bitset<gate96::kNumVerdicts> reached_;
  std::uint32_t seq_ = 0;
  std::uint64_t now_ms_ = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t len) {
  static Fuzzed fuzzed;
  fuzzed.run({data, len});
  return 0;
}
