// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace gate96 {

class Gateway;

/// What the burst engine has done, over all workers: `backends` (blocks hashed, their share, slots of idle
/// lanes), `lanes` (how often so many of a backend's lanes were in use) and `stages` (TSC cycles per packet,
/// of a sample of the bursts).
[[nodiscard]] nlohmann::ordered_json crypto_status(const Gateway& gateway);

}  // namespace gate96
