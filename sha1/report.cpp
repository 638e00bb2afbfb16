// SPDX-License-Identifier: BSD-3-Clause
#include "sha1/report.h"

#include <algorithm>

#include "sha1/cycles.h"

namespace gate96::sha1 {
namespace {

std::vector<std::string> names(FeatureSet features) {
  std::vector<std::string> list;
  for (unsigned i = 0; i < static_cast<unsigned>(Feature::kCount); ++i) {
    const auto feature = static_cast<Feature>(i);
    if (features.has(feature)) list.emplace_back(name(feature));
  }
  return list;
}

std::string to_string(SelfTest outcome) {
  if (outcome == SelfTest::kNotRun) return "not run";
  return outcome == SelfTest::kPassed ? "passed" : "failed";
}

}  // namespace

std::vector<ReportRow> report(const Selection& selection) {
  std::vector<ReportRow> rows;
  for (const Candidate& c : selection.candidates()) {
    ReportRow row;
    row.name = c.backend->name;
    row.lanes = c.backend->lanes;
    row.vector = c.backend->is_vector();
    row.needs = names(c.backend->needs);
    row.usable = c.usable();
    row.why_not = c.why_not;
    row.self_test = to_string(c.self_test);
    row.code_bytes = c.backend->code_bytes;
    if (row.usable) row.cycles_per_block = cycles_per_block(*c.backend);
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace gate96::sha1
