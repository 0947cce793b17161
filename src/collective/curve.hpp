#pragma once

#include "collective/calibration.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace hypermile::collective {

/// How time depends on start-up time T_S and transfer rate R. V: size, C: number of segments, at
/// least 1, P: processes.
enum class Form {
  line, ///< T_S + V/R
  /// (C + P - 2) T_S + ((C + P - 3) S + V - (C - 1) S)/R, S being a whole segment: each starts
  /// anew, and the last one is what is left. With equal segments (C + P - 2) (T_S + V/(C R)).
  pipeline,
  /// (P - 1) (T_S + V/(P R)): so many steps, with a part of the message in each.
  ring,
  steps,          ///< (P - 1) (T_S + V/R)
  doubling,       ///< L (T_S + V/R), L being log2 P, rounded up
  halving,        ///< L T_S + (P - 1)/P V/R
  collecting,     ///< L T_S + (P - 1) V/R
  exchange,       ///< L (T_S + P/2 V/R)
  paper_sag,      ///< 2 (T_S + V/R) (P - 1)/P, scatter and allgather of [D13] 3.2.2
  paper_pipeline, ///< (T_S + V/R) (C + P - 2)/C, pipeline of [D13] 3.2.2
};

/// Time = start * T_S + transfer / R.
struct Terms {
  double start;
  double transfer_b;
};
/// The size at which messages are as long among `others` processes as those of this size among
/// `processes`. In a ring they are V/P.
[[nodiscard]] double alike_size_b(Form form, double size_b, std::size_t processes,
                                  std::size_t others);
[[nodiscard]] Terms terms_of(Form form, double size_b, std::size_t segment_b,
                             std::size_t processes);

struct Line {
  double start_s = 0;    ///< T_S, at least 0
  double per_byte_s = 0; ///< 1/R, at least 0
};

/// A time at a size.
struct Sample {
  Terms terms;
  double size_b;
  double time_s;   ///< positive
  double relative; ///< the standard deviation of the time, as a share of it; positive
};

/// The line for which the sum of ((fitted / measured - 1) / relative)^2 is least.
[[nodiscard]] Line fit_line(std::span<const Sample> samples);
[[nodiscard]] double fitted(const Line& line, const Terms& terms);

/// Samples first to last, which lie on one line.
struct Piece {
  std::size_t first;
  std::size_t last;
  Line line;
};

/// Cuts samples, which ascend by size, into pieces where a further line explains more than chance
/// would: the cut that makes chi^2 + 3 ln(n) (pieces - 1) least (the Bayesian information
/// criterion, with three parameters for each further piece). A piece has two samples or more.
[[nodiscard]] std::vector<Piece> cut_into_pieces(std::span<const Sample> samples);

/// How much of piece `index` + 1, in place of `index`, counts at this size, from 0 to 1: between
/// the last sample of one and the first of the next, one fades into the other.
struct Place {
  std::size_t index;
  double next;
};
[[nodiscard]] Place place_of(std::span<const Piece> pieces, std::span<const Sample> samples,
                             double size_b);

} // namespace hypermile::collective
