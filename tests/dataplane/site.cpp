// SPDX-License-Identifier: BSD-3-Clause
#include "tests/dataplane/site.h"

#include <rte_ip.h>

#include <cstring>
#include <numeric>
#include <stdexcept>

#include "dataplane/config_load.h"
#include "dataplane/mbuf_ops.h"
#include "dataplane/wire_format.h"
#include "hmac/hmac.h"

namespace gate96 {

Site::Site(rte_mempool* pool, std::string_view toml) : pool_(pool) {
  auto config = parse_config(toml, "site.toml");
  if (!config) throw std::runtime_error(to_string(config.diagnostics().front()));
  config_ = std::move(config).value();
  ports_ = make_port_infos(config_);
  tables_ = std::make_unique<const Tables>(config_, ports_);
  worker_ = std::make_unique<Worker>(config_, ports_, pool, *this, Worker::Options{});
}

void Site::receive(std::uint8_t port, const std::vector<Bytes>& frames) {
  std::vector<rte_mbuf*> burst;
  for (const Bytes& frame : frames) {
    rte_mbuf* m = rte_pktmbuf_alloc(pool_);
    append_bytes(m, frame, pool_);
    info(m).number = 0;
    burst.push_back(m);
  }
  receive_packets(port, std::move(burst));
}

void Site::receive_packets(std::uint8_t port, std::vector<rte_mbuf*> burst) {
  worker_->receive(*tables_, port, burst.data(), static_cast<std::uint16_t>(burst.size()));
}

void Site::meet_neighbours() {
  auto request = [](Ipv4 who, Ipv4 whom) {
    Bytes frame = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2, 0, 0, 0, 0, 9, 8, 6,
                   0,    1,    8,    0,    6,    4,    0, 1, 2, 0, 0, 0, 0, 9};
    frame.insert(frame.end(), who.begin(), who.end());
    frame.insert(frame.end(), 6, 0);
    frame.insert(frame.end(), whom.begin(), whom.end());
    return frame;
  };
  receive(0, {request({10, 1, 0, 2}, {10, 1, 0, 1})});
  receive(1, {request({192, 0, 2, 2}, {192, 0, 2, 1})});
  sent.clear();
}

void Site::tick(std::uint64_t now_ms) {
  worker_->tick(*tables_, now_ms);
}

std::uint64_t Site::ended(Verdict verdict) const {
  return worker_->counters().ended[static_cast<std::size_t>(verdict)].get();
}

std::int64_t Site::balance() const {
  const Counters& counters = worker_->counters();
  std::uint64_t in = counters.originated.get() + counters.fragments_made.get();
  for (const PortCounters& port : counters.ports) in += port.rx_packets.get();
  for (const Counter& ended : counters.ended) in -= ended.get();
  return static_cast<std::int64_t>(in);
}

std::uint16_t Site::send(std::uint8_t, rte_mbuf** frames, std::uint16_t num) {
  num = std::min(num, num_taken);
  for (std::uint16_t i = 0; i < num; ++i) {
    const char* reason = nullptr;
    if (rte_mbuf_check(frames[i], 1, &reason) != 0) throw std::runtime_error(reason);
    if (!keep_sent) continue;
    sent.emplace_back(frames[i]->pkt_len);
    copy_out(frames[i], 0, frames[i]->pkt_len, sent.back().data());
  }
  rte_pktmbuf_free_bulk(frames, num);
  return num;
}

void seal_header(Bytes& bytes, std::size_t at) {
  auto* ip = reinterpret_cast<rte_ipv4_hdr*>(&bytes[at]);
  ip->hdr_checksum = 0;
  ip->hdr_checksum = rte_ipv4_cksum(ip);
}

Bytes udp_datagram(Ipv4 src, Ipv4 dst, std::size_t len, std::uint16_t fragment_field) {
  Bytes bytes(len);
  std::iota(bytes.begin(), bytes.end(), std::uint8_t{1});
  Ipv4Header ip{};
  ip.version_ihl = 0x45;
  ip.total_len = rte_cpu_to_be_16(static_cast<std::uint16_t>(len));
  ip.fragment = rte_cpu_to_be_16(fragment_field);
  ip.ttl = 64;
  ip.protocol = kProtoUdp;
  std::ranges::copy(src, ip.src);
  std::ranges::copy(dst, ip.dst);
  std::memcpy(bytes.data(), &ip, sizeof ip);
  seal_header(bytes);
  return bytes;
}

Bytes framed(const Bytes& ip) {
  Bytes frame = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2, 0, 0, 0, 0, 9, 8, 0};
  frame.insert(frame.end(), ip.begin(), ip.end());
  return frame;
}

Bytes sealed_frame(std::uint32_t spi, std::uint32_t seq, std::span<const std::uint8_t> inside) {
  constexpr std::size_t kHead = sizeof(EtherHeader) + sizeof(Ipv4Header);
  Bytes frame(kHead + sizeof(EspHeader) + inside.size() + hmac::kIcvLen);
  frame[0] = 0xff;  // a group: taken by any port
  frame[12] = 0x08;
  Ipv4Header ip{};
  ip.version_ihl = 0x45;
  ip.total_len = rte_cpu_to_be_16(static_cast<std::uint16_t>(frame.size() - sizeof(EtherHeader)));
  ip.ttl = 64;
  ip.protocol = kProtoEsp;
  std::memcpy(ip.src, "\xc0\x00\x02\x02", 4);
  std::memcpy(ip.dst, "\xc0\x00\x02\x01", 4);
  ip.checksum = static_cast<rte_be16_t>(~rte_raw_cksum(&ip, sizeof ip));
  std::memcpy(&frame[sizeof(EtherHeader)], &ip, sizeof ip);
  const EspHeader esp = {rte_cpu_to_be_32(spi), rte_cpu_to_be_32(seq)};
  std::memcpy(&frame[kHead], &esp, sizeof esp);
  std::copy(inside.begin(), inside.end(), frame.begin() + kHead + sizeof esp);
  std::array<std::uint8_t, 20> key;
  std::iota(key.begin(), key.end(), std::uint8_t{0});
  const auto tag = hmac::digest(hmac::Key(key), {&frame[kHead], sizeof esp + inside.size()});
  std::copy_n(tag.begin(), hmac::kIcvLen, frame.end() - hmac::kIcvLen);
  return frame;
}

}  // namespace gate96
