// SPDX-License-Identifier: BSD-3-Clause
// Capture files of Ethernet frames, over libpcap.
#pragma once

#include <pcap/pcap.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace gate96 {

struct Frame {
  timeval time;
  std::span<const std::uint8_t> bytes;  // valid until the next read
};

class CaptureReader {
 public:
  /// Throws std::runtime_error: unreadable, no capture, or not Ethernet.
  explicit CaptureReader(const std::string& path);

  /// Nullopt at the end. Throws std::runtime_error for a damaged file, or a frame cut by the capture's snap
  /// length.
  std::optional<Frame> next();

 private:
  struct Close {
    void operator()(pcap_t* pcap) const { pcap_close(pcap); }
  };
  std::string path_;
  std::unique_ptr<pcap_t, Close> pcap_;
  std::uint64_t num_ = 0;
};

class CaptureWriter {
 public:
  /// Throws std::runtime_error.
  explicit CaptureWriter(const std::string& path);
  void write(const Frame& frame);

 private:
  struct Close {
    void operator()(pcap_t* pcap) const { pcap_close(pcap); }
    void operator()(pcap_dumper_t* dumper) const { pcap_dump_close(dumper); }
  };
  std::unique_ptr<pcap_t, Close> pcap_;
  std::unique_ptr<pcap_dumper_t, Close> dumper_;
};

}  // namespace gate96
