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
      window(config.direction == Direction::kOut ? 0 : config.replay_window) {}

}  // namespace gate96
