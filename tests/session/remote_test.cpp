#include "session/remote.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <array>
#include <future>

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hypermile::session {
namespace {

using control::Descriptor;

std::string echo(const std::string& request) { return "heard " + request; }

void wait_for_somebody(const Remote& remote) {
  std::vector<pollfd> files;
  for (const int number : remote.descriptors())
    files.push_back({.fd = number, .events = POLLIN, .revents = 0});
  ASSERT_GT(::poll(files.data(), files.size(), 10'000), 0);
}

std::future<std::optional<std::string>> asked(const std::string& request) {
  return std::async(std::launch::async, [=] { return ask(::getpid(), request); });
}

bool is_there(const std::future<std::optional<std::string>>& reply) {
  return reply.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

/// What is asked, answered by this process.
std::optional<std::string> answered(Remote& remote, const std::string& request) {
  auto reply = asked(request);
  while (!is_there(reply)) {
    std::vector<pollfd> files;
    for (const int number : remote.descriptors())
      files.push_back({.fd = number, .events = POLLIN, .revents = 0});
    (void)::poll(files.data(), files.size(), 1);
    remote.answer(echo);
  }
  return reply.get();
}

/// Somebody who knows the socket, but is not ask().
class Stranger {
public:
  Stranger() : socket_(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0)) {
    const std::string name = "hypermile-steer-" + std::to_string(::getpid());
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    name.copy(&address.sun_path[1], sizeof address.sun_path - 1);
    const auto size = offsetof(sockaddr_un, sun_path) + 1 + name.size();
    connected_ = ::connect(socket_.number(), reinterpret_cast<const sockaddr*>(&address),
                           static_cast<socklen_t>(size)) == 0;
  }
  [[nodiscard]] bool connected() const { return connected_; }
  void send(const std::string& text) const {
    EXPECT_EQ(::send(socket_.number(), text.data(), text.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(text.size()));
  }
  /// None: nothing has come; empty: the other side has closed it.
  [[nodiscard]] std::optional<std::string> received() const {
    std::array<char, 8192> text{};
    const ssize_t size = ::recv(socket_.number(), text.data(), text.size(), MSG_DONTWAIT);
    if (size < 0)
      return std::nullopt;
    return std::string(text.data(), static_cast<std::size_t>(size));
  }

private:
  Descriptor socket_;
  bool connected_ = false;
};

TEST(remote, is_asked_and_answers) {
  Remote remote({::getpid()});
  EXPECT_EQ(answered(remote, "power=70W"), "heard power=70W");
  EXPECT_EQ(answered(remote, "power=60W"), "heard power=60W");
  EXPECT_EQ(remote.descriptors().size(), 1U); // nobody is left
}

TEST(remote, is_found_under_each_of_its_processes) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::pause();
    ::_exit(0);
  }
  {
    Remote remote({child, ::getpid()});
    EXPECT_EQ(remote.descriptors().size(), 2U);
    auto reply = std::async(std::launch::async, [=] { return ask(child, "power=1W"); });
    wait_for_somebody(remote);
    while (!is_there(reply))
      remote.answer(echo);
    EXPECT_EQ(reply.get(), "heard power=1W");
  }
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
}

TEST(remote, that_is_not_there_does_not_answer) {
  EXPECT_EQ(ask(::getpid(), "power=70W"), std::nullopt);
  { const Remote remote({::getpid()}); }
  EXPECT_EQ(ask(::getpid(), "power=70W"), std::nullopt); // nor any more
}

TEST(remote, goes_without_a_number_that_is_taken) {
  Remote first({::getpid()});
  const Remote second({::getpid(), ::getpid()});
  EXPECT_TRUE(second.descriptors().empty());
  EXPECT_EQ(answered(first, "x"), "heard x");
}

TEST(remote, has_nothing_to_answer_when_nobody_asks) {
  Remote remote({::getpid()});
  remote.answer([](const std::string&) -> std::string {
    ADD_FAILURE();
    return "";
  });
}

TEST(remote, answers_others_while_somebody_says_nothing) {
  Remote remote({::getpid()});
  const Stranger silent;
  ASSERT_TRUE(silent.connected());
  remote.answer(echo);
  EXPECT_EQ(remote.descriptors().size(), 2U);
  EXPECT_EQ(answered(remote, "x"), "heard x");
  EXPECT_EQ(silent.received(), std::nullopt);
  silent.send("at last");
  remote.answer(echo);
  EXPECT_EQ(silent.received(), "heard at last");
}

TEST(remote, forgets_who_goes_away) {
  Remote remote({::getpid()});
  { const Stranger silent; }
  {
    const Stranger impatient;
    impatient.send("power=70W");
  }
  std::size_t heard = 0;
  remote.answer([&](const std::string&) {
    ++heard;
    return std::string("ok");
  });
  EXPECT_EQ(heard, 1U);
  EXPECT_EQ(remote.descriptors().size(), 1U);
  EXPECT_EQ(answered(remote, "x"), "heard x");
}

TEST(remote, answers_each_of_two_who_ask_at_once) {
  Remote remote({::getpid()});
  const Stranger first;
  const Stranger second;
  second.send("2");
  first.send("1");
  remote.answer(echo);
  EXPECT_EQ(first.received(), "heard 1");
  EXPECT_EQ(second.received(), "heard 2");
}

TEST(remote, keeps_no_more_than_a_few_who_say_nothing) {
  Remote remote({::getpid()});
  std::vector<Stranger> crowd;
  for (int count = 0; count < 40; ++count) {
    crowd.emplace_back();
    ASSERT_TRUE(crowd.back().connected());
    remote.answer(echo);
  }
  EXPECT_LE(remote.descriptors().size(), 17U);
  EXPECT_EQ(crowd.front().received(), ""); // had to go
  EXPECT_EQ(answered(remote, "x"), "heard x");
}

TEST(remote, does_not_take_the_begin_of_a_long_request_for_all_of_it) {
  Remote remote({::getpid()});
  const Stranger talkative;
  talkative.send("power=1" + std::string(5000, '0') + "W");
  remote.answer([](const std::string&) -> std::string {
    ADD_FAILURE();
    return "";
  });
  EXPECT_EQ(talkative.received(), "error: the request is too long");
  EXPECT_EQ(answered(remote, "x"), "heard x");
}

TEST(remote, cuts_a_reply_that_is_too_long) {
  Remote remote({::getpid()});
  const Stranger curious;
  curious.send("x");
  remote.answer([](const std::string&) { return std::string(10'000, 'a'); });
  EXPECT_EQ(curious.received(), std::string(4096, 'a'));
}

TEST(asking, fails_where_the_one_who_steers_ends_before_it_answers) {
  std::optional<Remote> remote(std::in_place, std::vector{::getpid()});
  auto reply = asked("power=70W");
  wait_for_somebody(*remote);
  remote.reset();
  try {
    (void)reply.get();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::hardware);
    EXPECT_NE(std::string(error.what()).find(std::to_string(::getpid())), std::string::npos);
  }
}

TEST(remote, does_not_listen_to_another_user) {
  if (::geteuid() != 0)
    GTEST_SKIP() << "only root can be another user";
  Remote remote({::getpid()});
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) {
    constexpr uid_t nobody = 65534;
    if (::setuid(nobody) != 0)
      ::_exit(2);
    try {
      ::_exit(ask(parent, "power=1W") ? 1 : 0);
    } catch (const Error&) {
      ::_exit(0);
    }
  }
  int status = 0;
  bool heard = false;
  while (::waitpid(child, &status, WNOHANG) == 0) {
    remote.answer([&](const std::string&) {
      heard = true;
      return std::string("ok");
    });
  }
  EXPECT_FALSE(heard);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

} // namespace
} // namespace hypermile::session
