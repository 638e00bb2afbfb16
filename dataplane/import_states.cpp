// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <charconv>

#include "dataplane/import_draft.h"
#include "sha1/wipe.h"

namespace gate96 {
namespace {

/// Why gate96 cannot take an SA; empty if it can.
std::string unfit(const XfrmState& state) {
  if (state.proto != "esp") return fmt::format("protocol {}; gate96 does ESP", state.proto);
  if (state.mode != "tunnel" && state.mode != "transport") return fmt::format("mode {}", state.mode);
  if (state.aead) return "authenticated encryption; gate96 does NULL encryption";
  if (!state.enc.empty() && state.enc != "ecb(cipher_null)" && state.enc != "cipher_null") {
    return fmt::format("encryption {}; gate96 does ecb(cipher_null)", state.enc);
  }
  if (state.auth != "hmac(sha1)" && state.auth != "sha1")
    return fmt::format("authentication {}; gate96 does hmac(sha1)", state.auth);
  if (state.auth_bits != 96)
    return fmt::format("an ICV of {} bits; gate96 does 96 (RFC 2404)", state.auth_bits);
  if (state.spi < 256) return fmt::format("SPI {}; the least is 256 (RFC 4303 2.1)", state.spi);
  if (state.src.is_unspecified() && !state.dst.is_multicast()) return "any source, for a unicast destination";
  return {};
}

bool read_key(std::string_view digits, SecretKey& key) {
  std::array<std::uint8_t, SecretKey::kLen> bytes{};
  if (!digits.starts_with("0x") || digits.size() != 2 + 2 * bytes.size()) return false;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const char* const begin = digits.data() + 2 + 2 * i;
    if (std::from_chars(begin, begin + 2, bytes[i], 16).ptr != begin + 2) return false;
  }
  key = SecretKey(bytes);
  wipe(bytes.data(), bytes.size());
  return true;
}

SaConfig to_sa(const XfrmState& state) {
  SaConfig sa;
  sa.spi = state.spi;
  sa.mode = state.mode == "tunnel" ? Mode::kTunnel : Mode::kTransport;
  sa.src = state.src;
  sa.dst = state.dst;
  sa.esn = state.esn;
  sa.udp_encap = state.encap;
  sa.life_bytes = state.bytes;
  sa.life_packets = state.packets;
  sa.life_seconds = state.seconds;
  return sa;
}

}  // namespace

void take_states(Import& import) {
  for (const XfrmState& state : import.listing.states) {
    SaConfig sa = to_sa(state);
    std::string why = unfit(state);
    if (why.empty() && !read_key(state.auth_key, sa.key)) why = "a key that is not 20 bytes (RFC 2404 3)";
    if (!why.empty()) {
      leave_out(import, state.line, fmt::format("the state of SPI {:#x}: {}", state.spi, why));
      continue;
    }
    import.config.sas.push_back(sa);
    import.origins.push_back(&state);
  }
  import.wanted.resize(import.config.sas.size());
}

}  // namespace gate96
