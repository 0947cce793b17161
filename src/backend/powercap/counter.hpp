#pragma once

#include <cstdint>
#include <string>

namespace hypermile::backend::powercap {

/// One energy counter, which starts again at 0 when it has reached the end of its range.
class Counter {
public:
  /// Counts from now on. `folder` has the files energy_uj and max_energy_range_uj. Throws
  /// Error{hardware} if it cannot be read, or is no number.
  explicit Counter(std::string folder);

  /// Reads the counter: microjoules since the beginning. It must be read at least once per turn,
  /// which takes minutes. Throws likewise, and Error{hardware} if it fell without having reached
  /// the end of its range.
  std::uint64_t counted();

private:
  [[nodiscard]] std::uint64_t read(const char* file) const;

  std::string folder_;
  std::uint64_t last_;
  std::uint64_t counted_ = 0;
};

} // namespace hypermile::backend::powercap
