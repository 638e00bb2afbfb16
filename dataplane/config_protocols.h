// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gate96 {

/// The IP protocol number of a name such as "tcp" (IANA), or nullopt.
[[nodiscard]] std::optional<std::uint8_t> protocol_number(std::string_view name);

/// The name of a protocol number, or the number itself.
[[nodiscard]] std::string protocol_name(std::uint8_t number);

[[nodiscard]] std::vector<std::string_view> protocol_names();

/// True for protocols whose packets begin with a source and a destination port.
[[nodiscard]] bool has_ports(std::uint8_t number);

}  // namespace gate96
