#pragma once

#include <string>
#include <vector>

namespace apps {

/// What a program checked of its own result. Every rank checks the same values, so that all
/// come to the same verdict.
class Verification {
public:
  /// `value` has to be a number of at most `bound`.
  void at_most(const std::string& what, double value, double bound);
  void holds(const std::string& what, bool is_true);

  [[nodiscard]] bool successful() const { return successful_; }
  /// A line for each check, and the verdict.
  [[nodiscard]] std::string text() const;

private:
  std::string lines_;
  bool successful_ = true;
};

} // namespace apps
