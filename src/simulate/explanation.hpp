#pragma once

#include "simulate/forecast.hpp"

#include "select/neighbours.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace hypermile::simulate {

/// What the time of a recorded program in some gears consists of: the critical path, along which
/// nothing can be shortened without shortening the run, and how far from it the ranks are.
struct Explanation {
  struct Node {
    std::string name;
    std::string type;
    model::Gear gear;
    std::optional<Hertz> frequency; ///< none: the platform does not state it
  };
  struct Rank {
    std::size_t node;
    Seconds on_path; ///< its computation on the critical path, stretched
    model::dependency::Dependencies::Account account;
    model::dependency::Dependencies::Slack slack;
  };
  /// A call that the path goes through, wherever it does.
  struct Call {
    enum class Kind {
      message,    ///< it ended when a message had come, or had been taken
      collective, ///< or when a collective operation was over
      alone       ///< it waited for nobody
    };
    Kind kind;
    std::string function; ///< of MPI, without "MPI_"
    std::size_t rank;     ///< whose call it is; collective: of no meaning
    std::size_t with;     ///< message: the other rank; collective: how many ranks take part
    std::size_t times;
    Seconds inside; ///< in all
  };
  /// What the path does on one rank before it goes on to another.
  struct Segment {
    std::size_t rank;
    Seconds begin; ///< since the run began
    Seconds computing;
    Seconds inside;
    std::string first_call;          ///< an MPI function; empty: none
    std::string last_call;           ///< empty: it ends with the program
    std::size_t first_iteration = 0; ///< of the rank's loop, about, from 1; 0: outside of it
    std::size_t last_iteration = 0;
  };

  std::vector<Node> nodes; ///< in the order of their first ranks
  std::vector<Rank> ranks;
  model::Baseline baseline;     ///< in gear 0
  Seconds path_time;            ///< what the path adds up to
  Seconds late_begin;           ///< of the path's first rank, after the first of all
  Seconds computing;            ///< on the path
  Seconds inside;               ///< on the path
  std::size_t handovers = 0;    ///< how often the path goes from rank to rank
  std::vector<Call> calls;      ///< those that cost most first
  std::vector<Segment> longest; ///< segments, the longest first
  select::Neighbourhood neighbourhood;
};

/// `gears`: one per node, each of which the node has. `timeline`: that of the forecast, of the
/// run `unscaled`. The objective and the bounds of `request` decide what is better. At most
/// `segments` segments are listed. Throws Error{config} for a bound out of its range.
[[nodiscard]] Explanation explain(const Forecast& forecast, const model::Timeline& timeline,
                                  const runtime::RunReport& unscaled,
                                  std::span<const model::Gear> gears,
                                  const select::Request& request, std::size_t segments);

} // namespace hypermile::simulate
