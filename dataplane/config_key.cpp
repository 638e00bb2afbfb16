// SPDX-License-Identifier: BSD-3-Clause
// Keys of SAs: inline or from a file. Their text is wiped after use and never shown.
#include <fmt/format.h>
#include <sys/stat.h>

#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "dataplane/config_draft.h"
#include "sha1/wipe.h"

namespace gate96 {
namespace {

constexpr char kRight[] = "40 hexadecimal digits: 20 bytes (RFC 2404 3)";

int digit(unsigned char c) {
  if (std::isdigit(c) != 0) return c - '0';
  return std::isxdigit(c) != 0 ? std::tolower(c) - 'a' + 10 : -1;
}

/// What is wrong with the text of a key; empty, and `key` written, if nothing is.
std::string decode(std::string_view text, SecretKey& key) {
  std::array<std::uint8_t, SecretKey::kLen> bytes{};
  if (!std::ranges::all_of(text, [](unsigned char c) { return digit(c) >= 0; })) {
    return fmt::format("must be {}; has other characters", kRight);
  }
  if (text.size() != 2 * bytes.size()) return fmt::format("must be {}; has {} digits", kRight, text.size());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<std::uint8_t>(digit(text[2 * i]) << 4 | digit(text[2 * i + 1]));
  }
  key = SecretKey(bytes);
  wipe(bytes.data(), bytes.size());
  return {};
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.remove_suffix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) text.remove_prefix(1);
  return text;
}

/// A key file: how to open it, and what messages call it (a user may have put the key itself in its place).
struct File {
  std::string path;
  std::string shown;
};

/// False, with an error, when there is no such plain file. Warns of a file that others may read.
bool check_file(TableReader& table, const File& file) {
  struct stat info {};
  if (stat(file.path.c_str(), &info) != 0) {
    return table.error("key_file", fmt::format("{}: {}", file.shown, strerror(errno)));
  }
  if (!S_ISREG(info.st_mode)) return table.error("key_file", file.shown + ": must be a plain file");
  if ((info.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    table.warning("key_file", fmt::format("others than the owner have access to {} (mode {:04o}); chmod 600",
                                          file.shown, info.st_mode & 07777));
  }
  return true;
}

void read_key_file(TableReader& table, const File& file, SecretKey& key) {
  if (!check_file(table, file)) return;
  std::ifstream stream(file.path, std::ios::binary);
  std::array<char, 256> buffer{};  // far more than a key
  stream.read(buffer.data(), buffer.size());
  if (stream.bad() || (!stream && !stream.eof())) {
    table.error("key_file", fmt::format("{}: {}", file.shown, strerror(errno)));
    return;
  }
  const std::string_view text(buffer.data(), static_cast<std::size_t>(stream.gcount()));
  if (const std::string wrong = decode(trimmed(text), key); !wrong.empty()) {
    table.error("key_file", fmt::format("{}: {}", file.shown, wrong));
  }
  wipe(buffer.data(), buffer.size());
}

}  // namespace

void read_key(TableReader& table, const Draft& draft, SecretKey& key) {
  std::string text;
  if (table.has("key") && table.has("key_file")) {
    table.error("key_file", "must not stand beside key; one of the two");
  } else if (table.has("key")) {
    if (!table.text("key", Need::kRequired, text, kRight)) return;
    if (const std::string wrong = decode(text, key); !wrong.empty()) table.error("key", wrong);
    wipe(text.data(), text.size());
  } else if (table.has("key_file")) {
    if (!table.text("key_file", Need::kRequired, text, "the path of a file")) return;
    const std::string path = (std::filesystem::path(draft.report.file).parent_path() / text).string();
    read_key_file(table, {path, unless_secret(path, text)}, key);
  } else {
    table.missing("key", fmt::format("{}, or key_file the path of a file with them", kRight));
  }
}

}  // namespace gate96
