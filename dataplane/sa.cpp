// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/sa.h"

#include <algorithm>

#include "dataplane/outer_header.h"

namespace gate96 {

Sa::Sa(const SaConfig& config)
    : spi(config.spi),
      tfc(config.tfc),
      esn(config.esn),
      counts_life(is_limited(config.life_packets) || is_limited(config.life_bytes)),
      direction(config.direction),
      mode(config.mode),
      df(config.df),
      ecn(config.ecn),
      dscp(config.dscp),
      src(config.src),
      dst(config.dst),
      key(config.key.bytes()),
      udp_encap(config.udp_encap),
      last_seq(config.seq_start - 1),
      window(config.direction == Direction::kOut ? 0 : config.replay_window),
      life{config.life_bytes, config.life_packets, config.life_seconds},
      name(config.name) {
  outer_len = outer_header_len(*this);
  outer_sum = outer_header_sum(*this);
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
