#include "model/gear.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace hypermile::model {

GearTable::GearTable(std::vector<Hertz> frequencies) : frequencies_(std::move(frequencies)) {
  if (frequencies_.empty())
    throw Error(ErrorKind::model, "a node has no gear", "list at least one frequency");
  for (std::size_t g = 0; g < frequencies_.size(); ++g) {
    const double hertz = frequencies_[g].value();
    if (!std::isfinite(hertz) || hertz <= 0)
      throw Error(ErrorKind::model,
                  fmt::format("gear {} has a frequency of {} GHz", g, hertz / 1e9),
                  "positive frequencies only");
    if (g > 0 && frequencies_[g] >= frequencies_[g - 1])
      throw Error(ErrorKind::model,
                  fmt::format("gear {} ({} GHz) is not slower than gear {} ({} GHz)", g,
                              hertz / 1e9, g - 1, frequencies_[g - 1].value() / 1e9),
                  "list the gears fastest first, each once");
  }
}

} // namespace hypermile::model
