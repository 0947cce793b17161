#pragma once

#include "architecture/rules.hpp"

namespace hypermile::architecture {

/// The table of arrows as a Mermaid figure. Arrows that follow from others are left out.
std::string figure();

/// A page of documentation, by its path in the source tree, and its text.
struct Page {
  std::string file;
  std::string text;
};

/// Throws std::runtime_error if it cannot be read.
Page read_page(const std::filesystem::path& tree, const std::string& file);

/// The figure of the page is not that of the table, or its table of folders has other arrows.
std::vector<Violation> figure_violations(const Page& page);
/// A path in backticks, or the target of a link, that does not exist in the tree.
std::vector<Violation> path_violations(const std::filesystem::path& tree, const Page& page);
/// Of "`function()` (`path`)": a file that does not have the function.
std::vector<Violation> function_violations(const std::filesystem::path& tree, const Page& page);
/// How many functions a page names in this way.
std::size_t functions_named(const Page& page);

} // namespace hypermile::architecture
