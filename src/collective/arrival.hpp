#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hypermile::collective {

/// When the processes of a program come to a collective operation: each a random time late, which
/// is drawn anew for each process and operation.
struct Arrival {
  enum class Kind {
    together,
    uniform,     ///< from 0 to `scale_s`
    normal,      ///< standard deviation `scale_s` around 3 times that; less than 0 and more than 6
                 ///< times that are drawn as 0 and as 6 times
    exponential, ///< mean `scale_s`; more than 10 times that is drawn as 10 times
  };
  Kind kind = Kind::together;
  double scale_s = 0; ///< with Kind::together 0
  bool operator==(const Arrival&) const = default;
};

/// Reads "uniform:5ms", "normal:200us", "exponential:0.01s" and "together"; from 1 us to 1 s.
/// Throws std::invalid_argument with what is wrong.
[[nodiscard]] Arrival parse_arrival(std::string_view text);
/// So that parse_arrival() reads the same: "uniform:0.005s".
[[nodiscard]] std::string arrival_text(const Arrival& arrival);

/// By how many seconds this process is late. The same for the same arguments on every machine, so
/// that all algorithms see the same.
[[nodiscard]] double lateness_s(const Arrival& arrival, std::uint64_t seed, std::uint64_t operation,
                                std::uint64_t process);

/// About how late the last of several processes is; with Kind::together 0.
[[nodiscard]] double usual_last_s(const Arrival& arrival);

} // namespace hypermile::collective
