#include "io/components.hpp"
#include "io/platform_yaml.hpp"
#include "io/text_file.hpp"
#include "support/cases.hpp"
#include "support/temporary_folder.hpp"
#include "units/error.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <random>
#include <string>

namespace hypermile::io {
namespace {

const std::string platforms = HYPERMILE_SOURCE_DIR "/platforms";

/// A platform in a folder of its own, with components beside it.
struct ComponentsTest : testing::Test {
  ComponentsTest() { std::filesystem::create_directory(folder.path("components")); }

  void write(const std::string& name, const std::string& kind, const std::string& figures) const {
    write_text_file(folder.path(fmt::format("components/{}.yaml", name)),
                    fmt::format("schema: hypermile/component/1\nname: {}\nkind: {}\n"
                                "description: d\n{}",
                                name, kind, figures));
  }
  void write_cpu(const std::string& name, int cores, double idle) const {
    write(name, "cpu",
          fmt::format("cores: {{value: {}, source: s}}\nspeed: {{value: 3Gf, source: s}}\n"
                      "gears: {{value: [2GHz, 1GHz], source: s}}\npower:\n"
                      "  computing: {{value: [{}W, {}W], source: s}}\n"
                      "  waiting: {{value: {}W, source: s}}\n  idle: {{value: {}W, source: s}}\n",
                      cores, idle + 64, idle + 16, idle + 8, idle));
  }
  void write_load(const std::string& name, const std::string& kind, double watts) const {
    write(name, kind, fmt::format("power: {{value: {}W, source: s}}\n", watts));
  }
  void write_network(const std::string& name, int gigabits) const {
    write(
        name, "network",
        fmt::format("bandwidth: {{value: {}Gbps, source: s}}\nlatency: {{value: 1us, source: s}}\n",
                    gigabits));
  }
  [[nodiscard]] model::Platform parse(const std::string& type, const std::string& network,
                                      const std::vector<std::string>& swaps = {}) const {
    ComponentSource source;
    for (const std::string& swap : swaps)
      source.swaps.push_back(parse_swap(swap));
    return parse_platform(fmt::format("schema: hypermile/platform/1\nname: p\ndescription: d\n"
                                      "types:\n  - {{name: t, count: 2, {}}}\nnetwork:\n  {}\n",
                                      type, network),
                          folder.path("p.yaml"), source);
  }
  void expect_error(const std::string& type, const std::string& network, const std::string& message,
                    const std::vector<std::string>& swaps = {}) const {
    try {
      (void)parse(type, network, swaps);
      FAIL() << "accepted, but should say: " << message;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::config);
      EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
    }
  }

  test::TemporaryFolder folder;
};

const std::string one_link = "link: {bandwidth: 1Gbps, latency: 1us}";

TEST_F(ComponentsTest, make_the_platform_that_is_written_out_with_their_sums) {
  std::mt19937_64 engine(5);
  const auto draw = [&](int most) { return std::uniform_int_distribution<int>(1, most)(engine); };
  for (int i = 0; i < test::cases(200); ++i) {
    const int cpus = draw(4);
    const int cores = draw(64);
    const int idle = draw(100);
    const int cards = draw(3);
    const int card = draw(50);
    const int board = draw(200);
    const int gigabits = draw(400);
    write_cpu("c", cores, idle);
    write_load("card", "nic", card);
    write_load("board", "chassis", board);
    write_network("net", gigabits);
    auto composed =
        parse(fmt::format("parts: [board, {}x c, {}x card]", cpus, cards), "component: net");
    EXPECT_EQ(composed.groups[0].type.parts[1],
              (model::NamedPart{static_cast<std::size_t>(cpus), "c"}));
    EXPECT_EQ(composed.network.component, "net");
    composed.groups[0].type.parts.clear();
    composed.network.component.clear();
    // All figures are whole numbers, whose sums are exact in any order.
    const int rest = board + cards * card + cpus * idle;
    const auto written =
        parse(fmt::format("cores: {}, speed: 3Gf, gears: [2GHz, 1GHz], "
                          "power: {{computing: [{}W, {}W], waiting: {}W, idle: {}W}}",
                          cpus * cores, rest + cpus * 64, rest + cpus * 16, rest + cpus * 8, rest),
              fmt::format("link: {{bandwidth: {}Gbps, latency: 1us}}", gigabits));
    ASSERT_EQ(composed, written);
  }
}

TEST_F(ComponentsTest, of_kind_node_are_whole_types) {
  const auto table = load_platform(platforms + "/table-3.1.yaml");
  for (std::size_t i = 0; i < 4; ++i) {
    const auto composed = parse_platform(
        fmt::format("schema: hypermile/platform/1\nname: p\ndescription: d\nscalable: yes\n"
                    "types: [{{name: type{0}, share: 1, component: f16-type-{0}}}]\n"
                    "network: {{component: ethernet-1g}}\n",
                    i + 1),
        folder.path("p.yaml"), {.platform_folder = platforms, .swaps = {}});
    auto type = composed.groups[0].type;
    type.parts.clear();
    EXPECT_EQ(type, table.groups[i].type);
    EXPECT_EQ(composed.network.link, table.network.link);
  }
}

TEST_F(ComponentsTest, of_galera_plus_draw_what_its_paper_measures) {
  const auto galera = load_platform(platforms + "/galera-plus.yaml");
  const auto& node = galera.groups.at(0).type;
  EXPECT_EQ(node.cores, 12u);
  EXPECT_DOUBLE_EQ(node.power[0].computing.value(), 160); // [M16]: 80 + 80 * 12 / 12
  EXPECT_DOUBLE_EQ(node.power[0].idle.value(), 80);
}

TEST_F(ComponentsTest, of_a_swap_take_the_place_of_others) {
  write_cpu("old", 4, 10);
  write_cpu("new", 8, 20);
  write_load("board", "chassis", 5);
  write_network("slow", 1);
  write_network("fast", 10);
  const std::string type = "parts: [2x old, board]";
  const auto expected = parse("parts: [2x new, board]", "component: fast");
  for (const auto& swaps : {std::vector<std::string>{"old=new", "slow=fast"},
                            std::vector<std::string>{"cpu=new", "network=fast"}}) {
    auto swapped = parse(type, "component: slow", swaps);
    EXPECT_NE(swapped.name, "p"); // it is another platform
    swapped.name = "p";
    EXPECT_EQ(swapped, expected);
  }
}

TEST_F(ComponentsTest, refuse_a_swap_that_does_not_fit) {
  write_cpu("a", 4, 10);
  write_cpu("b", 4, 10);
  write_load("board", "chassis", 5);
  const std::string type = "parts: [2x a, board]";
  expect_error(type, one_link, "the platform has no component 'b'", {"b=a"});
  expect_error(type, one_link, "the platform has no component 'network'", {"network=a"});
  expect_error(type, one_link, "'a' is a cpu, but 'board' is a chassis", {"a=board"});
  expect_error(type, one_link, "there is no component 'c'", {"a=c"});
  expect_error(type + "}\n  - {name: u, count: 1, parts: [b]", one_link,
               "the platform has several components of this kind: a, b", {"cpu=a"});
  for (const char* const text : {"", "a", "=a", "a=", "a=cpu", "a=../b", "a=b=c"})
    EXPECT_THROW((void)parse_swap(text), Error) << text;
}

TEST_F(ComponentsTest, name_file_line_and_key_of_parts_that_do_not_fit) {
  write_cpu("a", 4, 10);
  write_cpu("b", 4, 10);
  write_load("board", "chassis", 5);
  write_network("net", 1);
  write("box", "switch", "ports: {value: 4, source: s}\npower: {value: 4W, source: s}\n");
  const std::string p = folder.path("p.yaml");
  expect_error("parts: [board]", one_link, p + ":5: types[0].parts: none of the parts is a cpu");
  expect_error("parts: [a, b]", one_link, p + ":5: types[0].parts: both 'a' and 'b' are CPUs");
  expect_error("parts: [a, net]", one_link, "'net' is a network, which is no part of a node");
  expect_error("parts: [a, box]", one_link, "'box' is a switch, which is no part of a node");
  expect_error("parts: [a, nothing]", one_link,
               p + ":5: types[0].parts[1]: there is no component 'nothing'");
  expect_error("parts: [0x a]", one_link, p + ":5: types[0].parts[0]: '0x a' is no part");
  expect_error("parts: [2 a]", one_link, "'2 a' is no part");
  expect_error("parts: [a], cores: 4", one_link, p + ":5: types[0].cores: is there beside parts");
  expect_error("parts: [a], component: a", one_link, "types[0].parts: is there beside component");
  expect_error("component: a", one_link, "'a' is a cpu, not a whole node");
  expect_error("parts: [a]", "component: a", p + ":7: network.component: 'a' is a cpu");
  expect_error("parts: [a]", "component: net\n  " + one_link,
               p + ":8: network.link: is there beside component");
}

TEST_F(ComponentsTest, of_kind_switch_are_counted_and_need_enough_ports) {
  write_cpu("a", 4, 10);
  write("box", "switch", "ports: {value: 4, source: s}\npower: {value: 50W, source: s}\n");
  const auto with = [&](const std::string& switches, const std::string& more = "") {
    return one_link + "\n  switches: " + switches + more;
  };
  const std::string two = "parts: [a]"; // nodes
  const auto switches = parse(two, with("{component: box}")).network.switches;
  EXPECT_EQ(switches, (model::Switches{.count = 1, .power = Watts{50}, .component = "box"}));
  EXPECT_EQ(parse(two, with("{power: 7W, count: 3}")).network.switches,
            (model::Switches{.count = 3, .power = Watts{7}}));
  const std::string tree = "\n  topology: {fat_tree: {down: [1, 2], up: [1, 1], parallel: [1, 1]}}";
  EXPECT_EQ(parse(two, with("{component: box}", tree)).network.switches->count, 3u);
  expect_error(two, with("{component: a}"), "'a' is a cpu, not a switch");
  expect_error(two, with("{component: box, power: 1W}"),
               "switches.power: is there beside component");
  expect_error(two, with("{power: -1W}"), "'-1W' is negative");
  expect_error(two, with("{power: 1W, count: 3}", tree),
               "switches.count: is there beside topology");
  expect_error(two, with("{power: 1W}", "\n  topology: {torus: [2]}"), "there are none");
  write("box", "switch", "ports: {value: 1, source: s}\npower: {value: 50W, source: s}\n");
  expect_error(two, with("{component: box}"), "has 1 ports, but there are 2 nodes");
  expect_error(two, with("{component: box}", tree), "a switch of the topology needs 2");
}

TEST_F(ComponentsTest, have_the_name_of_their_file) {
  write("a", "cpu", "");
  std::filesystem::rename(folder.path("components/a.yaml"), folder.path("components/b.yaml"));
  write_cpu("c", 1, 1);
  std::filesystem::rename(folder.path("components/c.yaml"), folder.path("components/d.yaml"));
  expect_error("parts: [d]", one_link, "the name of the component is 'c'");
  expect_error("parts: [b]", one_link, "components/b.yaml:1: the key 'cores' is missing");
}

TEST_F(ComponentsTest, beside_the_platform_come_before_bundled_ones) {
  write_cpu("epyc-9354", 3, 1);
  const auto platform =
      parse_platform("schema: hypermile/platform/1\nname: p\ndescription: d\n"
                     "types: [{name: t, count: 1, parts: [epyc-9354, connectx-7]}]\n"
                     "network: {component: infiniband-ndr}\n",
                     folder.path("p.yaml"), {.platform_folder = platforms, .swaps = {}});
  EXPECT_EQ(platform.groups[0].type.cores, 3u);
}

} // namespace
} // namespace hypermile::io
