#pragma once

#include <otf2/otf2.h>

#include <string>

namespace hypermile::trace {

/// While there is one, the library tells what goes wrong here and not on stderr.
class Otf2Errors {
public:
  Otf2Errors();
  ~Otf2Errors();
  Otf2Errors(const Otf2Errors&) = delete;
  Otf2Errors& operator=(const Otf2Errors&) = delete;

  /// The first that was told, in the library's words; empty: none.
  [[nodiscard]] const std::string& first() const { return first_; }

private:
  static OTF2_ErrorCode on_error(void* self, const char* file, std::uint64_t line,
                                 const char* function, OTF2_ErrorCode code, const char* format,
                                 va_list arguments);
  std::string first_;
};

/// The archive's description of itself that says which gears its times are of.
inline constexpr const char* times_property = "HYPERMILE::TIMES";
inline constexpr const char* recorded_times = "recorded";

} // namespace hypermile::trace
