// SPDX-License-Identifier: BSD-3-Clause
// The control socket against clients as nobody wants them. What they may cost comes from Limits.
#include "dataplane/control_socket.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <thread>

#include "tests/dataplane/temporary_folder.h"

namespace gate96 {
namespace {

constexpr int kTickMs = 5;

class Client {
 public:
  explicit Client(const std::string& path) : fd_(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.c_str(), path.size());
    EXPECT_EQ(connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  }
  ~Client() { leave(); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  /// What the socket takes at once.
  ssize_t say(const std::string& text) const {
    return send(fd_, text.data(), text.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  }
  void end() const { shutdown(fd_, SHUT_WR); }
  void leave() {
    if (fd_ >= 0) close(fd_);
    fd_ = -1;
  }
  /// What has come; `is_over` tells whether more may.
  std::string hear() {
    char buffer[65536];
    ssize_t num = 0;
    std::string text;
    while ((num = recv(fd_, buffer, sizeof buffer, MSG_DONTWAIT)) > 0)
      text.append(buffer, static_cast<std::size_t>(num));
    is_over = num == 0 || errno != EAGAIN;
    return text;
  }

  bool is_over = false;

 private:
  int fd_;
};

class ControlSocketTest : public testing::Test {
 protected:
  std::string answer(const Request& request) {
    if (request.kind == Request::Kind::kReload) {
      reloads.push_back(request.text);
      return "reloaded";
    }
    if (request.text == "throw") throw std::runtime_error("a path with \xff in it");
    return request.text == "long" ? std::string(std::size_t{4} << 20, 'x') : request.text + "!";
  }

  ControlSocket& start(const ControlSocket::Limits& limits) {
    control_.emplace(
        path, [this](const Request& request) { return answer(request); }, limits);
    return *control_;
  }

  /// The whole answer to the client, which comes within `max_ms`.
  std::string answer_for(Client& client, std::uint64_t max_ms = 2000) {
    std::string text;
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(max_ms);
    while (!client.is_over && std::chrono::steady_clock::now() < end) {
      control_->serve(-1, kTickMs);
      text += client.hear();
    }
    return text;
  }
  std::string ask(const std::string& line) {
    Client client(path);
    client.say(line);
    return answer_for(client);
  }
  void serve_for(int ms) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(ms);
    while (std::chrono::steady_clock::now() < end) control_->serve(-1, kTickMs);
  }

  static std::size_t num_descriptors() {
    const std::filesystem::directory_iterator all("/proc/self/fd");
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
  }

  const TemporaryFolder folder;
  const std::string path = folder.path("control.sock");
  std::vector<std::string> reloads;

 private:
  std::optional<ControlSocket> control_;
};

TEST_F(ControlSocketTest, AnswersALineHoweverItIsCut) {
  start({});
  EXPECT_EQ(ask("counters\n"), "counters!\n");
  Client client(path);
  for (const char byte : std::string("sa\nports")) {
    client.say(std::string(1, byte));
    serve_for(kTickMs);
  }
  EXPECT_EQ(answer_for(client), "sa!\n");
}

TEST_F(ControlSocketTest, ASilentClientKeepsNobodyWaitingAndIsGivenUp) {
  ControlSocket& control = start({.patience_ms = 300});
  Client silent(path);
  serve_for(kTickMs);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(ask("counters\n"), "counters!\n");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(200));
  EXPECT_NE(answer_for(silent).find("no request came within 300 ms"), std::string::npos);
  EXPECT_EQ(control.num_sessions(), 0U);
}

TEST_F(ControlSocketTest, APatientTricklerIsGivenUpToo) {
  start({.patience_ms = 200});
  Client trickler(path);
  const auto begin = std::chrono::steady_clock::now();
  while (!trickler.is_over && std::chrono::steady_clock::now() - begin < std::chrono::seconds(5)) {
    trickler.say("x");
    serve_for(kTickMs);
    static_cast<void>(trickler.hear());
  }
  EXPECT_TRUE(trickler.is_over);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(2));
}

TEST_F(ControlSocketTest, AMegabyteWithoutNewlineIsRefusedAtOnce) {
  ControlSocket& control = start({});
  Client endless(path);
  EXPECT_GT(endless.say(std::string(1u << 20, 'a')), 4200);
  EXPECT_NE(answer_for(endless).find("a request is at most 4200 bytes"), std::string::npos);
  EXPECT_EQ(control.num_sessions(), 0U);
}

TEST_F(ControlSocketTest, APartOfALineIsNoRequest) {
  start({});
  Client cut(path);
  cut.say("reload");  // of "reload /etc/gate96/new.toml\n"
  cut.end();
  EXPECT_NE(answer_for(cut).find("ends in a newline"), std::string::npos);
  EXPECT_NE(ask("reload /etc/gate96/" + std::string(4200, 'a') + "\n").find("at most"), std::string::npos);
  EXPECT_NE(ask(std::string("reload /etc/a\0b\n", 16)).find("zero bytes"), std::string::npos);
  EXPECT_TRUE(reloads.empty());
  EXPECT_EQ(ask("reload\n"), "reloaded\n");
  EXPECT_EQ(ask("reload /etc/gate96/new.toml\n"), "reloaded\n");
  EXPECT_EQ(reloads, (std::vector<std::string>{"", "/etc/gate96/new.toml"}));
}

TEST_F(ControlSocketTest, TwoHundredAtOnceAreAllAnswered) {
  ControlSocket& control = start({});
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 200; ++i) {
    clients.push_back(std::make_unique<Client>(path));
    clients.back()->say("counters\n");
  }
  for (const auto& client : clients) EXPECT_EQ(answer_for(*client), "counters!\n");
  EXPECT_EQ(control.num_sessions(), 0U);
}

TEST_F(ControlSocketTest, SilentOnesOnEveryPlaceMakeRoomSoon) {
  start({.sessions = 8, .patience_ms = 60'000, .crowded_patience_ms = 100});
  std::vector<std::unique_ptr<Client>> silent;
  for (int i = 0; i < 50; ++i) silent.push_back(std::make_unique<Client>(path));
  EXPECT_EQ(ask("counters\n"), "counters!\n");  // after 50 / 8 times 100 ms
}

TEST_F(ControlSocketTest, OneThatReadsNothingIsGivenUpAndOneThatReadsSlowlyIsNot) {
  ControlSocket& control = start({.patience_ms = 300});
  Client deaf(path);
  deaf.say("long\n");
  Client slow(path);
  slow.say("long\n");
  serve_for(200);
  std::size_t len = slow.hear().size();
  serve_for(200);
  EXPECT_EQ(control.num_sessions(), 1U);
  while (!slow.is_over) {
    serve_for(kTickMs);
    len += slow.hear().size();
  }
  EXPECT_EQ(len, (std::size_t{4} << 20) + 1);
}

TEST_F(ControlSocketTest, AnswersNobodyReadsAreBounded) {
  start({.unsent = std::size_t{8} << 20, .patience_ms = 60'000, .crowded_patience_ms = 200});
  std::vector<std::unique_ptr<Client>> deaf;
  for (int i = 0; i < 20; ++i) {
    deaf.push_back(std::make_unique<Client>(path));
    deaf.back()->say("long\n");
  }
  serve_for(50);
  EXPECT_EQ(ask("reload\n"), "reloaded\n");
  EXPECT_EQ(ask("counters\n"), "counters!\n");  // after those in front have been given up, 3 in 200 ms
}

TEST_F(ControlSocketTest, OneThatLeavesEarlyCostsNothing) {
  ControlSocket& control = start({});
  const std::size_t before = num_descriptors();
  for (int i = 0; i < 50; ++i) {
    for (const char* text : {"", "count", "counters\n", "long\n"}) {
      Client client(path);
      client.say(text);
      if (i % 2 == 0) serve_for(1);
    }
  }
  serve_for(50);
  EXPECT_EQ(control.num_sessions(), 0U);
  EXPECT_EQ(num_descriptors(), before);
  EXPECT_EQ(ask("counters\n"), "counters!\n");
}

TEST_F(ControlSocketTest, AReloadIsDoneForOneThatHasLeft) {
  start({});
  Client client(path);
  client.say("reload\n");
  client.leave();
  serve_for(50);
  EXPECT_EQ(reloads.size(), 1U);
}

TEST_F(ControlSocketTest, AnAnswerThatFailsIsAnError) {
  start({});
  EXPECT_EQ(ask("throw\n"), "{\"error\":\"a path with \xef\xbf\xbd in it\"}\n");  // U+FFFD
}

// accept(2) fails as long as poll(2) says that it would not.
TEST_F(ControlSocketTest, WithoutDescriptorsItRestsAndThenGoesOn) {
  ControlSocket& control = start({});
  Client client(path);
  client.say("counters\n");
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const int next = dup(STDERR_FILENO);
  close(next);
  const rlimit none = {static_cast<rlim_t>(next), before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
  int num_turns = 0;
  for (; std::chrono::steady_clock::now() < end; ++num_turns) control.serve(-1, kTickMs);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_LT(num_turns, 100);  // 40 of 5 ms
  EXPECT_EQ(answer_for(client), "counters!\n");
}

TEST_F(ControlSocketTest, TakesThePlaceOfAnOldSocketAndOfNothingElse) {
  const int old = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.c_str(), path.size());
  ASSERT_EQ(bind(old, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  close(old);
  start({});
  EXPECT_EQ(ask("sa\n"), "sa!\n");
  const std::string file = folder.path("gateway.toml");
  std::ofstream(file) << "text";
  EXPECT_THROW(ControlSocket(file, nullptr), std::runtime_error);
  EXPECT_EQ(std::filesystem::file_size(file), 4U);
}

TEST_F(ControlSocketTest, AnotherDescriptorIsHeardAmidClients) {
  ControlSocket& control = start({});
  int pipes[2] = {};
  ASSERT_EQ(pipe(pipes), 0);
  const Client silent(path);
  EXPECT_FALSE(control.serve(pipes[0], kTickMs));
  ASSERT_EQ(write(pipes[1], "x", 1), 1);
  EXPECT_TRUE(control.serve(pipes[0], 60'000));
  close(pipes[0]);
  close(pipes[1]);
}

}  // namespace
}  // namespace gate96
