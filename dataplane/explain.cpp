// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <vector>

#include "dataplane/capture.h"
#include "dataplane/cli.h"
#include "dataplane/eal.h"
#include "dataplane/json_text.h"
#include "dataplane/mbuf_ops.h"
#include "dataplane/sa.h"
#include "dataplane/worker.h"

namespace gate96 {
namespace {

struct End {
  Verdict verdict = Verdict::kHeld;  // until it is known to have ended
  std::string sa;
  std::uint64_t seq = 0;
};

/// Collects each packet's end, and writes what is sent.
class Recorder : public Trace, public Transmitter {
 public:
  Recorder(const Config& config, const std::string& folder) {
    if (folder.empty()) return;
    std::filesystem::create_directories(folder);
    for (const PortConfig& port : config.ports) writers_.emplace_back(folder + "/" + port.name + ".pcap");
  }

  void ended(const rte_mbuf* m, Verdict verdict) override {
    const PacketInfo& p = info(m);
    if (p.number == 0) return;
    ends[p.number - 1] = {verdict, p.sa != nullptr ? p.sa->name : "", p.seq};
  }

  std::uint16_t send(std::uint8_t port, rte_mbuf** frames, std::uint16_t num) override {
    for (std::uint16_t i = 0; i < num; ++i) {
      ended(frames[i], Verdict::kForwarded);
      if (!writers_.empty()) {
        bytes_.resize(frames[i]->pkt_len);
        copy_out(frames[i], 0, frames[i]->pkt_len, bytes_.data());
        writers_[port].write({time, bytes_});
      }
      rte_pktmbuf_free(frames[i]);
    }
    return num;
  }

  std::vector<End> ends;  // by packet number - 1
  timeval time{};

 private:
  std::vector<CaptureWriter> writers_;
  std::vector<std::uint8_t> bytes_;
};

/// The configuration's packet side with an environment of its own.
Config offline(Config config) {
  make_offline(config, "explain");
  for (PortConfig& port : config.ports) port.device = "null";
  return config;
}

/// The frame as an mbuf, or a chain if it is longer than one.
rte_mbuf* make_packet(rte_mempool* pool, std::span<const std::uint8_t> bytes, std::uint32_t number) {
  rte_mbuf* m = rte_pktmbuf_alloc(pool);
  if (m == nullptr) throw std::runtime_error("out of packet buffers");
  append_bytes(m, bytes, pool);
  info(m).number = number;
  return m;
}

void run(const Config& config, const ExplainOptions& options, std::uint8_t port, Recorder& recorder) {
  rte_mempool* pool = make_packet_pool(config);
  const std::vector<PortInfo> infos = make_port_infos(config);
  const Tables tables(config, infos);
  Worker worker(config, infos, pool, recorder, {Unknown::kZeroMac, &recorder});
  CaptureReader reader(options.capture);
  std::vector<rte_mbuf*> burst;
  auto hand_over = [&] {
    worker.receive(tables, port, burst.data(), static_cast<std::uint16_t>(burst.size()));
    burst.clear();
    worker.drain(tables);
  };
  while (const auto frame = reader.next()) {
    recorder.time = frame->time;
    recorder.ends.emplace_back();
    burst.push_back(make_packet(pool, frame->bytes, static_cast<std::uint32_t>(recorder.ends.size())));
    if (burst.size() == options.burst) hand_over();
  }
  if (!burst.empty()) hand_over();
  worker.drain_all();
}

void print_json(const std::vector<End>& ends) {
  nlohmann::ordered_json packets = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const bool has_sa = !ends[i].sa.empty();
    packets.push_back({{"n", i + 1},
                       {"verdict", name(ends[i].verdict)},
                       {"sa", has_sa ? nlohmann::ordered_json(ends[i].sa) : nlohmann::ordered_json()},
                       {"seq", has_sa ? nlohmann::ordered_json(ends[i].seq) : nlohmann::ordered_json()}});
  }
  fmt::print("{}\n", json_text({{"packets", std::move(packets)}}));
}

void print_lines(const std::vector<End>& ends) {
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const End& end = ends[i];
    const std::string sa = end.sa.empty() ? "-" : fmt::format("{} seq {}", end.sa, end.seq);
    fmt::print("{:>6}  {:<18} {:<28} {}\n", i + 1, name(end.verdict), sa, meaning(end.verdict));
  }
}

}  // namespace

int explain(const Config& config, const ExplainOptions& options) {
  const auto port = std::ranges::find(config.ports, options.port, &PortConfig::name);
  if (port == config.ports.end()) {
    std::vector<std::string> names;
    for (const PortConfig& p : config.ports) names.push_back(p.name);
    fmt::print(stderr, "gate96: --port {}: no such port in {}; there are {}\n", options.port, config.file,
               fmt::join(names, ", "));
    return kUsage;
  }
  try {
    const Config alone = offline(config);
    const Eal eal(alone);
    Recorder recorder(alone, options.out);
    run(alone, options, static_cast<std::uint8_t>(port - config.ports.begin()), recorder);
    options.json ? print_json(recorder.ends) : print_lines(recorder.ends);
    return kOk;
  } catch (const std::exception& failure) {
    fmt::print(stderr, "gate96: {}\n", failure.what());
    return kRuntimeError;
  }
}

}  // namespace gate96
