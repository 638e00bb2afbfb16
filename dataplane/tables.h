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

struct Tables;

/// The tables that others replace, and what they were built from.
struct Predecessor {
  const Config& config;
  const Tables& tables;
};

/// An SA that sends keepalives (RFC 3948 4), from the port that has its own address.
struct Keepalive {
  Sa* sa;
  std::uint8_t port;
};

struct Tables {
  /// An SA that `old` has too, by direction, SPI, destination and key, goes on: the object itself is taken
  /// over if all its settings are the same, else a new one succeeds it. Throws std::runtime_error with what
  /// could not be built and why; `old` is as before then.
  Tables(const Config& config, const std::vector<PortInfo>& ports, const Predecessor* old = nullptr);
  Tables(const Tables&) = delete;
  Tables& operator=(const Tables&) = delete;

  /// A new object for an old SA. Its owner calls to->succeed(*from) before it uses `to`.
  struct Succession {
    std::shared_ptr<const Sa> from;
    Sa* to;
  };

  std::uint32_t generation;  // no two tables of a process have the same
  std::vector<Succession> successions;
  std::size_t num_kept = 0;              // SAs that go on from the tables before
  std::vector<std::shared_ptr<Sa>> sas;  // in file order
  std::vector<Keepalive> keepalives;
  std::vector<Sa*> timed_sas;  // those with life_seconds
  Routes routes;
  Sad sad;
  Spd inbound;
  Spd outbound;
};

}  // namespace gate96
