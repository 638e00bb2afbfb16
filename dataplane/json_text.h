// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace gate96 {

/// On one line. Paths may be any bytes, and an event cuts its texts anywhere: what is not UTF-8 is replaced.
[[nodiscard]] inline std::string json_text(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace gate96
