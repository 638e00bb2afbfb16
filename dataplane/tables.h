// SPDX-License-Identifier: BSD-3-Clause
// Everything the configuration says about packets, built aside and then swapped in as a whole.
#pragma once

#include <memory>
#include <vector>

#include "dataplane/config.h"
#include "dataplane/port_info.h"
#include "dataplane/routes.h"
#include "dataplane/sad.h"
#include "dataplane/spd.h"

namespace gate96 {

struct Tables {
  /// Throws std::runtime_error with what could not be built and why.
  Tables(const Config& config, const std::vector<PortInfo>& ports);

  std::vector<std::shared_ptr<Sa>> sas;  // in file order
  std::vector<Sa*> timed_sas;            // those with life_seconds
  Routes routes;
  Sad sad;
  Spd inbound;
  Spd outbound;
};

}  // namespace gate96
