// SPDX-License-Identifier: BSD-3-Clause
// The control socket's reader of requests: the first byte says in pieces of which size the rest arrives.
// Whatever comes, the pieces make no difference, no more than a path's length is held, and a file's name is
// what stood on the line. Seeds: control_seeds.
#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "dataplane/control_request.h"
#include "dataplane/control_session.h"

namespace {

gate96::Request read_in_pieces(std::string_view text, std::size_t piece) {
  gate96::RequestReader reader;
  for (; !text.empty(); text.remove_prefix(std::min(piece, text.size()))) reader.take(text.substr(0, piece));
  reader.end();
  return *reader.request();
}

void check(std::string_view line, const gate96::Request& request) {
  using Kind = gate96::Request::Kind;
  if (request.kind == Kind::kWrong) {
    if (gate96::error_line(request.text).find('\n') == std::string::npos) std::abort();
    return;
  }
  if (line.size() > gate96::RequestReader::kMaxLen || request.text.find('\0') != std::string::npos)
    std::abort();
  const std::string prefix = request.kind == Kind::kShow ? "" : request.text.empty() ? "reload" : "reload ";
  if (!line.starts_with(prefix + request.text)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t len) {
  if (len == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, len - 1);
  const gate96::Request whole = read_in_pieces(text, len);
  const gate96::Request pieced = read_in_pieces(text, data[0] + std::size_t{1});
  if (whole.kind != pieced.kind || whole.text != pieced.text) std::abort();
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos && whole.kind != gate96::Request::Kind::kWrong) std::abort();
  check(text.substr(0, end), whole);
  return 0;
}
