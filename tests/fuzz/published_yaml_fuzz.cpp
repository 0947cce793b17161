// libFuzzer: whatever bytes claim to be a published table are refused with an Error, or are a table
// whose cells can be told apart and compared.

#include "fuzz/expect.hpp"
#include "io/published_yaml.hpp"
#include "study/comparison.hpp"
#include "units/error.hpp"

#include <cmath>
#include <cstdint>
#include <string>

using namespace hypermile;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::string text(reinterpret_cast<const char*>(data), size);
    const study::PublishedTable table = io::parse_published(text, "fuzz");
    study::Commands commands;
    for (const auto& program : table.programs) {
      EXPECT_THAT(program.effects.empty() || program.effects.size() == table.methods.size());
      for (const auto& effect : program.effects)
        EXPECT_THAT(std::isfinite(effect.saving + effect.slowdown + effect.distance));
      commands[program.name] = {"program"};
    }
    const auto comparison = study::compare(table, "S", commands, {});
    EXPECT_THAT(comparison.programs.size() == table.programs.size());
    const auto cells = study::cells_of(table, "S", commands, {});
    EXPECT_THAT(cells.size() >= table.programs.size());
    EXPECT_THAT(cells.size() % table.programs.size() == 0);
  } catch (const Error&) {
    // refused, as it may be
  }
  return 0;
}
