// SPDX-License-Identifier: BSD-3-Clause
#include "tools/bench/versus.h"

#include <algorithm>

namespace gate96::bench {

std::vector<Tier> rivals_of(const Backends& backends) {
  std::vector<Tier> tiers;
  if (!have_openssl()) return tiers;
  for (const sha1::Backend* backend : backends) tiers.push_back(tier_of(*backend));
  std::sort(tiers.begin(), tiers.end());
  tiers.erase(std::unique(tiers.begin(), tiers.end()), tiers.end());
  return tiers;
}

const Measured& figures_of(const std::vector<Measured>& all, const std::string& name) {
  return *std::find_if(all.begin(), all.end(), [&](const Measured& m) { return m.name == name; });
}

std::vector<Row> against_openssl(const std::string& bench, const Backends& backends, std::size_t size,
                                 const std::vector<Measured>& all) {
  std::vector<Row> rows;
  for (const sha1::Backend* backend : backends) {
    const Tier tier = tier_of(*backend);
    Row row{
        .bench = bench, .backend = std::string(backend->name), .n = backend->lanes, .size = {.bytes = size}};
    const Measured* rival = nullptr;
    if (have_openssl()) {
      row.rival = "openssl";
      row.rival_isa = name(tier);
      rival = &figures_of(all, std::string("openssl ") + name(tier));
    }
    set_figures(row, static_cast<double>(size), figures_of(all, row.backend), rival);
    rows.push_back(row);
  }
  return rows;
}

}  // namespace gate96::bench
