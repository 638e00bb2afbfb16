// SPDX-License-Identifier: BSD-3-Clause
#include <memory>

#include "dataplane/cli.h"
#include "dataplane/show.h"

namespace gate96 {

void add_show(CLI::App& app, int& exit_code) {
  CLI::App* const command = app.add_subcommand(
      "show", "Ask a running gateway for its counters, ports, SAs, hashing, FPU policy or events");
  command->footer(
      "In the counters, rx + originated + fragments_made = tx + dropped + local + consumed + merged + held "
      "once\n"
      "no packet is under way (balance 0). The events are the last 256 of those that the gateway writes to "
      "standard error, one JSON object\n"
      "a line: packets refused (at most 5 a second of each kind, then a sum), SAs near or at their end. "
      "Crypto\n"
      "shows the backends' shares, how full their lanes were, and TSC cycles a packet by stage (a sample of "
      "the\n"
      "bursts). Fpu shows what the policy was asked and answered, and its price: bytes_per_section and\n"
      "bytes_per_save count hashed bytes, section_ns_max is the longest time with preemption off (not timed "
      "under\n"
      "profile always). Exit code 4: no gateway answers.\n\n"
      "Examples:\n"
      "  gate96 show counters\n"
      "  gate96 show sa --name site-a --json\n"
      "  gate96 show fpu --watch");
  const auto options = std::make_shared<ShowOptions>();
  const auto name = std::make_shared<std::string>("gate96");
  command->add_option("WHAT", options->what, "counters, ports, sa, crypto, fpu or events")
      ->required()
      ->check(CLI::IsMember({"counters", "ports", "sa", "crypto", "fpu", "events"}));
  auto* const by_name = command->add_option(
      "--name", *name, "gateway.name of the gateway: its socket is /run/gate96/NAME.sock");
  command->add_option("--control", options->control, "Socket path, if gateway.control is set")
      ->excludes(by_name);
  command->add_flag("--json", options->json, "Print the gateway's answer as JSON");
  command->add_flag("--watch", options->watch, "Ask again every second until interrupted");
  command->callback([options, name, &exit_code] {
    if (options->control.empty()) options->control = "/run/gate96/" + *name + ".sock";
    exit_code = show(*options);
  });
}

}  // namespace gate96
