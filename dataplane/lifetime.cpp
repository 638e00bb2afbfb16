// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/lifetime.h"

#include "dataplane/context.h"
#include "dataplane/esp.h"
#include "dataplane/handover.h"
#include "dataplane/sa.h"

namespace gate96 {
namespace {

constexpr std::uint64_t kNotEncrypted = esp::kHeaderLen + esp::kIcvLen;

/// What has become of one limit at `used`: the events, and whether the SA goes on.
void judge(Context& context, Sa& sa, const Lifetime& life, std::uint64_t used, const char* unit) {
  if (life.soft && used >= *life.soft && !sa.life.soft_told) {
    sa.life.soft_told = true;
    if (context.events != nullptr) context.events->life(sa, EventKind::kLifeSoft, unit, used);
  }
  if (life.hard && used >= *life.hard && sa.expired.get() == 0) {
    sa.expired.set(1);
    if (context.events != nullptr) context.events->life(sa, EventKind::kLifeHard, unit, used);
  }
}

bool is_over(const Lifetime& life, std::uint64_t used) {
  return life.hard && used > *life.hard;
}

/// What an SA has used of its life so far.
struct Used {
  std::uint64_t bytes, packets, seconds;
};

Used used_by(const Context& context, const Sa& sa) {
  const std::uint64_t packets = sa.packets.get();
  const std::uint64_t born_ms = sa.life.born_ms;
  return {sa.bytes.get() - packets * kNotEncrypted, packets,
          born_ms == 0 ? 0 : (context.now_ms - born_ms) / 1000};
}

bool reaches(const SaLife& life, std::optional<std::uint64_t> Lifetime::*limit, const Used& used) {
  const auto over = [limit](const Lifetime& of, std::uint64_t amount) {
    return of.*limit && amount >= *(of.*limit);
  };
  return over(life.bytes, used.bytes) || over(life.packets, used.packets) || over(life.seconds, used.seconds);
}

}  // namespace

void inherit_age(const Context& context, Sa& sa, const Sa& old) {
  sa.life.born_ms = old.life.born_ms;
  const Used used = used_by(context, sa);
  sa.life.soft_told = old.life.soft_told && reaches(sa.life, &Lifetime::soft, used);
  sa.expired.set(old.expired.get() != 0 && reaches(sa.life, &Lifetime::hard, used) ? 1 : 0);
}

bool spend_of_limit(Context& context, Sa& sa, std::uint32_t esp_len) {
  if (sa.expired.get() != 0) return false;  // by an earlier packet of the same burst
  const SaLife& life = sa.life;
  const std::uint64_t packets = sa.packets.get() + 1;
  const std::uint64_t bytes = sa.bytes.get() + esp_len;
  const std::uint64_t encrypted = bytes - packets * kNotEncrypted;
  judge(context, sa, life.packets, packets, "packets");
  judge(context, sa, life.bytes, encrypted, "bytes");
  if (is_over(life.packets, packets) || is_over(life.bytes, encrypted)) return false;
  sa.packets.set(packets);
  sa.bytes.set(bytes);
  return true;
}

void age(Context& context) {
  for (Sa* sa : context.tables->timed_sas) {
    if (!owns(context, *sa)) continue;
    if (sa->life.born_ms == 0) sa->life.born_ms = context.now_ms;
    judge(context, *sa, sa->life.seconds, (context.now_ms - sa->life.born_ms) / 1000, "seconds");
  }
}

}  // namespace gate96
