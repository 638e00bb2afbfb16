// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

#include "dataplane/cli.h"
#include "dataplane/config_write.h"
#include "dataplane/export.h"
#include "dataplane/import_linux.h"
#include "dataplane/privileges.h"
#include "sha1/wipe.h"

namespace gate96 {
namespace {

struct Options {
  std::string file;
  std::string keys = ".";
  bool is_peers = false;
};

/// Writes `text` to a new file that only its owner can read. An existing one is left as it is: it may be a
/// key in use. Throws what went wrong.
void write_secret(const std::string& path, std::string_view text) {
  const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0) throw std::runtime_error(fmt::format("{}: {}", path, std::strerror(errno)));
  const bool is_written = write(descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  const int failure = errno;
  if (close(descriptor) != 0 || !is_written) {
    throw std::runtime_error(fmt::format("{}: {}", path, std::strerror(failure)));
  }
}

/// The names of the key files as the configuration, which may go anywhere, has to call them.
std::vector<std::string> write_keys(const Config& config, const std::string& folder) {
  std::vector<std::string> names;
  for (const SaConfig& sa : config.sas) {
    const auto path = std::filesystem::path(folder) / (sa.name + ".key");
    std::string digits = key_digits(sa.key) + "\n";
    write_secret(path.string(), digits);
    wipe(digits.data(), digits.size());
    names.push_back(folder == "." ? path.filename().string() : std::filesystem::absolute(path).string());
  }
  return names;
}

int import(const Options& options) {
  seal_process();
  std::ifstream file(options.file, std::ios::binary);
  std::ostringstream buffer;
  if (!file || !(buffer << file.rdbuf())) {
    fmt::print(stderr, "{}: cannot be read\n", options.file);
    return kRuntimeError;
  }
  std::string text = std::move(buffer).str();
  const auto config = import_linux(text, options.file, options.is_peers ? Listing::kPeers : Listing::kOurs);
  wipe(text.data(), text.size());
  for (const Diagnostic& diagnostic : config.diagnostics()) fmt::print(stderr, "{}\n", to_string(diagnostic));
  if (!config) return kRuntimeError;
  const auto keys = write_keys(config.value(), options.keys);
  fmt::print("# From {}. That does not tell ports and routes: complete them.\n{}", options.file,
             to_toml(config.value(), keys));
  return kOk;
}

}  // namespace

void add_import(CLI::App& app, int& exit_code) {
  CLI::App* const command = app.add_subcommand("import", "Make a configuration of what another system has");
  command->require_subcommand(1);
  CLI::App* const from_linux =
      command->add_subcommand("linux", "Listings of ip xfrm (state and policy) into TOML on standard output");
  from_linux->footer(
      "Takes ESP states with hmac(sha1) of 96 bits and no encryption, and says on standard error what it "
      "leaves\n"
      "out. Each key goes to a new file of mode 0600, named after its SA. Ports and routes are yours to "
      "complete.\n\n"
      "Example:\n  (ip xfrm state; ip xfrm policy) > listing; gate96 import linux listing > gate96.toml");
  const auto options = std::make_shared<Options>();
  from_linux->add_option("FILE", options->file, "What `ip xfrm state` and then `ip xfrm policy` printed")
      ->required();
  from_linux->add_option("--keys", options->keys, "Folder for the key files")->capture_default_str();
  from_linux->add_flag("--peer", options->is_peers, "The listing is the peer's: turn every direction round");
  from_linux->callback([options, &exit_code] { exit_code = import(*options); });
}

}  // namespace gate96
