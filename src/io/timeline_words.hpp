#pragma once

#include <array>
#include <string_view>

/// The words of a timeline as text.
namespace hypermile::io {

inline constexpr std::string_view timeline_schema = "hypermile/timeline/1";

// In the order of the enumerations.
inline constexpr std::array<std::string_view, 6> actions{"send",     "receive", "arrive",
                                                         "complete", "probe",   "other"};
inline constexpr std::array<std::string_view, 6> shapes{"none",    "all",  "from_root",
                                                        "to_root", "scan", "neighbours"};

/// Behind the action of a message that the program took from whoever came first.
inline constexpr std::string_view from_any = "_any";

} // namespace hypermile::io
