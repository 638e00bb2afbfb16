// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/sa.h"

#include <algorithm>

namespace gate96 {

Sa::Sa(const SaConfig& config)
    : name(config.name),
      direction(config.direction),
      mode(config.mode),
      spi(config.spi),
      esn(config.esn),
      src(config.src),
      dst(config.dst),
      key(config.key.bytes()),
      df(config.df),
      dscp(config.dscp),
      ecn(config.ecn),
      udp_encap(config.udp_encap),
      tfc(config.tfc),
      life{config.life_bytes, config.life_packets, config.life_seconds},
      last_seq(config.seq_start - 1),
      window(config.direction == Direction::kOut ? 0 : config.replay_window) {
  window.start_above(config.seq_start - 1);
  seq.set(config.seq_start - 1);
}

void Sa::succeed(const Sa& old) {
  last_sent_ms = old.last_sent_ms;
  last_seq = esn ? old.last_seq : std::min(old.last_seq, kLastSeq);
  next_id = old.next_id;
  window.succeed(old.window);
  for (Counter Sa::*counter : {&Sa::path_mtu, &Sa::path_mtu_until_ms, &Sa::packets, &Sa::bytes, &Sa::seq,
                               &Sa::replays, &Sa::icv_bad, &Sa::selector_mismatch}) {
    (this->*counter).set((old.*counter).get());
  }
}

}  // namespace gate96
