#pragma once

#include "report/page_kinds.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace hypermile::report {

/// The report that a page is made of, and where it is from.
struct PageSource {
  PageKind kind;
  std::string name;    ///< of the file; of a sweep, of the folder
  std::string path;    ///< of the file; of a sweep, of the folder
  std::string folder;  ///< that the file is in
  std::string command; ///< that leaves such a report
  nlohmann::json report;
};

/// Reads it from the folder of `hypermile run --report`, `hypermile simulate --report` or
/// `hypermile steer --report`, from the results of `hypermile sweep`, or from a file with the JSON
/// of one of file_kinds(). It has all keys that the page relies on. Throws Error{config} naming the
/// file for what is none of these, or cannot be understood.
[[nodiscard]] PageSource read_page_source(const std::string& path);

} // namespace hypermile::report
