#pragma once

#include "units/quantity.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace hypermile::runtime {

/// What tells one MPI call of a program from another: function and call site, hashed.
using CallSignature = std::uint64_t;

/// Time of one or more MPI calls together with the computation before each of them.
struct Span {
  Seconds begin;                ///< when the computation before the first call began
  Seconds end;                  ///< when the last call returned
  Seconds computation;          ///< time outside MPI, as it passed
  Seconds computation_in_gear0; ///< the same, had it been run in gear 0
  Seconds communication;        ///< time inside MPI, waiting included
  std::size_t calls = 0;
  std::uint64_t event = 0; ///< Recorder's number of the first event; 0 where nothing is recorded
  // What the rank had done before the first call, since MPI_Init:
  std::size_t calls_before = 0;
  Seconds computation_before{};

  Span& operator+=(const Span& next);
};

using LoopId = std::uint32_t;

/// One iteration of a loop.
struct Iteration {
  Seconds begin;                ///< of the computation before its first call
  Seconds computation_in_gear0; ///< whatever gear it ran in
  std::uint64_t event = 0;      ///< as Span's
};

/// A repeating pattern of MPI calls.
struct Loop {
  std::size_t iterations = 0; ///< completed, in all its visits
  Span total;                 ///< of all completed iterations
  // Of those completed since measure_afresh():
  std::size_t measured_iterations = 0;
  Span measured;
  double squares = 0; ///< of their lengths, in s^2
  /// The last iterations, in whatever gear: most_last / 2 of them at least, if there are so many.
  std::vector<Iteration> last;
  static constexpr std::size_t most_last = 512;

  /// An iteration is complete. `fresh`: it counts as measured.
  void count(const Span& iteration, bool fresh);
  void measure_afresh();
};

/// Finds the loops of a program in the stream of its MPI calls, online.
///
/// The stream is kept folded: when the last p symbols equal the p before them they become a
/// loop, and a loop is a symbol of its own, equal to every visit of the same body however
/// often it was repeated. So an outer loop is found around an inner one of varying length,
/// and a loop that is interrupted (a different call every k-th iteration) is recognised at
/// its next iteration. A call that continues a known loop costs one comparison.
class LoopFinder {
public:
  LoopFinder();

  /// Feeds the next call. Returns the outermost loop of which an iteration was completed.
  std::optional<LoopId> add(CallSignature signature, const Span& span);

  [[nodiscard]] const Loop& loop(LoopId id) const { return loops_[id]; }
  [[nodiscard]] std::size_t loop_count() const { return loops_.size(); }
  /// True if `inner` is repeated within each iteration of `outer`, at any depth.
  [[nodiscard]] bool encloses(LoopId outer, LoopId inner) const;
  /// E.g. "12 calls + loop of (3 calls)": what one iteration consists of.
  [[nodiscard]] std::string describe(LoopId id) const;

  /// Starts `measured` of every loop again from its next complete iteration: what is under
  /// way now began in another gear.
  void measure_afresh();

private:
  using Symbol = std::uint32_t; ///< a call (even) or a loop (odd)
  struct Entry {
    Symbol symbol;
    std::uint32_t previous; ///< index + 1 of the entry below with the same symbol
    Span span;
  };
  /// Where the stream stands within a loop: one frame per nested loop.
  struct Frame {
    LoopId loop;
    std::size_t position = 0;
    std::size_t iterations = 0; ///< in this visit
    bool fresh = true;          ///< this iteration began after measure_afresh()
    Span visit;                 ///< all complete iterations of this visit
    std::vector<Span> done;     ///< of the elements before `position`
  };

  Symbol intern(CallSignature signature);
  [[nodiscard]] bool is_next(CallSignature signature) const;
  [[nodiscard]] Symbol next_symbol() const;
  [[nodiscard]] bool follows(Symbol symbol, const Span& span);
  void leave_inner_loop();
  void complete_iteration(Frame& frame);
  void count_iteration(LoopId id, const Span& span, bool fresh);
  void close();
  void push(Symbol symbol, const Span& span);
  void pop(std::size_t count);
  void reopen(LoopId id);
  bool fold_known();
  bool fold_new();
  LoopId create(std::span<const Entry> body);
  void fold_twice(LoopId id, std::size_t period);
  [[nodiscard]] Span take(std::size_t count);

  std::unordered_map<CallSignature, Symbol> symbols_;
  std::vector<CallSignature> signatures_; ///< of the symbols that are calls
  std::vector<Loop> loops_;
  std::vector<std::vector<Symbol>> bodies_;
  std::unordered_map<Symbol, std::vector<LoopId>> bodies_by_last_; ///< longest first
  std::vector<Entry> stack_;
  std::unordered_map<Symbol, std::uint32_t> last_; ///< index + 1 of the topmost entry
  std::vector<Frame> frames_;                      ///< of the open loop on top, if there is one
  std::size_t fresh_from_ = 0;                     ///< entries below began before measure_afresh()
  std::optional<LoopId> completed_;
};

} // namespace hypermile::runtime
