#pragma once

#include "support/fake_powercap.hpp"
#include "support/fake_sysfs.hpp"

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>

#include <fmt/format.h>

namespace hypermile::test {

/// Does something every millisecond or so, in a thread of its own.
class Repeated {
public:
  explicit Repeated(std::function<void()> action)
      : thread_([action = std::move(action)](const std::stop_token& stop) {
          while (!stop.stop_requested()) {
            action();
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
          }
        }) {}

private:
  std::jthread thread_;
};

/// Lets the energy counter intel-rapl:0 of a fake sysfs follow the frequency that is set: 100 W at
/// 3.5 GHz, 10 W at 0.8 GHz.
class PowerSupply {
public:
  explicit PowerSupply(const FakeSysfs& sysfs)
      : sysfs_(sysfs), counter_(sysfs.root()), before_(Clock::now()),
        repeated_([this] { count(); }) {}

private:
  using Clock = std::chrono::steady_clock;

  void count() {
    const auto now = Clock::now();
    const int khz = std::atoi(sysfs_.read(0, "scaling_max_freq").c_str());
    const double watts = 10 + 90 * (khz - 800e3) / 2700e3;
    energy_uj_ += 1e6 * watts * std::chrono::duration<double>(now - before_).count();
    before_ = now;
    replace(std::to_string(static_cast<std::uint64_t>(energy_uj_)));
  }
  /// At once, as nobody may read half a number.
  void replace(const std::string& text) const {
    const std::string file = sysfs_.root() + "/class/powercap/intel-rapl:0/energy_uj";
    std::ofstream(file + ".new") << text << '\n';
    std::filesystem::rename(file + ".new", file);
  }

  const FakeSysfs& sysfs_;
  FakePowercap counter_;
  Clock::time_point before_;
  double energy_uj_ = 0;
  Repeated repeated_;
};

/// Lets the energy counter intel-rapl:0 follow the power limit that is set, as a processor does
/// that always computes.
class LimitedSupply {
public:
  explicit LimitedSupply(const FakePowercap& tree)
      : tree_(tree), before_(Clock::now()), repeated_([this] { count(); }) {}

private:
  using Clock = std::chrono::steady_clock;

  void count() {
    const auto now = Clock::now();
    const double limit_uw =
        std::atof(tree_.read("intel-rapl:0", "constraint_0_power_limit_uw").c_str());
    energy_uj_ += limit_uw * std::chrono::duration<double>(now - before_).count();
    before_ = now;
    tree_.count("intel-rapl:0", static_cast<std::uint64_t>(energy_uj_));
  }

  const FakePowercap& tree_;
  Clock::time_point before_;
  double energy_uj_ = 0;
  Repeated repeated_;
};

/// Writes the log of an external meter that always sees the same power.
class Wattmeter {
public:
  Wattmeter(const std::string& file, double watts)
      : log_(file), repeated_([this, watts] {
          const auto now = std::chrono::system_clock::now().time_since_epoch();
          log_ << fmt::format("{:.6f},{}\n", std::chrono::duration<double>(now).count(), watts)
               << std::flush;
        }) {}

private:
  struct Log : std::ofstream {
    explicit Log(const std::string& file) : std::ofstream(file) {
      *this << "time,power_w\n1,1\n" << std::flush;
    }
  };
  Log log_;
  Repeated repeated_;
};

} // namespace hypermile::test
