// libFuzzer: whatever bytes claim to be a study are refused with an Error, or are a study whose
// cells can be told apart.

#include "fuzz/expect.hpp"
#include "io/study_yaml.hpp"
#include "units/error.hpp"

#include <cstdint>
#include <string>

using namespace hypermile;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const io::StudyChecks none{.method = [](const std::string&) {},
                             .platform = [](const std::string&) {},
                             .option = [](const study::Option&) {}};
  try {
    const std::string text(reinterpret_cast<const char*>(data), size);
    const study::Study study = io::parse_study(text, "fuzz", none);
    EXPECT_THAT(!study.methods.empty());
    const std::size_t count = study::count_cells(study);
    EXPECT_THAT(count >= 1 && count <= study::most_cells);
    if (count > 1000) // which is only slow
      return 0;
    const auto cells = study::cells_of(study);
    EXPECT_THAT(cells.size() == count);
    for (std::size_t i = 1; i < cells.size(); ++i) {
      study::Cell before = cells[i - 1];
      before.number = cells[i].number;
      EXPECT_THAT(before != cells[i]);
    }
  } catch (const Error&) {
    // refused, as it may be
  }
  return 0;
}
