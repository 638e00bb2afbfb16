// SPDX-License-Identifier: BSD-3-Clause
// A listing on its way to a configuration.
//
//   1. states    those that gate96 can do become SAs, their direction still open
//   2. policies  find their SAs by template, and give them their direction
//   3. finish    SAs that no policy found go; names, and a port for the addresses of our ends
//   (import_linux.cpp)
#pragma once

#include <set>
#include <string>
#include <vector>

#include "dataplane/import_linux.h"
#include "dataplane/xfrm_listing.h"

namespace gate96 {

struct Import {
  std::string file;
  Listing whose;
  XfrmListing listing;
  Config config;
  std::vector<const XfrmState*> origins;    // parallel to config.sas
  std::vector<std::set<Direction>> wanted;  // parallel: the directions of the policies that found it
  Diagnostics said;
};

void take_states(Import& import);
void take_policies(Import& import);

/// Says that something of the listing is not in the configuration.
void leave_out(Import& import, unsigned line, const std::string& what);

}  // namespace gate96
