#pragma once

#include "compare/results.hpp"

#include "io/json_reader.hpp"

// One reader per schema; at the top of a document. What versions before the first release left
// has no key `hypermile_version`.

namespace hypermile::compare {

/// "none" where there is none.
[[nodiscard]] std::string bound_text(const io::JsonReader& max_slowdown);
/// The text, or `otherwise` for null.
[[nodiscard]] std::string text_or(const io::JsonReader& at, const std::string& otherwise);
/// "average 90 W, peak 120 W"
[[nodiscard]] std::string caps_text(const io::JsonReader& power_caps);
[[nodiscard]] Fact version_fact(const io::JsonReader& top);
/// The elements of an array, which may be empty.
[[nodiscard]] std::vector<io::JsonReader> elements_of(const io::JsonReader& array);
/// "2 x type1, 1 x type2" of nodes with a key `type`.
[[nodiscard]] std::string types_text(const io::JsonReader& nodes);
/// More than 0. Neither it nor an energy is so large that computing with it would not stay finite.
[[nodiscard]] Seconds time_of(const io::JsonReader& at);
[[nodiscard]] Joules joules_of(const io::JsonReader& at);

[[nodiscard]] std::vector<Run> read_run(const io::JsonReader& top);
[[nodiscard]] std::vector<Run> read_steered(const io::JsonReader& top);
[[nodiscard]] std::vector<Run> read_simulation(const io::JsonReader& top);
/// The rows of hypermile/sweep/1.
[[nodiscard]] std::vector<Run> read_sweep(const io::JsonReader& top);
/// The cells of a folder of results, as report::read_cells() has them.
[[nodiscard]] std::vector<Run> read_cells(const io::JsonReader& top);

} // namespace hypermile::compare
