// SPDX-License-Identifier: BSD-3-Clause
#include <memory>

#include "dataplane/cli.h"
#include "dataplane/cli_config.h"
#include "dataplane/explain.h"

namespace gate96 {

void add_explain(CLI::App& app, int& exit_code) {
  struct Options {
    std::string config;
    ExplainOptions explain;
  };
  CLI::App* const command =
      app.add_subcommand("explain", "Send a capture through the gateway's code and tell each packet's end");
  command->footer(
      "One line a packet: number, verdict, SA and sequence number, reason. No port is opened; next hops have "
      "MAC\n"
      "address 00:00:00:00:00:00 unless the configuration names them; any destination MAC is taken as "
      "ours.\n\n"
      "Example:\n  gate96 explain site-a.toml --port wan seen.pcap --out out");
  const auto options = std::make_shared<Options>();
  command->add_option("CONFIG", options->config, "The configuration file (TOML)")->required();
  command->add_option("CAPTURE", options->explain.capture, "Ethernet capture (pcap or pcapng)")->required();
  command->add_option("--port", options->explain.port, "Name of the port that the packets arrive on")
      ->required();
  command->add_option("--burst", options->explain.burst, "Packets handed over at once")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  command->add_option("--out", options->explain.out,
                      "Folder to write PORT.pcap to: what would leave each port");
  command->add_flag("--json", options->explain.json,
                    "Print {\"packets\": [...]}, each with n, verdict, sa and seq");
  command->callback([options, &exit_code] {
    const auto config = load_or_complain(options->config);
    exit_code = config ? explain(*config, options->explain) : kBadConfig;
  });
}

}  // namespace gate96
