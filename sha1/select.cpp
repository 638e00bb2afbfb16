// SPDX-License-Identifier: BSD-3-Clause
#include "sha1/select.h"

#include <cstdio>
#include <cstdlib>

#include "sha1/selftest.h"

namespace gate96::sha1 {
namespace {

std::string why_not(const Backend& backend, const Cpu& cpu) {
  const FeatureSet absent = backend.needs.without(cpu.present);
  if (!absent.empty()) return "the CPU lacks " + to_string(absent);
  const FeatureSet disabled = backend.needs.without(cpu.usable);
  if (!disabled.empty()) return "the operating system has not enabled " + to_string(disabled) + " (XCR0)";
  return {};
}

}  // namespace

Selection::Selection(std::span<const Backend> rows, const Cpu& cpu) {
  candidates_.reserve(rows.size());
  for (const Backend& row : rows) candidates_.push_back({&row, why_not(row, cpu), SelfTest::kNotRun});
}

void Selection::run_self_test() {
  for (Candidate& c : candidates_) {
    if (!c.usable()) continue;
    const std::string error = self_test(*c.backend);
    c.self_test = error.empty() ? SelfTest::kPassed : SelfTest::kFailed;
    if (!error.empty()) c.why_not = "it failed its self-test: " + error;
  }
}

const Selection& Selection::instance() {
  static const Selection selection = [] {
    Selection s(backends(), detect(read_cpu()));
    s.run_self_test();
    if (s.best_scalar() == nullptr) {
      std::fputs("gate96: no scalar SHA-1 backend passes its self-test on this machine\n", stderr);
      std::abort();
    }
    return s;
  }();
  return selection;
}

std::vector<const Backend*> Selection::usable() const {
  std::vector<const Backend*> rows;
  for (const Candidate& c : candidates_) {
    if (c.usable()) rows.push_back(c.backend);
  }
  return rows;
}

std::vector<const Backend*> Selection::with_lanes() const {
  std::vector<const Backend*> rows = usable();
  std::erase_if(rows, [](const Backend* b) { return b->lanes == 1; });
  return rows;
}

const Backend* Selection::best(Registers registers) const {
  const Backend* best = nullptr;
  for (const Candidate& c : candidates_) {
    if (c.usable() && c.backend->lanes == 1 && c.backend->registers == registers) best = c.backend;
  }
  return best;
}

Found Selection::find(std::string_view name) const {
  std::string known;
  for (const Candidate& c : candidates_) {
    if (c.backend->name == name) {
      if (c.usable()) return {c.backend, {}, false};
      return {nullptr, "SHA-1 backend " + std::string(name) + " cannot run here: " + c.why_not,
              c.self_test == SelfTest::kFailed};
    }
    known += known.empty() ? "" : ", ";
    known += c.backend->name;
  }
  return {nullptr, "no SHA-1 backend is called " + std::string(name) + "; there are " + known, false};
}

}  // namespace gate96::sha1
