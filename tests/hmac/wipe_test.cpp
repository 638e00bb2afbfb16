// SPDX-License-Identifier: BSD-3-Clause
// Nothing of a key stays behind.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <new>

#include "hmac/advance.h"
#include "hmac/hmac.h"
#include "tests/hmac/load.h"

namespace gate96::hmac {
namespace {

template <typename T>
bool holds(const T& object, std::span<const std::uint8_t> needle) {
  const auto* begin = reinterpret_cast<const std::uint8_t*>(&object);
  return memmem(begin, sizeof object, needle.data(), needle.size()) != nullptr;
}

template <typename T>
std::span<const std::uint8_t> bytes_of(const T& object) {
  return {reinterpret_cast<const std::uint8_t*>(&object), sizeof object};
}

// Reads an object's memory after its end, through volatile so that the compiler must.
template <typename T>
bool all_zero(const unsigned char* memory) {
  const volatile unsigned char* bytes = memory;
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    if (bytes[i] != 0) return false;
  }
  return true;
}

TEST(Wipe, KeysWhenTheyEnd) {
  alignas(Key) unsigned char memory[sizeof(Key)];
  Key* key = new (memory) Key(Bytes(20, 1));
  EXPECT_FALSE(all_zero<Key>(memory));
  key->~Key();
  EXPECT_TRUE(all_zero<Key>(memory));
}

TEST(Wipe, BurstsWhenTheyAreDone) {
  auto work = std::make_unique<Work>();
  Telemetry telemetry;
  for (const std::string& name : all_choices()) {
    const BackendChoice choice = *BackendChoice::named(name).choice;
    std::memset(static_cast<void*>(&work->streams), 0, sizeof work->streams);
    Load load;
    for (int i = 0; i < 40; ++i) load.add(200);
    begin_work(*work, load.jobs());
    advance(*work, choice, 100, telemetry);
    advance(*work, choice, UINT64_MAX, telemetry);
    end_work(*work);
    for (const Job& job : load.jobs()) {
      EXPECT_FALSE(holds(*work, bytes_of(job.key->inner()))) << name;
      EXPECT_FALSE(holds(*work, bytes_of(job.key->outer()))) << name;
      EXPECT_FALSE(holds(*work, bytes_of(job.key->inner()).first(4))) << name << ", lanes";
    }
  }
}

}  // namespace
}  // namespace gate96::hmac
