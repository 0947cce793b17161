#include "io/platform_text.hpp"
#include "io/platform_yaml.hpp"
#include "support/cases.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

namespace hypermile::io {
namespace {

/// Numbers with all digits, of any size that a file may have.
class RandomNumbers {
public:
  explicit RandomNumbers(unsigned seed) : engine_(seed) {}
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  double of_any_size() { return std::pow(10, uniform(-12, 12)); }
  std::size_t count(std::size_t most) {
    return std::uniform_int_distribution<std::size_t>(1, most)(engine_);
  }

private:
  std::mt19937_64 engine_;
};

model::NodeType random_type(RandomNumbers& random, const std::string& name) {
  std::vector<Hertz> frequencies{Hertz{random.of_any_size()}};
  while (frequencies.size() < random.count(5))
    frequencies.push_back(frequencies.back() * random.uniform(0.5, 0.99));
  std::vector<model::GearPower> power;
  for (std::size_t gear = 0; gear < frequencies.size(); ++gear) {
    const Watts waiting{random.of_any_size()};
    power.push_back({waiting * random.uniform(1, 3), waiting, waiting * random.uniform(0, 1)});
  }
  const std::size_t cores = random.count(100);
  std::vector<double> active;
  if (random.count(2) == 1) {
    for (std::size_t core = 0; core < cores; ++core)
      active.push_back(core == 0 ? 0 : random.uniform(active.back(), 1));
    active.push_back(1);
  }
  std::vector<Watts> limits;
  std::vector<Hertz> uncore;
  const std::size_t knob = random.count(3);
  for (std::size_t gear = 0; knob == 2 && gear < frequencies.size(); ++gear)
    uncore.push_back(gear == 0 ? Hertz{random.of_any_size()}
                               : uncore.back() * random.uniform(0.5, 1));
  if (knob == 1)
    for (std::size_t gear = 0; gear < frequencies.size(); ++gear)
      limits.push_back(gear == 0 ? Watts{random.of_any_size()}
                                 : limits.back() * random.uniform(0.5, 0.99));
  return {.name = name,
          .cores = cores,
          .speed = Speed{random.of_any_size()},
          .gears = model::GearTable{frequencies},
          .power = power,
          .frequencies_known = limits.empty(),
          .hosts = random.count(2) == 1 ? std::vector<std::string>{"n[0-9]*", "a \"b\\"}
                                        : std::vector<std::string>{},
          .active = active,
          .sensitivity = random.count(2) == 1 ? 1 : random.uniform(0, 1),
          .power_limits = limits,
          .uncore = uncore};
}

model::Topology random_topology(RandomNumbers& random) {
  std::vector<std::size_t> sizes;
  std::vector<std::size_t> ups;
  for (std::size_t level = random.count(3); level > 0; --level) {
    sizes.push_back(random.count(5));
    ups.push_back(random.count(3));
  }
  switch (random.count(3)) {
  case 1:
    return model::FatTree{.down = sizes, .up = ups, .parallel = ups};
  case 2:
    return model::Torus{sizes};
  default:
    return model::Dragonfly{.groups = random.count(4),
                            .group_links = random.count(4),
                            .chassis = random.count(4),
                            .chassis_links = random.count(4),
                            .routers = random.count(4),
                            .router_links = random.count(4),
                            .nodes = random.count(4)};
  }
}

model::Platform random_platform(RandomNumbers& random) {
  const auto link = [&] {
    return model::Link{Bandwidth{random.of_any_size()}, Seconds{random.of_any_size()}};
  };
  model::Platform platform{.name = "a: \"b\"",
                           .description = "#\t\\ {",
                           .groups = {},
                           .scalable = random.count(2) == 1,
                           .network = {.link = link(), .backbone = std::nullopt},
                           .ep_pair_work = std::nullopt};
  for (std::size_t i = random.count(3); i > 0; --i)
    platform.groups.push_back({random_type(random, "t" + std::to_string(i)), random.count(9)});
  if (platform.groups.size() == 1 && !platform.scalable && random.count(2) == 1) {
    platform.network.topology = random_topology(random);
    platform.groups.front().count = places_of(platform.network.topology);
  } else if (platform.groups.size() > 1) {
    for (auto& group : platform.groups)
      group.type.site = group.type.name;
    platform.network.between_sites = link();
  } else if (random.count(2) == 1) {
    platform.network.backbone = link();
  }
  if (std::holds_alternative<model::Star>(platform.network.topology) && !platform.network.backbone)
    for (auto& group : platform.groups)
      if (random.count(2) == 1)
        group.type.memory = link();
  if (const auto switches = switches_of(platform.network.topology); switches > 0)
    platform.network.switches = {
        .count = std::holds_alternative<model::Star>(platform.network.topology) ? random.count(9)
                                                                                : switches,
        .power = Watts{random.of_any_size()}};
  if (random.count(2) == 1)
    platform.ep_pair_work = Work{random.of_any_size()};
  return platform;
}

TEST(platform_text, is_the_same_platform_to_the_last_digit) {
  RandomNumbers random(17);
  for (int i = 0; i < test::cases(500); ++i) {
    const model::Platform platform = random_platform(random);
    const std::string text = platform_text(platform);
    ASSERT_EQ(parse_platform(text, "text"), platform) << text;
  }
}

TEST(platform_text, of_every_bundled_platform_is_the_same_platform) {
  const std::string folder = HYPERMILE_SOURCE_DIR "/platforms";
  for (const std::string& name : bundled_platforms(folder)) {
    model::Platform platform = load_platform(find_platform(name, folder));
    const std::string text = platform_text(platform);
    for (auto& group : platform.groups)
      group.type.parts.clear();
    platform.network.component.clear();
    if (platform.network.switches)
      platform.network.switches->component.clear();
    EXPECT_EQ(parse_platform(text, name), platform) << text;
  }
}

TEST(platform_text, has_units_that_a_reader_knows) {
  const std::string text =
      platform_text(load_platform(std::string(HYPERMILE_SOURCE_DIR) + "/platforms/table-2.1.yaml"));
  for (const char* const part :
       {"    share: 1\n", "    speed: 40Gf\n", "    gears: [2.5GHz, ", "      waiting: [4W, ",
        "  link: {bandwidth: 1Gbps, latency: 50us}\n", "backbone: {bandwidth: 18Gbps"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

} // namespace
} // namespace hypermile::io
