// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/signals.h"

#include <pthread.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <csignal>
#include <system_error>

namespace gate96 {
namespace {

sigset_t our_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGHUP);
  return set;
}

}  // namespace

Signals::Signals() {
  const sigset_t set = our_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  fd_ = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
  if (fd_ < 0) throw std::system_error(errno, std::generic_category(), "signalfd");
  std::signal(SIGPIPE, SIG_IGN);  // a client of the control socket may leave early
}

int Signals::take() const {
  signalfd_siginfo signal{};
  return read(fd_, &signal, sizeof signal) == sizeof signal ? static_cast<int>(signal.ssi_signo) : 0;
}

Signals::~Signals() {
  close(fd_);
}

}  // namespace gate96
