// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/control_request.h"

#include <fmt/format.h>

#include <algorithm>

namespace gate96 {
namespace {

Request wrong(std::string why) {
  return {Request::Kind::kWrong, std::move(why)};
}

}  // namespace

Request parse_request(std::string_view line) {
  constexpr std::string_view kReload = "reload";
  if (line.size() > RequestReader::kMaxLen)
    return wrong(fmt::format("a request is at most {} bytes", RequestReader::kMaxLen));
  if (line.find('\0') != std::string_view::npos) return wrong("a request has no zero bytes");
  if (line == kReload) return {Request::Kind::kReload, ""};
  if (!line.starts_with(kReload) || line[kReload.size()] != ' ')
    return {Request::Kind::kShow, std::string(line)};
  return {Request::Kind::kReload, std::string(line.substr(kReload.size() + 1))};
}

void RequestReader::take(std::string_view bytes) {
  if (request_) return;
  const std::size_t end = bytes.find('\n');
  line_ += bytes.substr(0, std::min({end, bytes.size(), kMaxLen + 1 - line_.size()}));
  if (end != std::string_view::npos || line_.size() > kMaxLen) request_ = parse_request(line_);
}

void RequestReader::end() {
  if (!request_) request_ = wrong("a request is one line that ends in a newline");
}

}  // namespace gate96
