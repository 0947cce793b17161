#pragma once

#include "study/outcome.hpp"

#include <string>
#include <vector>

namespace hypermile::io {

/// The runs in what `hypermile simulate --json` prints, the unscaled one first. `file` is used in
/// messages only. Throws Error{config} for what is not hypermile/simulation/1, or has a time or
/// energy of 0.
std::vector<study::Run> parse_simulation(const std::string& text, const std::string& file);

/// A cell with all that is known of it.
struct CellResult {
  study::Cell cell;
  std::string fingerprint; ///< of what the outcome depends on
  study::Outcome outcome;
  std::string simulation; ///< what `hypermile simulate --json` printed; empty where it failed
};

/// As JSON, schema `hypermile/sweep-cell/1` (docs/sweep.md).
std::string print_cell_result(const CellResult& result);

/// The outcome that print_cell_result() wrote. Throws Error{config} for anything else, and where
/// the fingerprint is another one.
study::Outcome parse_cell_result(const std::string& text, const std::string& file,
                                 const std::string& fingerprint);

} // namespace hypermile::io
