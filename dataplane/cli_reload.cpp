// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "dataplane/cli.h"
#include "dataplane/control_client.h"

namespace gate96 {
namespace {

int reload(const std::string& control, const std::string& file) {
  const std::string path = file.empty() ? "" : " " + std::filesystem::absolute(file).string();
  int exit_code = kOk;
  const auto answer = ask_or_complain(control, "reload" + path, exit_code);
  if (!answer) return exit_code;
  const auto json = nlohmann::json::parse(*answer, nullptr, false);
  if (json.is_discarded() || json.contains("error")) {
    fmt::print(stderr, "gate96: the gateway says: {}", *answer);
    return kRuntimeError;
  }
  for (const auto& message : json["messages"]) fmt::print(stderr, "{}\n", message.get<std::string>());
  if (!json["reloaded"].get<bool>()) {
    fmt::print(stderr, "gate96: not reloaded; the gateway goes on as before\n");
  } else {
    fmt::print("{} in force: {} SAs ({} go on), {} policies, {} routes\n", json["file"].get<std::string>(),
               json["sas"].get<std::size_t>(), json["sas_kept"].get<std::size_t>(),
               json["policies"].get<std::size_t>(), json["routes"].get<std::size_t>());
  }
  return json["exit_code"].get<int>();
}

}  // namespace

void add_reload(CLI::App& app, int& exit_code) {
  CLI::App* const command =
      app.add_subcommand("reload", "Let a running gateway take over the SAs, policies and routes of a file");
  command->footer(
      "All or nothing, under traffic: no packet is lost to it. An SA with the same direction, SPI, "
      "destination and\n"
      "key keeps its sequence numbers, replay window and counters, and lives again if a hard limit that it "
      "reached\n"
      "is raised. What only a restart can change "
      "([gateway],\n"
      "[eal], [fpu], [[port]], [[wire]]) is refused by name. SIGHUP does the same with the file in force.\n"
      "Exit code 3: wrong configuration, or such a change; 4: no gateway answers.\n\n"
      "Examples:\n"
      "  gate96 reload                               the file that is in force, read again\n"
      "  gate96 reload new.toml --name site-a        another file");
  struct Options {
    std::string file;
    std::string name = "gate96";
    std::string control;
  };
  const auto options = std::make_shared<Options>();
  command->add_option("CONFIG", options->file, "The configuration file; default: the one in force");
  auto* const by_name = command->add_option(
      "--name", options->name, "gateway.name of the gateway: its socket is /run/gate96/NAME.sock");
  command->add_option("--control", options->control, "Socket path, if gateway.control is set")
      ->excludes(by_name);
  command->callback([options, &exit_code] {
    if (options->control.empty()) options->control = "/run/gate96/" + options->name + ".sock";
    exit_code = reload(options->control, options->file);
  });
}

}  // namespace gate96
