#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace apps::server {

/// How long items took, in classes of 1 %, so that any number of them fits.
class Latencies {
public:
  Latencies();
  /// Seconds; what is not between a microsecond and a day counts as these.
  void add(double seconds);
  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// 0 without any.
  [[nodiscard]] double mean() const;
  /// What this share of all took at most, to 1 %; 0 without any.
  [[nodiscard]] double quantile(double share) const;

private:
  std::vector<std::uint64_t> classes_;
  std::uint64_t count_ = 0;
  double sum_ = 0;
};

} // namespace apps::server
