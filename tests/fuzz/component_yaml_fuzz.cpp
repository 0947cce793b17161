// libFuzzer: whatever bytes claim to be a component are refused with an Error, or are a component
// of which a node can be made, and all of whose figures say where they come from.

#include "fuzz/expect.hpp"
#include "io/component_yaml.hpp"
#include "units/error.hpp"

#include <cmath>
#include <cstdint>
#include <string>

namespace {

using namespace hypermile;

void check(const model::Processor& node) {
  EXPECT_THAT(node.cores > 0 && node.speed > Speed{} && std::isfinite(node.speed.value()));
  EXPECT_THAT(node.power.size() == node.gears.size());
  for (const model::GearPower& gear : node.power)
    EXPECT_THAT(gear.computing >= gear.waiting && gear.waiting >= Watts{} && gear.idle >= Watts{} &&
                std::isfinite(gear.computing.value()));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::string text(reinterpret_cast<const char*>(data), size);
    const model::Component component = io::parse_component(text, "fuzz");
    EXPECT_THAT(io::is_component_name(component.name));
    EXPECT_THAT(!component.figures.empty());
    for (const model::Figure& figure : component.figures)
      EXPECT_THAT(!figure.name.empty() && !figure.origin.empty());
    if (component.kind == model::ComponentKind::cpu)
      check(model::assemble_node({{2, &component}}));
  } catch (const Error&) {
    // refused, as it may be
  }
  return 0;
}
