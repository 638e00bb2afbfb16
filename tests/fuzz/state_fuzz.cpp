// SPDX-License-Identifier: BSD-3-Clause
// The state file on arbitrary text. If the first byte is odd the checksum is made right, so that the lines
// are reached. What is taken can be written and read again as the same. Seeds: state_seeds.
#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "dataplane/state_file.h"
#include "sha1/select.h"
#include "sha1/sha1.h"

namespace {

std::string with_digest(std::string text) {
  const auto block = gate96::sha1::Selection::instance().best_scalar()->block;
  const auto digest =
      gate96::sha1::digest(block, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  text += "sha1 ";
  for (const std::uint8_t byte : digest) text += fmt::format("{:02x}", byte);
  return text + '\n';
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t len) {
  if (len == 0) return 0;
  std::string text(reinterpret_cast<const char*>(data) + 1, len - 1);
  if (data[0] % 2 != 0) text = with_digest(std::move(text));
  gate96::State state;
  if (!gate96::decode(text, state).empty()) return 0;
  gate96::State again;
  if (!gate96::decode(gate96::encode(state), again).empty()) std::abort();
  if (gate96::encode(again) != gate96::encode(state)) std::abort();
  return 0;
}
