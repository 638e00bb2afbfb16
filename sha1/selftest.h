// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "sha1/backends.h"

namespace gate96::sha1 {

/// Known answers, for a row whose needs this machine meets (the caller has seen to that). Block functions:
/// sixteen messages, whole and in two calls. Lane functions: the same, at every occupancy from one lane to
/// all, idle lanes on a live one's blocks; lanes beyond the backend's must stay as they were. Returns "" or
/// what went wrong. Takes some 50 microseconds.
[[nodiscard]] std::string self_test(const Backend& backend);

}  // namespace gate96::sha1
