#include "trace/otf2_library.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdarg>
#include <cstdio>

namespace hypermile::trace {

Otf2Errors::Otf2Errors() { OTF2_Error_RegisterCallback(&Otf2Errors::on_error, this); }

Otf2Errors::~Otf2Errors() { OTF2_Error_RegisterCallback(nullptr, nullptr); }

OTF2_ErrorCode Otf2Errors::on_error(void* self, const char* /*file*/, std::uint64_t /*line*/,
                                    const char* /*function*/, OTF2_ErrorCode code,
                                    const char* format, va_list arguments) {
  std::array<char, 400> text{};
  (void)std::vsnprintf(text.data(), text.size(), format, arguments);
  auto& first = static_cast<Otf2Errors*>(self)->first_;
  if (first.empty())
    first = fmt::format("{} ({})", text.data(), OTF2_Error_GetDescription(code));
  return code;
}

} // namespace hypermile::trace
