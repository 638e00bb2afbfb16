// SPDX-License-Identifier: BSD-3-Clause
// A file that one process at a time holds, for as long as it lives, however it ends.
#pragma once

#include <string>

namespace gate96 {

class LockFile {
 public:
  /// Makes the file (mode 0600) if need be and takes the lock; look at held().
  explicit LockFile(std::string path);
  /// Removes the file if the lock was held.
  ~LockFile();
  LockFile(const LockFile&) = delete;
  LockFile& operator=(const LockFile&) = delete;

  [[nodiscard]] bool held() const { return fd_ >= 0; }
  [[nodiscard]] const std::string& path() const { return path_; }
  /// Why it is not held: EWOULDBLOCK if another process holds it, else what open(2) said.
  [[nodiscard]] int error() const { return error_; }

 private:
  std::string path_;
  int fd_ = -1;
  int error_ = 0;
};

}  // namespace gate96
