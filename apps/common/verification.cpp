#include "common/verification.hpp"

#include <array>
#include <cstdio>

namespace apps {

void Verification::at_most(const std::string& what, double value, double bound) {
  std::array<char, 64> numbers{};
  std::snprintf(numbers.data(), numbers.size(), ": %.3g (at most %.3g)", value, bound);
  holds(what + numbers.data(), value <= bound); // false where it is no number
}

void Verification::holds(const std::string& what, bool is_true) {
  lines_ += (is_true ? "  right: " : "  WRONG: ") + what + "\n";
  successful_ = successful_ && is_true;
}

std::string Verification::text() const {
  return lines_ + "verification: " + (successful_ ? "successful" : "FAILED") + "\n";
}

} // namespace apps
