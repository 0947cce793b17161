#include "units/error.hpp"

namespace hypermile {

Error::Error(ErrorKind kind, const std::string& what, const std::string& advice)
    : std::runtime_error(advice.empty() ? what : what + "; try: " + advice), kind_(kind) {}

} // namespace hypermile
