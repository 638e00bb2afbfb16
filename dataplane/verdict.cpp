// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/verdict.h"

#include <array>

namespace gate96 {
namespace {

constexpr std::array<std::string_view, kNumVerdicts> kNames = {
#define X(id, name, text) name,
    GATE96_VERDICTS(X)
#undef X
};

constexpr std::array<std::string_view, kNumVerdicts> kMeanings = {
#define X(id, name, text) text,
    GATE96_VERDICTS(X)
#undef X
};

}  // namespace

std::string_view name(Verdict verdict) {
  return kNames.at(static_cast<std::size_t>(verdict));
}
std::string_view meaning(Verdict verdict) {
  return kMeanings.at(static_cast<std::size_t>(verdict));
}

}  // namespace gate96
