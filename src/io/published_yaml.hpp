#pragma once

#include "study/published.hpp"

#include <string>
#include <vector>

namespace hypermile::io {

/// Reads a table of a paper in the schema `hypermile/published/1` (docs/reproduction.md describes
/// every key). `file` is used in messages only. Throws Error{config} with file, line and key for
/// anything that is not understood: an unknown key, a number that is no percentage, results for
/// other methods than there are.
study::PublishedTable parse_published(const std::string& text, const std::string& file);

/// The names of the tables in a folder, sorted; none if it does not exist.
std::vector<std::string> published_tables(const std::string& folder);

} // namespace hypermile::io
