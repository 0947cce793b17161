#pragma once

#include <string>
#include <string_view>

namespace hypermile::report {

/// Where the data go in the page that `web/` is bundled into.
inline constexpr std::string_view page_marker = "@HYPERMILE_DATA@";

/// JSON as it can stand in an element `script` of HTML: no character of it ends the element or
/// begins a comment.
[[nodiscard]] std::string inside_script(const std::string& json);

/// The page with these data, which are JSON. Throws Error{unsupported} for a page without a marker,
/// or with several; `file` is the page's, for the message.
[[nodiscard]] std::string fill_page(std::string_view page, const std::string& json,
                                    const std::string& file);

} // namespace hypermile::report
