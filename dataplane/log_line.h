// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace gate96 {

/// Writes a line to standard error. False, and it is cut or not there, if whoever reads that is behind or has
/// gone: the main thread, which must hear SIGTERM and clients, does not wait for him.
[[nodiscard]] bool log_line(std::string_view line);

}  // namespace gate96
