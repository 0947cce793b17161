#pragma once

#include "control/ports.hpp"

#include <cstddef>
#include <optional>
#include <regex>
#include <string>
#include <string_view>

namespace hypermile::backend::progress {

/// How much a program has done, as it says itself on its output: group 1 of a regular expression
/// (ECMAScript) is the number of items so far. A number that falls starts anew: what was counted
/// before is kept, "7, 9, 2, 3" is 12 items. One thread calls this.
class OutputProgress final : public control::Progress {
public:
  /// Only the begin of a longer line is looked at: std::regex needs a stack in proportion to it.
  static constexpr std::size_t longest_line = 1024;

  /// Throws Error{config} if it is not a regular expression, or has no group.
  explicit OutputProgress(const std::string& regex);

  /// The next piece of the output, as it comes: a line may be in several. A line ends with '\n' or
  /// '\r', so that progress bars count; its first match counts.
  void take(std::string_view piece);

  [[nodiscard]] std::optional<control::Done> done() override;
  [[nodiscard]] std::string why_not() const override { return obstacle_; }

private:
  void end_line();
  void count(const std::string& number);

  std::string text_; ///< of the regular expression
  std::regex regex_;
  std::string line_;
  double before_ = 0;          ///< items until the number last fell
  std::optional<double> last_; ///< number
  std::string obstacle_;
};

} // namespace hypermile::backend::progress
