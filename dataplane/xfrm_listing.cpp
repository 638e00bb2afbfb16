// SPDX-License-Identifier: BSD-3-Clause
// An entry begins at the margin with "src"; its next line tells a state ("proto") from a policy ("dir",
// "socket"). Then each keyword is followed by its values; a table a kind of line says which keywords matter.
#include "dataplane/xfrm_listing.h"

#include <algorithm>
#include <charconv>

namespace gate96 {
namespace {

/// The words of one line. Commas, and what -s adds in brackets, are no part of them.
class Words {
 public:
  explicit Words(std::string_view line) : rest_(line) {}

  /// The next word; empty at the end.
  std::string_view next() {
    for (;;) {
      rest_.remove_prefix(std::min(rest_.find_first_not_of(kSpace), rest_.size()));
      const std::string_view word = rest_.substr(0, rest_.find_first_of(kSpace));
      if (word.starts_with('(') && !word.starts_with("(INF)")) {
        rest_.remove_prefix(std::min(rest_.find(')'), rest_.size() - 1) + 1);  // "(160 bits)"
        continue;
      }
      rest_.remove_prefix(word.size());
      const bool is_number = !word.empty() && word[0] >= '0' && word[0] <= '9';
      return is_number ? word.substr(0, word.find('(')) : word;  // "4104(0x1008)", but "hmac(sha1)"
    }
  }

  /// The next word as a number, decimal or 0x; 0 if it is none.
  template <typename Int>
  Int number() {
    std::string_view word = next();
    Int value = 0;
    const int base = word.starts_with("0x") ? 16 : 10;
    if (base == 16) word.remove_prefix(2);
    std::from_chars(word.data(), word.data() + word.size(), value, base);
    return value;
  }

  IpAddress address() { return IpAddress::parse(next()).value_or(IpAddress{}); }
  IpPrefix prefix() { return IpPrefix::parse(next()).value_or(IpPrefix{}); }
  void skip_rest() { rest_ = {}; }

 private:
  static constexpr std::string_view kSpace = " \t\r,";

  std::string_view rest_;
};

/// What a keyword does to T.
template <typename T>
struct Keyword {
  std::string_view word;
  void (*read)(Words& words, T& out);
};

template <typename T, std::size_t N>
void read_line(std::string_view line, const Keyword<T> (&keywords)[N], T& out) {
  Words words(line);
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    for (const Keyword<T>& keyword : keywords) {
      if (keyword.word == word) keyword.read(words, out);
    }
  }
}

void set_half(std::uint64_t& number, std::uint32_t half, unsigned shift) {
  number = (number & ~(std::uint64_t{0xffffffff} << shift)) | std::uint64_t{half} << shift;
}

/// The legacy field is 0 where the window is in the ESN one, and the other way round.
void read_window(Words& words, XfrmState& state) {
  if (const auto window = words.number<unsigned>(); window != 0) state.replay_window = window;
}

void read_limit(Words& words, std::optional<std::uint64_t>& limit) {
  if (const auto value = words.number<std::uint64_t>(); value != 0) limit = value;
}

constexpr Keyword<Lifetime> kLifetimeWords[] = {
    {"soft", [](Words& words, Lifetime& life) { read_limit(words, life.soft); }},
    {"hard", [](Words& words, Lifetime& life) { read_limit(words, life.hard); }},
};

/// "limit: soft 7(packets), hard (INF)(packets)", "expire add: soft 0(sec), hard 3600(sec)"
void read_lifetime(std::string_view line, XfrmState& state) {
  if (line.find("(bytes)") != line.npos) read_line(line, kLifetimeWords, state.bytes);
  if (line.find("(packets)") != line.npos) read_line(line, kLifetimeWords, state.packets);
  if (line.find("expire add:") != line.npos) read_line(line, kLifetimeWords, state.seconds);
}

constexpr Keyword<UdpEncapConfig> kEncapWords[] = {
    {"sport", [](Words& words, UdpEncapConfig& encap) { encap.src_port = words.number<std::uint16_t>(); }},
    {"dport", [](Words& words, UdpEncapConfig& encap) { encap.dst_port = words.number<std::uint16_t>(); }},
};

void read_auth(Words& words, XfrmState& state) {
  state.auth = words.next();
  state.auth_key = words.next();
  state.auth_bits = words.number<unsigned>();
}

constexpr Keyword<XfrmState> kStateWords[] = {
    {"src", [](Words& words, XfrmState& state) { state.src = words.address(); }},
    {"dst", [](Words& words, XfrmState& state) { state.dst = words.address(); }},
    {"proto", [](Words& words, XfrmState& state) { state.proto = words.next(); }},
    {"spi", [](Words& words, XfrmState& state) { state.spi = words.number<std::uint32_t>(); }},
    {"reqid", [](Words& words, XfrmState& state) { state.reqid = words.number<std::uint32_t>(); }},
    {"mode", [](Words& words, XfrmState& state) { state.mode = words.next(); }},
    {"replay-window", read_window},
    {"esn", [](Words&, XfrmState& state) { state.esn = true; }},
    {"auth", read_auth},
    {"auth-trunc", read_auth},
    {"aead",
     [](Words& words, XfrmState& state) {
       state.aead = true;
       words.skip_rest();
     }},
    {"enc",
     [](Words& words, XfrmState& state) {
       state.enc = words.next();
       words.skip_rest();
     }},
};

/// "anti-replay context: seq 0x0, oseq 0x0, ...", and the lines below "anti-replay esn context:"
constexpr Keyword<XfrmState> kReplayWords[] = {
    {"seq", [](Words& words, XfrmState& state) { set_half(state.seq, words.number<std::uint32_t>(), 0); }},
    {"seq-hi",
     [](Words& words, XfrmState& state) { set_half(state.seq, words.number<std::uint32_t>(), 32); }},
    {"oseq", [](Words& words, XfrmState& state) { set_half(state.oseq, words.number<std::uint32_t>(), 0); }},
    {"oseq-hi",
     [](Words& words, XfrmState& state) { set_half(state.oseq, words.number<std::uint32_t>(), 32); }},
    {"replay_window", read_window},
};

void read_state_line(std::string_view line, XfrmState& state) {
  const std::string_view first = Words(line).next();
  if (first == "anti-replay" || first == "seq-hi" || first == "replay_window") {
    read_line(line, kReplayWords, state);
  } else if (first == "limit:" || first == "expire") {
    read_lifetime(line, state);
  } else if (first == "encap") {
    read_line(line, kEncapWords, state.encap.emplace());
  } else if (first != "sel") {
    read_line(line, kStateWords, state);
  }
}

constexpr Keyword<XfrmTemplate> kTemplateWords[] = {
    {"src", [](Words& words, XfrmTemplate& out) { out.src = words.address(); }},
    {"dst", [](Words& words, XfrmTemplate& out) { out.dst = words.address(); }},
    {"proto", [](Words& words, XfrmTemplate& out) { out.proto = words.next(); }},
    {"reqid", [](Words& words, XfrmTemplate& out) { out.reqid = words.number<std::uint32_t>(); }},
    {"mode", [](Words& words, XfrmTemplate& out) { out.mode = words.next(); }},
    {"level", [](Words& words, XfrmTemplate& out) { out.optional = words.next() == "use"; }},
};

/// The selector, in an entry's first line, and the line below it.
constexpr Keyword<XfrmPolicy> kPolicyWords[] = {
    {"src", [](Words& words, XfrmPolicy& policy) { policy.src = words.prefix(); }},
    {"dst", [](Words& words, XfrmPolicy& policy) { policy.dst = words.prefix(); }},
    {"proto", [](Words& words, XfrmPolicy& policy) { policy.proto = words.next(); }},
    {"sport", [](Words& words, XfrmPolicy& policy) { policy.sport = words.number<std::uint16_t>(); }},
    {"dport", [](Words& words, XfrmPolicy& policy) { policy.dport = words.number<std::uint16_t>(); }},
    {"type", [](Words& words, XfrmPolicy& policy) { policy.type = words.number<std::uint16_t>(); }},
    {"code", [](Words& words, XfrmPolicy& policy) { policy.code = words.number<std::uint16_t>(); }},
    {"dev", [](Words& words, XfrmPolicy& policy) { policy.device = words.next(); }},
    {"dir", [](Words& words, XfrmPolicy& policy) { policy.direction = words.next(); }},
    {"action", [](Words& words, XfrmPolicy& policy) { policy.block = words.next() == "block"; }},
    {"priority", [](Words& words, XfrmPolicy& policy) { policy.priority = words.number<std::uint32_t>(); }},
};

void read_policy_line(std::string_view line, XfrmPolicy& policy) {
  const std::string_view first = Words(line).next();
  if (first == "tmpl") policy.templates.emplace_back();
  if (first == "lifetime" || first == "limit:" || first == "expire") return;
  if (policy.templates.empty()) return read_line(line, kPolicyWords, policy);
  read_line(line, kTemplateWords, policy.templates.back());
}

enum class Entry { kNone, kBegun, kState, kPolicy };

}  // namespace

XfrmListing parse_xfrm(std::string_view text) {
  XfrmListing listing;
  Entry entry = Entry::kNone;
  std::string_view head;
  for (unsigned number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const std::string_view first = Words(line).next();
    if (line.starts_with("src ")) {
      entry = Entry::kBegun;
      head = line;
      continue;
    }
    if (entry == Entry::kBegun && first == "proto") {
      entry = Entry::kState;
      listing.states.emplace_back().line = number - 1;
      read_state_line(head, listing.states.back());
    } else if (entry == Entry::kBegun) {
      entry = Entry::kPolicy;
      listing.policies.emplace_back().line = number - 1;
      read_policy_line(head, listing.policies.back());
    } else if (first == "stats:") {
      entry = Entry::kNone;  // what follows counts failures, under the names of settings
    }
    if (entry == Entry::kState) read_state_line(line, listing.states.back());
    if (entry == Entry::kPolicy) read_policy_line(line, listing.policies.back());
  }
  return listing;
}

}  // namespace gate96
