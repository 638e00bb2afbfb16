// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace gate96 {

class Gateway;

/// The FPU policy in force and what it has cost, over all workers.
[[nodiscard]] nlohmann::ordered_json fpu_status(const Gateway& gateway);

}  // namespace gate96
