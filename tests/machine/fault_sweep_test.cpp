// Every access to a file of a machine fails once, for each kind of setting: whatever fails, a gear
// that is said to be set is set, and everything is restored in the end.

#include "control/restore.hpp"
#include "machine/open.hpp"
#include "support/fake_powercap.hpp"
#include "support/fake_sysfs.hpp"
#include "support/faults.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <vector>

namespace hypermile::machine {
namespace {

using Values = std::map<std::string, std::string>;

/// A machine with one kind of setting.
struct Tree {
  virtual ~Tree() = default;
  [[nodiscard]] virtual std::string root() const = 0;
  [[nodiscard]] virtual Values settings() const = 0;
};

struct Frequencies final : Tree {
  explicit Frequencies(test::FakeSysfs::Driver driver, bool uncore = false)
      : sysfs(driver, {{0}, {1}}) {
    if (uncore)
      sysfs.add_uncore("package_00_die_00");
  }
  [[nodiscard]] std::string root() const override { return sysfs.root(); }
  [[nodiscard]] Values settings() const override { return sysfs.settings(); }
  test::FakeSysfs sysfs;
};

struct Limits final : Tree {
  explicit Limits(bool enabled) : powercap(folder.path()) {
    for (const char* package : {"0", "1"}) {
      powercap.zone(std::string("intel-rapl:") + package, std::string("package-") + package);
      powercap.limit(std::string("intel-rapl:") + package, 150'000'000, 150'000'000, enabled);
    }
  }
  [[nodiscard]] std::string root() const override { return folder.path(); }
  [[nodiscard]] Values settings() const override { return powercap.settings(); }
  test::TemporaryFolder folder;
  test::FakePowercap powercap;
};

struct Knob {
  const char* name;
  const char* backend;
  std::unique_ptr<Tree> (*make)();
  std::map<std::string, std::string, std::less<>> options{};
  bool one_way = true; ///< false: what cannot be read is set in another way
};

template <auto... arguments> std::unique_ptr<Tree> frequencies() {
  return std::make_unique<Frequencies>(arguments...);
}
template <auto... arguments> std::unique_ptr<Tree> limits() {
  return std::make_unique<Limits>(arguments...);
}

using Driver = test::FakeSysfs::Driver;

/// Printed by test names.
std::ostream& operator<<(std::ostream& out, const Knob& knob) { return out << knob.name; }

const Knob knobs[] = {
    {"userspace", "cpufreq", frequencies<Driver::acpi_cpufreq>, {}, false},
    {"frequency_limit", "cpufreq", frequencies<Driver::amd_pstate>},
    {"uncore",
     "cpufreq",
     frequencies<Driver::intel_pstate, true>,
     {{"uncore", "2.2GHz,2GHz,1.5GHz,1GHz"}}},
    {"power_limit", "power-limit", limits<true>},
    {"power_limit_switched_off", "power-limit", limits<false>},
};

class FaultSweep : public testing::TestWithParam<Knob> {
protected:
  FaultSweep() {
    const Gears gears = open();
    for (const std::size_t gear : {2U, 4U, 0U}) {
      gears.actuator->set_gear(gear);
      in_gear_[gear] = tree_->settings();
    }
  }

  [[nodiscard]] Gears open() const {
    return open_gears(GetParam().backend, {.place = place(),
                                           .guard = HYPERMILE_GUARD,
                                           .owner = control::this_process("", "test"),
                                           .options = GetParam().options});
  }
  [[nodiscard]] control::Place place() const {
    return {.sysfs = tree_->root(), .state = state_.path("state")};
  }

  /// What a program does with gears. Nothing but an Error comes out of it.
  void use(const Gears& gears, bool as_ever) const {
    for (const std::size_t gear : {2U, 4U, 0U, 2U}) {
      try {
        gears.actuator->set_gear(gear);
      } catch (const Error& error) {
        EXPECT_FALSE(std::string(error.what()).empty());
        continue;
      }
      EXPECT_EQ(gears.actuator->gear(), gear);
      if (as_ever && gears.actuator->verify().empty()) {
        const test::Faults::Suspended suspended;
        EXPECT_EQ(tree_->settings(), in_gear_.at(gear)) << "gear " << gear;
      }
    }
  }

  /// Fails the access of that number, before or after the gears are opened. False: there are not
  /// so many.
  bool fail(const std::string& what, int number, bool opened) const {
    SCOPED_TRACE(what + " " + std::to_string(number) + (opened ? " in use" : ""));
    bool met = false;
    {
      auto before = opened ? std::optional(open()) : std::nullopt;
      const test::Faults faults(what + ":" + tree_->root() + "/:" + std::to_string(number) + "!");
      const Gears gears = opened ? *std::move(before) : open();
      EXPECT_TRUE(gears.actuator || gears.problem);
      if (gears.actuator)
        use(gears, opened || GetParam().one_way);
      met = test::Faults::were_met();
    }
    (void)control::restore_left_behind(place());
    EXPECT_EQ(tree_->settings(), before_);
    return met;
  }

  void sweep(const std::string& what, const std::vector<bool>& times) const {
    for (const bool opened : times) {
      int number = 0;
      while (fail(what, number, opened) && !HasFailure())
        ++number;
      EXPECT_GT(number, 5);
    }
  }

  std::unique_ptr<Tree> tree_ = GetParam().make();
  Values before_ = tree_->settings();
  test::TemporaryFolder state_;
  std::map<std::size_t, Values> in_gear_;
};

INSTANTIATE_TEST_SUITE_P(knobs, FaultSweep, testing::ValuesIn(knobs),
                         [](const auto& knob) { return knob.param.name; });

TEST_P(FaultSweep, of_files_that_cannot_be_read) { sweep("EIO:read", {false, true}); }
TEST_P(FaultSweep, of_files_that_cannot_be_written) { sweep("ENODATA:write", {true}); }
TEST_P(FaultSweep, of_files_that_may_not_be_written) { sweep("EACCES:write", {true}); }
TEST_P(FaultSweep, of_writes_that_are_lost) { sweep("LOST:write", {true}); }

} // namespace
} // namespace hypermile::machine
