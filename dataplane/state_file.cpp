// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/state_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "dataplane/sa.h"
#include "hmac/hmac.h"
#include "sha1/select.h"

namespace gate96 {
namespace {

constexpr std::string_view kVersion = "gate96 state 1 ";
constexpr std::string_view kDigest = "sha1 ";

std::span<const std::uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::string hex(std::span<const std::uint8_t> bytes) {
  std::string text;
  for (const std::uint8_t byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

std::string digest_line(std::string_view body) {
  const sha1::BlockFn block = sha1::Selection::instance().best_scalar()->block;
  return fmt::format("{}{}\n", kDigest, hex(sha1::digest(block, bytes_of(body))));
}

std::string decode_record(const std::string& line, State& state) {
  std::istringstream in(line);
  std::string direction, spi, dst, src, key, word;
  StateRecord record;
  if (!(in >> direction >> spi >> dst >> src >> key >> std::dec >> record.number))
    return fmt::format("no SA in the line \"{}\"", line);
  for (std::uint64_t value = 0; in >> std::hex >> value;) record.words.push_back(value);
  state.records[fmt::format("{} {} {} {} {}", direction, spi, dst, src, key)] = std::move(record);
  return {};
}

class File {
 public:
  File(const std::string& path, int flags) : fd_(open(path.c_str(), flags | O_CLOEXEC, 0600)) {}
  ~File() {
    if (fd_ >= 0) close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  [[nodiscard]] bool ok() const { return fd_ >= 0; }
  [[nodiscard]] bool sync() const { return fsync(fd_) == 0; }
  [[nodiscard]] bool write_all(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t n = write(fd_, text.data(), text.size());
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return false;
      text.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
  }

 private:
  int fd_;
};

std::string failed(const std::string& path) {
  return fmt::format("cannot write {}: {}", path, std::strerror(errno));
}

}  // namespace

std::string state_identity(const Sa& sa) {
  const hmac::Digest tag = hmac::digest(sa.key, bytes_of("gate96 state file"));
  return fmt::format("{} {:#010x} {} {} {}", sa.direction == Direction::kIn ? "in" : "out", sa.spi,
                     sa.dst.to_string(), sa.dst.is_multicast() ? sa.src.to_string() : "-",
                     hex(std::span(tag).first(8)));
}

std::string encode(const State& state) {
  std::string text = fmt::format("{}{}\n", kVersion, state.stopped ? "stopped" : "running");
  for (const auto& [identity, record] : state.records) {
    text += fmt::format("{} {}", identity, record.number);
    for (const std::uint64_t word : record.words) text += fmt::format(" {:x}", word);
    text += '\n';
  }
  return text + digest_line(text);
}

std::string decode(std::string_view text, State& state) {
  if (!text.starts_with("gate96 state ")) return "not a gate96 state file";
  if (!text.starts_with(kVersion)) return "of a version that this gate96 does not know";
  const std::size_t end = text.rfind(kDigest);
  if (end == std::string_view::npos || text.substr(end) != digest_line(text.substr(0, end)))
    return "its checksum does not match: cut short or changed";
  std::istringstream lines{std::string(text.substr(0, end))};
  std::string line;
  std::getline(lines, line);
  state = State{};
  state.stopped = line.substr(kVersion.size()) == "stopped";
  while (std::getline(lines, line)) {
    if (std::string wrong = decode_record(line, state); !wrong.empty()) return wrong;
  }
  return {};
}

std::string save(const std::string& path, const State& state) {
  const std::string beside = path + ".new";
  {
    const File file(beside, O_WRONLY | O_CREAT | O_TRUNC);
    if (!file.ok() || !file.write_all(encode(state)) || !file.sync()) return failed(beside);
  }
  if (rename(beside.c_str(), path.c_str()) != 0) return failed(path);
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const File directory(folder.empty() ? "." : folder, O_RDONLY | O_DIRECTORY);
  if (!directory.ok() || !directory.sync()) return failed(path);
  return {};
}

Loaded load(const std::string& path, State& state, std::string& why) {
  std::ifstream file(path, std::ios::binary);
  if (!file && errno == ENOENT) {
    why = "there is no such file";
    return Loaded::kMissing;
  }
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  why = file.bad() || !file.is_open() ? std::strerror(errno) : decode(text, state);
  return why.empty() ? Loaded::kGood : Loaded::kDamaged;
}

}  // namespace gate96
