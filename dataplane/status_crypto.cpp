// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/status_crypto.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "dataplane/status_sum.h"
#include "sha1/backends.h"

namespace gate96 {
namespace {

using Json = nlohmann::ordered_json;

std::uint64_t steps(const Gateway& gateway, std::size_t row, std::size_t in_use) {
  return sum_over_workers(gateway,
                          [&](const Worker& w) { return w.engine().telemetry().steps(row, in_use); });
}

std::uint64_t blocks(const Gateway& gateway, std::size_t row) {
  return sum_over_workers(gateway, [&](const Worker& w) { return w.engine().telemetry().blocks(row); });
}

Json backends(const Gateway& gateway) {
  const auto rows = sha1::backends();
  std::uint64_t total = 0;
  for (std::size_t row = 0; row < rows.size(); ++row) total += blocks(gateway, row);
  Json list = Json::array();
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const std::uint64_t done = blocks(gateway, row);
    if (done == 0) continue;
    const std::size_t lanes = rows[row].lanes;
    list.push_back({{"backend", rows[row].name},
                    {"lanes", lanes},
                    {"blocks", done},
                    {"share", ratio(done, total)},
                    {"wasted_slots", sum_over_workers(gateway, [&](const Worker& w) {
                       return w.engine().telemetry().wasted(row, lanes);
                     })}});
  }
  return list;
}

Json lanes(const Gateway& gateway) {
  Json list = Json::array();
  for (std::size_t row = 0; row < sha1::backends().size(); ++row) {
    const sha1::Backend& backend = sha1::backends()[row];
    std::uint64_t total = 0;
    for (std::size_t in_use = 1; in_use <= backend.lanes; ++in_use) total += steps(gateway, row, in_use);
    for (std::size_t in_use = 1; in_use <= backend.lanes; ++in_use) {
      const std::uint64_t count = steps(gateway, row, in_use);
      if (count == 0) continue;
      list.push_back(
          {{"backend", backend.name}, {"in_use", in_use}, {"steps", count}, {"share", ratio(count, total)}});
    }
  }
  return list;
}

Json stages(const Gateway& gateway) {
  const auto packets = sum_over_workers(gateway, [](const Worker& w) { return w.stages().packets(); });
  Json list = Json::array();
  for (std::size_t i = 0; i < kStageNames.size(); ++i) {
    const auto stage = static_cast<Stage>(i);
    const auto cycles = sum_over_workers(gateway, [&](const Worker& w) { return w.stages().cycles(stage); });
    list.push_back({{"stage", kStageNames[i]},
                    {"packets", packets},
                    {"cycles_per_packet", std::round(ratio(cycles, packets) * 10) / 10}});
  }
  return list;
}

}  // namespace

Json crypto_status(const Gateway& gateway) {
  return {{"gateway", gateway.config().gateway.name},
          {"backend", gateway.config().gateway.backend},
          {"backends", backends(gateway)},
          {"lanes", lanes(gateway)},
          {"stages", stages(gateway)}};
}

}  // namespace gate96
