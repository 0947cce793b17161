#pragma once

#include "runtime/loop/symbol_table.hpp"

#include <vector>

namespace hypermile::runtime {

/// The last MPI calls of a rank. Calls are numbered from 1 on. 24 bytes per call; it
/// grows with what is in it.
class CallWindow {
public:
  static constexpr std::size_t most_calls = std::size_t{1} << 17U;

  void add(Symbol symbol, const Span& span);
  /// Which was the same: they count as one.
  void add_to_last(const Span& span);
  [[nodiscard]] bool is_full() const { return symbols_.size() == most_calls; }
  void forget_older_half();

  /// The oldest call in the window, and the next one to come.
  [[nodiscard]] std::size_t first() const { return first_; }
  [[nodiscard]] std::size_t next() const { return first_ + symbols_.size(); }
  [[nodiscard]] const std::vector<Symbol>& symbols() const { return symbols_; }
  [[nodiscard]] Symbol symbol(std::size_t call) const { return symbols_[call - first_]; }
  /// When a call of the window, or the one before its first, ended, in s.
  [[nodiscard]] double end(std::size_t call) const {
    return call + 1 == first_ ? begin_ : ends_[call - first_];
  }
  [[nodiscard]] double now() const { return ends_.back(); }
  /// Of the calls from `from` to before `to`; not empty. Without computation_before.
  [[nodiscard]] Span sum(std::size_t from, std::size_t to) const;
  /// In all calls before one that is in the window.
  [[nodiscard]] Seconds computation_before(std::size_t call) const;

private:
  struct Details {
    float computation;
    float computation_in_gear0;
    std::uint32_t event; ///< the lower half of its number
  };
  /// Time between the end of a call and the begin of the next, taken by hypermile.
  struct Pause {
    std::size_t before; ///< call
    double length;
  };
  std::size_t first_ = 1;
  double begin_ = 0; ///< end of the call before the first
  std::vector<Symbol> symbols_;
  std::vector<double> ends_;
  std::vector<Details> details_;
  std::vector<Pause> pauses_; ///< in the window; few
  std::uint64_t last_event_ = 0;
  double computation_ = 0; ///< since the first call of all
};

} // namespace hypermile::runtime
