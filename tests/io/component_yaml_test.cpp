#include "io/component_yaml.hpp"
#include "io/components.hpp"
#include "io/refusal.hpp"
#include "io/text_file.hpp"
#include "support/text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <variant>

namespace hypermile::io {
namespace {

using model::ComponentKind;
using model::Evidence;

const std::string cpu = R"(schema: hypermile/component/1
name: some-cpu
kind: cpu
description: a CPU
cores: {value: 8, source: "data sheet"}
speed: {value: 32Gf, estimate: "4 operations per cycle"}
gears: {value: [2GHz, 1GHz], unchecked: "data sheet"}
power:
  dynamic: {value: 80W, source: "measured"}
  static: {value: 20W, source: "measured"}
)";

const std::string network = R"(schema: hypermile/component/1
name: net
kind: network
description: a network
bandwidth: {value: 1Gbps, source: "its name"}
latency: {value: 50us, source: "measured"}
)";

std::string component_with(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

void expect_component_error(const std::string& text, const std::string& message) {
  test::expect_part(refusal([&] { return parse_component(text, "c.yaml"); }), message);
}

TEST(component_yaml, reads_a_cpu_and_where_its_figures_come_from) {
  const auto component = parse_component(cpu, "c.yaml");
  EXPECT_EQ(component.kind, ComponentKind::cpu);
  const auto& processor = std::get<model::Processor>(component.what);
  EXPECT_EQ(processor.cores, 8u);
  EXPECT_DOUBLE_EQ(processor.power[0].computing.value(), 100);
  EXPECT_DOUBLE_EQ(processor.power[1].computing.value(), 30); // 20 + 80 / 2^3
  ASSERT_EQ(component.figures.size(), 5u);
  EXPECT_EQ(component.figures[1].name, "speed");
  EXPECT_EQ(component.figures[1].evidence, Evidence::estimate);
  EXPECT_EQ(component.figures[1].origin, "4 operations per cycle");
  EXPECT_EQ(component.figures[2].value, "[2GHz, 1GHz]");
  EXPECT_EQ(component.figures[2].evidence, Evidence::unchecked);
  EXPECT_EQ(component.figures[3].name, "power.dynamic");
  EXPECT_EQ(component.figures[4].evidence, Evidence::source);
}

TEST(component_yaml, reads_each_kind) {
  const auto net = parse_component(network, "c.yaml");
  EXPECT_DOUBLE_EQ(std::get<model::Link>(net.what).bandwidth.value(), 125e6);
  for (const char* const kind : {"chassis", "nic", "accelerator"}) {
    const auto load =
        parse_component("schema: hypermile/component/1\nname: c\nkind: " + std::string(kind) +
                            "\ndescription: d\npower: {value: 7W, source: s}\n",
                        "c.yaml");
    EXPECT_DOUBLE_EQ(std::get<model::ConstantLoad>(load.what).power.value(), 7) << kind;
  }
  const auto box = parse_component("schema: hypermile/component/1\nname: c\nkind: switch\n"
                                   "description: d\nports: {value: 36, source: s}\n"
                                   "power: {value: 100W, source: s}\n",
                                   "c.yaml");
  EXPECT_EQ(std::get<model::Switch>(box.what).ports, 36u);
  EXPECT_EQ(parse_component(component_with(cpu, "kind: cpu", "kind: node"), "c.yaml").kind,
            ComponentKind::node);
}

TEST(component_yaml, refuses_a_figure_without_a_source_or_with_two) {
  expect_component_error(component_with(cpu, ", source: \"data sheet\"", ""),
                         "c.yaml:5: cores: does not say where it comes from");
  expect_component_error(component_with(cpu, "source: \"data sheet\"", "source: a, estimate: b"),
                         "c.yaml:5: cores: has more than one origin");
  expect_component_error(component_with(cpu, "source: \"data sheet\"", "source: \"\""),
                         "c.yaml:5: cores.source: is empty");
  expect_component_error(component_with(cpu, "{value: 8, source: \"data sheet\"}", "8"),
                         "c.yaml:5: cores: must be a map");
}

TEST(component_yaml, names_file_line_and_key_of_what_it_refuses) {
  expect_component_error(component_with(cpu, "80W", "-80W"),
                         "c.yaml:9: power.dynamic.value: '-80W' is negative");
  expect_component_error(component_with(cpu, "32Gf", "0Gf"),
                         "c.yaml:6: speed.value: '0Gf' is not positive");
  expect_component_error(component_with(cpu, "32Gf", "nanGf"), "c.yaml:6: speed.value");
  expect_component_error(component_with(cpu, "value: 8", "value: 0"), "c.yaml:5: cores.value");
  expect_component_error(component_with(cpu, "cores:", "core:"), "c.yaml:5: unknown key 'core'");
  expect_component_error(component_with(cpu, "[2GHz, 1GHz]", "[1GHz, 2GHz]"),
                         "c.yaml:7: gears.value: gear 1");
  expect_component_error(component_with(cpu, "kind: cpu", "kind: gpu"),
                         "c.yaml:3: kind: 'gpu' is no kind");
  expect_component_error(component_with(cpu, "some-cpu", "../cpu"),
                         "c.yaml:2: name: '../cpu' is no name");
  expect_component_error(component_with(cpu, "some-cpu", "cpu"),
                         "c.yaml:2: name: 'cpu' is no name");
  expect_component_error(component_with(cpu, "component/1", "component/2"), "c.yaml:1: schema");
  expect_component_error(component_with(network, "latency", "delay"),
                         "c.yaml:6: unknown key 'delay'");
  expect_component_error(component_with(network, "50us", "-50us"),
                         "c.yaml:6: latency.value: '-50us' is negative");
  expect_component_error("", "c.yaml is empty");
}

TEST(component_yaml, reads_every_bundled_component) {
  const std::string folder = component_folder(HYPERMILE_SOURCE_DIR "/platforms");
  std::size_t of_papers = 0;
  std::size_t others = 0;
  std::set<ComponentKind> kinds;
  for (const std::string& name : names_in(folder, ".yaml")) {
    const auto component = load_component(find_component(name, {folder}));
    EXPECT_FALSE(component.description.empty());
    const bool of_paper = std::ranges::any_of(component.figures, [](const auto& figure) {
      return figure.origin.find("[F16]") != std::string::npos ||
             figure.origin.find("[M16]") != std::string::npos;
    });
    of_papers += of_paper ? 1 : 0;
    others += of_paper ? 0 : 1;
    kinds.insert(component.kind);
  }
  EXPECT_GE(of_papers, 10u);
  EXPECT_GE(others, 10u);
  EXPECT_EQ(kinds.size(), model::component_kinds.size());
}

} // namespace
} // namespace hypermile::io
