// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/status_fpu.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "dataplane/status_sum.h"

namespace gate96 {
namespace {

using Json = nlohmann::ordered_json;

class Totals {
 public:
  explicit Totals(const Gateway& gateway) : gateway_(gateway) {}

  /// The sum over all workers of what `pick` finds in their counters.
  template <class Pick>
  [[nodiscard]] std::uint64_t sum(Pick&& pick) const {
    return sum_over_workers(gateway_, [&](const Worker& worker) { return pick(worker.fpu().counters()); });
  }
  [[nodiscard]] std::uint64_t sum(fpu::Counter fpu::Counters::*field) const {
    return sum([&](const fpu::Counters& counters) { return (counters.*field).get(); });
  }
  [[nodiscard]] std::uint64_t max(fpu::Counter fpu::Counters::*field) const {
    std::uint64_t most = 0;
    for (const auto& lcore : gateway_.lcores()) {
      most = std::max(most, (lcore->worker().fpu().counters().*field).get());
    }
    return most;
  }
  /// Plain `always` times no section.
  [[nodiscard]] bool timed() const { return gateway_.lcores().front()->worker().fpu().world() != nullptr; }

 private:
  const Gateway& gateway_;
};

/// Those that happened, by name.
template <class Array, class Names>
Json by_kind(const Totals& totals, Array fpu::Counters::*kinds, const Names& names) {
  Json list = Json::object();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::uint64_t count =
        totals.sum([&](const fpu::Counters& counters) { return (counters.*kinds)[i].get(); });
    if (count > 0) list[std::string(names[i])] = count;
  }
  return list;
}

void add_sections(Json& json, const Totals& totals) {
  using C = fpu::Counters;
  const std::uint64_t simd = totals.sum(&C::simd_bytes);
  const std::uint64_t scalar = totals.sum(&C::scalar_bytes);
  json["asks"] = totals.sum(&C::asks);
  json["grants"] = totals.sum([](const C& counters) { return counters.grants(); });
  json["refusals"] = by_kind(totals, &C::refusals, fpu::kRefusalNames);
  json["violations"] = by_kind(totals, &C::violations, fpu::kViolationNames);
  json["simd_share"] = ratio(simd, simd + scalar);
  json["sections"] = totals.sum(&C::sections);
  json["bytes_per_section"] = ratio(simd, totals.sum(&C::sections));
  json["section_bytes_max"] = totals.max(&C::section_bytes_max);
  json["section_ns_max"] = totals.timed() ? Json(totals.max(&C::section_ns_max)) : Json(nullptr);
  json["saves"] = totals.sum(&C::saves);
  json["restores"] = totals.sum(&C::restores);
  json["bytes_per_save"] = ratio(simd, totals.sum(&C::saves));
  json["waited"] = totals.sum(&C::waited);
}

void add_queue(Json& json, const Totals& totals) {
  using C = fpu::Counters;
  json["queue_depth"] = totals.sum(&C::queue_depth);
  json["queue_high"] = totals.max(&C::queue_high);
  json["deferred"] = totals.sum(&C::deferred);
  json["backlogged"] = totals.sum(&C::backlogged);
  json["overflow"] = totals.sum(&C::overflow) + totals.sum(&C::backlog_overflow);
  json["drains"] = totals.sum(&C::drains);
  json["drained"] = totals.sum(&C::drained);
  json["reordered"] = totals.sum(&C::reordered);
}

}  // namespace

Json fpu_status(const Gateway& gateway) {
  const fpu::FpuConfig& config = gateway.config().fpu;
  Json json = {{"gateway", gateway.config().gateway.name},
               {"profile", config.profile},
               {"workload", config.workload},
               {"fallback", fpu::kFallbackNames[static_cast<std::size_t>(config.fallback)]},
               {"simd_off_rate", config.simd_off_rate}};
  const Totals totals(gateway);
  add_sections(json, totals);
  add_queue(json, totals);
  return json;
}

}  // namespace gate96
