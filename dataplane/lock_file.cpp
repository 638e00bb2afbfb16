// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/lock_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace gate96 {
namespace {

/// The holder before may have removed the file between our open() and flock(): then the lock is on nothing.
bool is_there_still(int fd, const std::string& path) {
  struct stat ours {};
  struct stat there {};
  return fstat(fd, &ours) == 0 && stat(path.c_str(), &there) == 0 && ours.st_ino == there.st_ino &&
         ours.st_dev == there.st_dev;
}

}  // namespace

LockFile::LockFile(std::string path) : path_(std::move(path)) {
  while (true) {
    fd_ = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd_ < 0 || flock(fd_, LOCK_EX | LOCK_NB) != 0) break;
    if (is_there_still(fd_, path_)) return;
    close(fd_);
  }
  error_ = errno;
  if (fd_ >= 0) close(fd_);
  fd_ = -1;
}

LockFile::~LockFile() {
  if (!held()) return;
  unlink(path_.c_str());
  close(fd_);
}

}  // namespace gate96
