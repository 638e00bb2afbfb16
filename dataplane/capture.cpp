// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/capture.h"

#include <fmt/format.h>

#include <stdexcept>

namespace gate96 {
namespace {

constexpr int kSnapLen = 262144;

}  // namespace

CaptureReader::CaptureReader(const std::string& path) : path_(path) {
  char error[PCAP_ERRBUF_SIZE] = "";
  pcap_.reset(pcap_open_offline(path.c_str(), error));
  if (!pcap_) throw std::runtime_error(fmt::format("capture {}: {}", path, error));
  if (pcap_datalink(pcap_.get()) != DLT_EN10MB) {
    const char* type = pcap_datalink_val_to_name(pcap_datalink(pcap_.get()));
    throw std::runtime_error(fmt::format("capture {}: link type {}; it must be Ethernet (EN10MB)", path,
                                         type != nullptr ? type : "unknown"));
  }
}

std::optional<Frame> CaptureReader::next() {
  pcap_pkthdr* header = nullptr;
  const u_char* bytes = nullptr;
  const int result = pcap_next_ex(pcap_.get(), &header, &bytes);
  if (result == PCAP_ERROR_BREAK) return std::nullopt;
  if (result != 1) throw std::runtime_error(fmt::format("capture {}: {}", path_, pcap_geterr(pcap_.get())));
  ++num_;
  if (header->caplen < header->len) {
    throw std::runtime_error(
        fmt::format("capture {}: packet {}: only {} of {} bytes were captured; capture whole "
                    "packets (tcpdump -s 0)",
                    path_, num_, header->caplen, header->len));
  }
  return Frame{header->ts, {bytes, header->caplen}};
}

CaptureWriter::CaptureWriter(const std::string& path) : pcap_(pcap_open_dead(DLT_EN10MB, kSnapLen)) {
  dumper_.reset(pcap_dump_open(pcap_.get(), path.c_str()));
  if (!dumper_) throw std::runtime_error(fmt::format("capture {}: {}", path, pcap_geterr(pcap_.get())));
}

void CaptureWriter::write(const Frame& frame) {
  const auto len = static_cast<bpf_u_int32>(frame.bytes.size());
  const pcap_pkthdr header = {frame.time, len, len};
  pcap_dump(reinterpret_cast<u_char*>(dumper_.get()), &header, frame.bytes.data());
}

}  // namespace gate96
