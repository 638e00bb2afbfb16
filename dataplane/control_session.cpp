// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/control_session.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

#include "dataplane/json_text.h"

namespace gate96 {

std::string error_line(const std::string& why) {
  return json_text({{"error", why}}) + '\n';
}

ControlSession::~ControlSession() {
  close(fd_);
}

short ControlSession::awaited() const {
  return state_ == State::kReading ? POLLIN : state_ == State::kAnswering ? POLLOUT : 0;
}

void ControlSession::go_on(short events, std::uint64_t now_ms) {
  if (state_ == State::kReading && (events & (POLLIN | POLLHUP)) != 0) {
    read();
  } else if (state_ == State::kAnswering && (events & POLLOUT) != 0) {
    write(now_ms);
  }
  // One that has gone reads no answer; what it has asked us to do is done all the same.
  const bool wants_deed = state_ == State::kAsked && request().kind == Request::Kind::kReload;
  if ((events & (POLLHUP | POLLERR)) != 0 && !wants_deed) state_ = State::kOver;
}

void ControlSession::read() {
  char buffer[RequestReader::kMaxLen + 1];
  const ssize_t num = recv(fd_, buffer, sizeof buffer, 0);
  if (num < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (num > 0) {
    reader_.take({buffer, static_cast<std::size_t>(num)});
  } else if (num == 0 && !reader_.empty()) {
    reader_.end();
  } else {
    state_ = State::kOver;
  }
  if (reader_.request()) state_ = State::kAsked;
}

void ControlSession::answer(std::string text, std::uint64_t now_ms) {
  answer_ = std::move(text);
  since_ms_ = now_ms;
  state_ = State::kAnswering;
  write(now_ms);
}

void ControlSession::write(std::uint64_t now_ms) {
  const ssize_t num = send(fd_, answer_.data() + sent_, num_unsent(), MSG_NOSIGNAL);
  if (num < 0) {
    if (errno != EAGAIN && errno != EINTR) state_ = State::kOver;
    return;
  }
  sent_ += static_cast<std::size_t>(num);
  since_ms_ = now_ms;
  if (num_unsent() == 0) state_ = State::kOver;
}

void ControlSession::judge(std::uint64_t now_ms, std::uint64_t patience_ms) {
  if (now_ms - since_ms_ < patience_ms || state_ == State::kAsked) return;
  if (state_ == State::kReading)
    answer(error_line(fmt::format("no request came within {} ms", patience_ms)), now_ms);
  state_ = State::kOver;
}

}  // namespace gate96
