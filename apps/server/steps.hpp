#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace apps::server {

/// A factor that changes at certain times; 1 before the first.
class Steps {
public:
  struct Step {
    double from; ///< seconds since the begin
    double factor;
  };

  Steps() = default;
  /// By time.
  explicit Steps(std::vector<Step> steps) : steps_(std::move(steps)) {}

  [[nodiscard]] double at(double seconds) const;
  [[nodiscard]] double largest() const;

private:
  std::vector<Step> steps_;
};

/// Reads "0:1,30:2.5,60:1". None: it is not such a list, the times do not rise, or a factor is not
/// between 0.001 and 1000.
std::optional<Steps> read_steps(std::string_view text);

/// A decimal number, all of the text.
std::optional<double> read_number(std::string_view text);

} // namespace apps::server
