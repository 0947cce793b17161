#pragma once

#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace hypermile::report {

/// What a page is made of.
enum class PageKind {
  run,
  simulation,
  steer,
  sweep,
  selection,
  front,
  reproduction,
  multisplitting,
  m16,
  d13,
  fit,
  estimate,
  calibration
};

/// A kind of report in JSON that a page is made of. What `hypermile sweep` leaves is none: it is a
/// folder with a file for each cell.
struct SourceKind {
  using Keys = std::vector<std::string_view>;

  PageKind kind;
  std::string_view file; ///< its name in the folder of --report; empty: it is a file of any name
  std::string_view schema;
  std::string_view command; ///< that leaves it
  Keys keys;                ///< that it must have
  /// Arrays, and the keys of each of their elements.
  std::vector<std::pair<std::string_view, Keys>> elements;
};

/// Those that are in a folder.
[[nodiscard]] std::span<const SourceKind> folder_kinds();
/// Those that are a file.
[[nodiscard]] std::span<const SourceKind> file_kinds();

inline constexpr std::string_view sweep_command = "hypermile sweep STUDY";

/// As the page names the kind.
[[nodiscard]] std::string_view name_of(PageKind kind);

} // namespace hypermile::report
