#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hypermile::replay {

/// By zstd, with a checksum. Throws std::bad_alloc.
[[nodiscard]] std::string compressed(std::string_view bytes);
/// The same back; none for anything that compressed() did not return.
[[nodiscard]] std::optional<std::string> decompressed(std::string_view bytes);

} // namespace hypermile::replay
