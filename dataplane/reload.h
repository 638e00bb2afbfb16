// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "dataplane/config.h"
#include "dataplane/diagnostics.h"

namespace gate96 {

/// What a running gateway cannot take over from `next`: an error for each key of [gateway], [eal], [fpu],
/// [[port]] and
/// [[wire]] that has another value in `now`. Empty: only SAs, policies and routes differ.
[[nodiscard]] Diagnostics changes_that_need_a_restart(const Config& now, const Config& next);

}  // namespace gate96
