// SPDX-License-Identifier: BSD-3-Clause
#include "tests/dataplane/policed_site.h"

#include <fmt/format.h>
#include <rte_ip.h>

#include <algorithm>
#include <span>

#include "dataplane/wire_format.h"
#include "fpu/profile.h"

namespace gate96::test {
namespace {

constexpr std::string_view kHead = R"(
[gateway]
name = "policed"
workers = {workers}
[[port]]
name = "lan"
device = "null"
role = "protected"
addresses = ["{lan}"]
[[port]]
name = "wan"
device = "null"
role = "unprotected"
addresses = ["{wan}/24"]
[[route]]
to = "{far}"
via = "{peer}"
port = "wan"
)";

constexpr std::string_view kSa = R"(
[[sa]]
name = "sa{n}"
direction = "{direction}"
spi = {spi}
mode = "tunnel"
src = "192.0.2.1"
dst = "192.0.2.2"
key = "{key:02x}"
[[policy]]
direction = "{direction}"
src = "10.1.0.0/16"
dst = "10.2.{n}.0/24"
action = "protect"
sa = "sa{n}"
)";

PolicedSite make_site(bool sends, const std::string& fpu, unsigned num_workers) {
  using namespace fmt::literals;
  const char* const ends[] = {"192.0.2.1", "192.0.2.2"};
  const char* const lans[] = {"10.1.0.1/16", "10.2.0.1/16"};
  const char* const nets[] = {"10.1.0.0/16", "10.2.0.0/16"};
  std::string text = fmt::format(kHead, "lan"_a = lans[!sends], "wan"_a = ends[!sends], "far"_a = nets[sends],
                                 "peer"_a = ends[sends], "workers"_a = num_workers);
  for (unsigned n = 0; n < kNumSas; ++n) {
    text += fmt::format(kSa, "n"_a = n, "direction"_a = sends ? "out" : "in", "spi"_a = 0x1000 + n,
                        "key"_a = fmt::join(key_of(n), ""));
  }
  auto config = parse_config(text + "[fpu]\n" + fpu, "policed.toml");
  if (!config) throw std::runtime_error(to_json(config.diagnostics()));
  return PolicedSite(*config);
}

}  // namespace

std::vector<std::uint8_t> key_of(unsigned sa) {
  std::vector<std::uint8_t> key(20);
  for (std::size_t i = 0; i < key.size(); ++i) key[i] = static_cast<std::uint8_t>(17 + 29 * i + 71 * sa);
  return key;
}

PolicedSite::PolicedSite(const Config& config) : infos_(std::make_unique<std::vector<PortInfo>>()) {
  *infos_ = make_port_infos(config);
  tables_ = std::make_unique<Tables>(config, *infos_);
  const unsigned num_workers = config.gateway.workers;
  if (num_workers > 1) handover_ = std::make_unique<Handover>(num_workers);
  if (config.fpu.defer_to == fpu::DeferTo::kLcores) exchange_ = std::make_unique<IcvExchange>(num_workers);
  for (unsigned i = 0; i < num_workers; ++i) {
    sent_.push_back(std::make_unique<Sent>());
    workers_.push_back(std::make_unique<Worker>(config, *infos_, test_pool(), *sent_.back(),
                                                Worker::Options{.unknown = Unknown::kZeroMac,
                                                                .index = i,
                                                                .handover = handover_.get(),
                                                                .exchange = exchange_.get()}));
  }
}

PolicedSite PolicedSite::sender(const std::string& fpu, unsigned num_workers) {
  return make_site(true, fpu, num_workers);
}
PolicedSite PolicedSite::receiver(const std::string& fpu, unsigned num_workers) {
  return make_site(false, fpu, num_workers);
}

void PolicedSite::receive(std::uint8_t port, const std::vector<Frame>& frames, unsigned worker) {
  std::vector<rte_mbuf*> packets;
  for (const Frame& frame : frames) packets.push_back(make_packet(frame).release());
  workers_[worker]->receive(*tables_, port, packets.data(), static_cast<std::uint16_t>(packets.size()));
}

bool PolicedSite::turn() {
  bool any = false;
  for (const auto& worker : workers_) {
    any |= worker->take_over(*tables_);
    any |= worker->drain(*tables_);
  }
  return any;
}

std::vector<Frame> PolicedSite::run(std::uint8_t port, const std::vector<Frame>& frames, std::size_t burst) {
  for (std::size_t at = 0; at < frames.size(); at += burst) {
    const auto begin = frames.begin() + static_cast<std::ptrdiff_t>(at);
    const auto num = static_cast<std::ptrdiff_t>(std::min(burst, frames.size() - at));
    receive(port, {begin, begin + num});
    turn();
  }
  while (turn()) {
  }
  return sent();
}

std::vector<Frame> PolicedSite::sent() const {
  std::vector<Frame> all;
  for (const auto& sent : sent_) all.insert(all.end(), sent->frames.begin(), sent->frames.end());
  return all;
}

std::uint64_t PolicedSite::ended(Verdict verdict) const {
  std::uint64_t total = 0;
  for (const auto& worker : workers_)
    total += worker->counters().ended[static_cast<std::size_t>(verdict)].get();
  return total;
}

std::uint64_t PolicedSite::sum(fpu::Counter fpu::Counters::*counter) const {
  std::uint64_t total = 0;
  for (const auto& worker : workers_) total += (worker->fpu().counters().*counter).get();
  return total;
}

std::int64_t PolicedSite::balance() const {
  std::int64_t balance = 0;
  for (const auto& worker : workers_) {
    const Counters& counters = worker->counters();
    std::uint64_t in = counters.originated.get() + counters.fragments_made.get();
    for (const PortCounters& port : counters.ports) in += port.rx_packets.get();
    std::uint64_t out = 0;
    for (const Counter& counter : counters.ended) out += counter.get();
    balance += static_cast<std::int64_t>(in - out);
  }
  return balance;
}

std::vector<Frame> lan_frames(std::size_t num) {
  std::vector<Frame> frames;
  for (std::size_t i = 0; i < num; ++i) {
    const std::size_t body_len = i * 37 % 1300;
    Frame frame(sizeof(EtherHeader) + sizeof(Ipv4Header) + 8 + body_len);
    auto* ether = reinterpret_cast<EtherHeader*>(frame.data());
    ether->type = rte_cpu_to_be_16(kEtherTypeIpv4);
    auto* ip = reinterpret_cast<Ipv4Header*>(ether + 1);
    *ip = {0x45, 0, 0, 0, 0, 64, kProtoUdp, 0, {10, 1, 0, 2}, {10, 2, 0, 2}};
    ip->dst[2] = static_cast<std::uint8_t>(i % kNumSas);
    ip->total_len = rte_cpu_to_be_16(static_cast<std::uint16_t>(frame.size() - sizeof(EtherHeader)));
    ip->id = rte_cpu_to_be_16(static_cast<std::uint16_t>(i));
    ip->checksum = rte_ipv4_cksum(reinterpret_cast<const rte_ipv4_hdr*>(ip));
    auto* udp = reinterpret_cast<std::uint8_t*>(ip + 1);
    udp[1] = 7;
    udp[3] = 7;
    udp[4] = static_cast<std::uint8_t>((8 + body_len) >> 8);
    udp[5] = static_cast<std::uint8_t>(8 + body_len);
    for (std::size_t b = 0; b < body_len; ++b) udp[8 + b] = static_cast<std::uint8_t>(b * 7 + i);
    frames.push_back(std::move(frame));
  }
  return frames;
}

const std::vector<Frame>& frames() {
  static const std::vector<Frame> all = lan_frames(kNumFrames);
  return all;
}

const std::vector<Frame>& sealed() {
  static const std::vector<Frame> all = PolicedSite::sender("").run(kLan, frames());
  return all;
}

std::vector<std::vector<Frame>> by_sa(const std::vector<Frame>& frames) {
  std::vector<std::vector<Frame>> lists(kNumSas);
  for (const Frame& frame : frames) lists.at(frame.at(kEspAt + 3)).push_back(frame);
  return lists;
}

std::vector<Frame> sorted(std::vector<Frame> frames) {
  std::ranges::sort(frames);
  return frames;
}

std::vector<std::string_view> profile_names() {
  std::vector<std::string_view> names;
  for (const fpu::Profile* profile : fpu::profiles()) names.push_back(profile->name);
  return names;
}

}  // namespace gate96::test
