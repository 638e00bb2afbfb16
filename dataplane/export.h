// SPDX-License-Identifier: BSD-3-Clause
// What the other side of a configuration needs: the commands for a Linux peer, and Wireshark's table of SAs.
#pragma once

#include <string>

#include "dataplane/config.h"

namespace gate96 {

enum class KeyText { kPlaceholder, kKey };

/// A shell script of `ip xfrm` commands for a Linux kernel as the peer: our outbound SAs as its inbound ones,
/// and the other way round. With placeholders, keys come from environment variables that it asks for by name.
/// What ip xfrm cannot say stands in a comment that begins "# left out".
[[nodiscard]] std::string export_linux(const Config& config, KeyText keys);

/// Lines for Wireshark's esp_sa file (Protocols, ESP, ESP SAs): protocol, source, destination, SPI,
/// encryption, its key, authentication, its key.
[[nodiscard]] std::string export_wireshark(const Config& config, KeyText keys);

/// A key as 40 hexadecimal digits. The caller keeps it from others' eyes.
[[nodiscard]] std::string key_digits(const SecretKey& key);

}  // namespace gate96
