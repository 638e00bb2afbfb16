// SPDX-License-Identifier: BSD-3-Clause
// Frames of any content through a whole worker: the parsers, ESP both ways, ND, ARP, fragments, the wire. The
// first byte chooses the port; with its bit 7 the rest is sealed with a right ICV first, so that it gets past
// that check. Further frames of the same burst follow behind a length of two bytes each.
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "dataplane/eal.h"
#include "tests/dataplane/site.h"

namespace {

struct Environment {
  Environment() {
    gate96::Config config;
    gate96::make_offline(config, "fuzz");
    config.eal.memory_mb = 256;
    eal = std::make_unique<gate96::Eal>(config);
    pool = gate96::make_packet_pool(config);
  }
  std::unique_ptr<gate96::Eal> eal;
  rte_mempool* pool;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t len) {
  static Environment environment;
  static gate96::Site site(environment.pool, gate96::kSiteConfig);
  static std::uint32_t seq = 0;
  if (len < 1) return 0;
  const std::uint8_t control = *data++;
  --len;
  std::vector<gate96::Bytes> frames;
  while (len > 2 && frames.size() < 32) {
    const std::size_t frame_len = std::min<std::size_t>(len - 2, data[0] << 8 | data[1]);
    const std::span<const std::uint8_t> bytes(data + 2, frame_len);
    frames.push_back((control & 0x80) != 0 ? gate96::sealed_frame(0x1002 + (control >> 6 & 1), ++seq, bytes)
                                           : gate96::Bytes(bytes.begin(), bytes.end()));
    data += 2 + frame_len;
    len -= 2 + frame_len;
  }
  site.receive((control & 0x80) != 0 ? 1 : control & 3, frames);
  site.tick(seq);
  if (site.balance() != 0) std::abort();
  return 0;
}
