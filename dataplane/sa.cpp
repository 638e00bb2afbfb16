// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/sa.h"

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

}  // namespace gate96
