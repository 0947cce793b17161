#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace hypermile::report {

/// The report that a page is made of, and where it is from.
struct PageSource {
  enum class Kind { run, simulation, sweep } kind;
  std::string name;    ///< of the file in its folder; of a sweep, of the folder
  std::string path;    ///< of the file; of a sweep, of the folder
  std::string command; ///< that leaves such a folder
  nlohmann::json report;
};

/// Reads it from the folder of `hypermile run --report` or `hypermile simulate --report`, or from
/// the results of `hypermile sweep`. It has all keys that the page relies on. Throws Error{config}
/// naming the file for what is no such folder, or cannot be understood.
[[nodiscard]] PageSource read_page_source(const std::string& folder);

} // namespace hypermile::report
