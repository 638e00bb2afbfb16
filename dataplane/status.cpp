// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/status.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "dataplane/gateway.h"
#include "dataplane/json_text.h"
#include "dataplane/status_crypto.h"
#include "dataplane/status_fpu.h"
#include "dataplane/status_sum.h"

namespace gate96 {
namespace {

using Json = nlohmann::ordered_json;

std::string_view text(Role role) {
  return role == Role::kProtected ? "protected" : "unprotected";
}
std::string_view text(Mode mode) {
  return mode == Mode::kTunnel ? "tunnel" : "transport";
}
std::string_view text(Direction direction) {
  return direction == Direction::kIn ? "in" : direction == Direction::kOut ? "out" : "both";
}

/// The sum over all workers of what `pick` finds in their counters.
template <class Pick>
std::uint64_t sum(const Gateway& gateway, Pick&& pick) {
  return sum_over_workers(gateway, [&](const Worker& worker) { return pick(worker.counters()).get(); });
}

std::uint64_t ended(const Gateway& gateway, Verdict verdict) {
  return sum(gateway,
             [&](const Counters& c) -> const Counter& { return c.ended[static_cast<std::size_t>(verdict)]; });
}

Json drops(const Gateway& gateway, std::uint64_t& total) {
  Json list = Json::object();
  for (std::size_t i = kFirstDrop; i < kNumVerdicts; ++i) {
    const auto verdict = static_cast<Verdict>(i);
    const std::uint64_t count = ended(gateway, verdict);
    total += count;
    if (count > 0) list[std::string(name(verdict))] = count;
  }
  return list;
}

Json counters(const Gateway& gateway) {
  std::uint64_t rx = 0;
  for (std::size_t i = 0; i < gateway.ports().size(); ++i) {
    rx += sum(gateway, [i](const Counters& c) -> const Counter& { return c.ports[i].rx_packets; });
  }
  const std::uint64_t originated =
      sum(gateway, [](const Counters& c) -> const Counter& { return c.originated; });
  const std::uint64_t made =
      sum(gateway, [](const Counters& c) -> const Counter& { return c.fragments_made; });
  const std::uint64_t tx = ended(gateway, Verdict::kForwarded);
  const std::uint64_t local = ended(gateway, Verdict::kLocal);
  const std::uint64_t consumed = ended(gateway, Verdict::kConsumed);
  const std::uint64_t merged = ended(gateway, Verdict::kMerged);
  const std::uint64_t held = ended(gateway, Verdict::kHeld);
  std::uint64_t dropped = 0;
  Json dropped_by = drops(gateway, dropped);
  const auto left = static_cast<std::int64_t>(rx + originated + made);
  const auto right = static_cast<std::int64_t>(tx + dropped + local + consumed + merged + held);
  return {{"gateway", gateway.config().gateway.name},
          {"rx", rx},
          {"originated", originated},
          {"fragments_made", made},
          {"tx", tx},
          {"local", local},
          {"consumed", consumed},
          {"merged", merged},
          {"held", held},
          {"dropped", dropped},
          {"drops", std::move(dropped_by)},
          {"handed_over", sum(gateway, [](const Counters& c) -> const Counter& { return c.handed_over; })},
          {"esp_in", sum(gateway, [](const Counters& c) -> const Counter& { return c.esp_in; })},
          {"esp_out", sum(gateway, [](const Counters& c) -> const Counter& { return c.esp_out; })},
          {"icv_bad", ended(gateway, Verdict::kIcvBad)},
          {"balance", left - right}};
}

Json port_json(const Gateway& gateway, std::size_t i) {
  const Port& port = *gateway.ports()[i];
  auto of = [&](Counter PortCounters::*field) {
    return sum(gateway, [&](const Counters& c) -> const Counter& { return c.ports[i].*field; });
  };
  Json addresses = Json::array();
  for (const IpPrefix& address : port.info().addresses) addresses.push_back(address.to_string());
  const std::uint64_t rx = of(&PortCounters::rx_packets);
  const std::uint64_t kernel = port.kernel_rx_packets();
  return {{"name", port.info().name},
          {"device", port.device()},
          {"role", text(port.info().role)},
          {"mac", port.info().mac.to_string()},
          {"mtu", port.info().mtu},
          {"addresses", std::move(addresses)},
          {"link_up", port.link_up()},
          {"queues", port.num_queues()},
          {"rx_packets", rx},
          {"rx_bytes", of(&PortCounters::rx_bytes)},
          {"tx_packets", of(&PortCounters::tx_packets)},
          {"tx_bytes", of(&PortCounters::tx_bytes)},
          {"tx_full", of(&PortCounters::tx_full)},
          {"kernel_ring", kernel > rx ? kernel - rx : 0}};
}

Json ports(const Gateway& gateway) {
  Json list = Json::array();
  for (std::size_t i = 0; i < gateway.ports().size(); ++i) list.push_back(port_json(gateway, i));
  return {{"gateway", gateway.config().gateway.name}, {"ports", std::move(list)}};
}

Json sas(const Gateway& gateway) {
  Json list = Json::array();
  for (const auto& sa : gateway.tables().sas) {
    list.push_back({{"name", sa->name},
                    {"direction", text(sa->direction)},
                    {"spi", fmt::format("{:#010x}", sa->spi)},
                    {"mode", text(sa->mode)},
                    {"src", sa->src.to_string()},
                    {"dst", sa->dst.to_string()},
                    {"esn", sa->esn},
                    {"replay_window", sa->window.size()},
                    {"seq", sa->seq.get()},
                    {"expired", sa->expired.get() != 0},
                    {"packets", sa->packets.get()},
                    {"bytes", sa->bytes.get()},
                    {"replay_drops", sa->replays.get()},
                    {"icv_bad", sa->icv_bad.get()},
                    {"selector_mismatch", sa->selector_mismatch.get()}});
  }
  return {{"gateway", gateway.config().gateway.name}, {"sas", std::move(list)}};
}

Json events(const Gateway& gateway) {
  Json list = Json::array();
  for (const Event& event : gateway.events().recent()) list.push_back(to_json(event));
  return {{"gateway", gateway.config().gateway.name},
          {"events", std::move(list)},
          {"lost", gateway.events().lost()}};
}

}  // namespace

std::string status_json(const Gateway& gateway, std::string_view what) {
  if (what == "counters") return json_text(counters(gateway));
  if (what == "ports") return json_text(ports(gateway));
  if (what == "sa") return json_text(sas(gateway));
  if (what == "events") return json_text(events(gateway));
  if (what == "crypto") return json_text(crypto_status(gateway));
  if (what == "fpu") return json_text(fpu_status(gateway));
  return json_text({{"error", "unknown request; there are counters, ports, sa, crypto, fpu, events"}});
}

}  // namespace gate96
