#pragma once

#include "model/timeline.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// Parallel programs that are described on a page of Lua instead of being written: who computes
/// how much, and who tells whom how much. [M16]
namespace hypermile::application {

/// What a model may use up: it is a text of somebody else's.
struct Limits {
  std::size_t memory = std::size_t{2} << 30U; ///< bytes, of Lua's values
  std::uint64_t instructions = 1'000'000'000; ///< of Lua, for the text itself and for each rank
  std::uint64_t events = 200'000'000;         ///< of all ranks
};

/// A loop of which only some steps are run: the rest is taken to be like these.
struct ExtrapolatedSteps {
  std::uint64_t count = 0;     ///< of the loop
  std::uint64_t simulated = 0; ///< of these; fewer than `count`
  std::uint32_t line = 0;      ///< of the model
  std::size_t loops = 1;       ///< of this kind, one after the other, on each rank that has any

  /// So many of the last that were run show what a step takes.
  [[nodiscard]] std::uint64_t compared() const { return simulated / 3; }
  /// Whether these are loops of the same kind.
  [[nodiscard]] bool is_like(std::uint64_t of, std::uint64_t run) const {
    return count == of && simulated == run;
  }
};
inline constexpr std::uint64_t fewest_steps = 3; ///< that are run of a loop which is extrapolated

/// Loops of a kind run some steps less than the model says: the difference shows what a step takes.
struct FewerSteps {
  std::uint64_t count = 0; ///< as in ExtrapolatedSteps
  std::uint64_t simulated = 0;
  std::uint64_t by = 0; ///< fewer than `simulated`
};

/// How a model is run.
struct Request {
  std::size_t ranks = 1;
  std::map<std::string, double> set{}; ///< parameters that differ from the model's own values
  bool all_steps = false;              ///< of loops that could be extrapolated, too
  std::optional<FewerSteps> fewer{};
  Limits limits{};
  /// Gets what the model prints, line by line, as soon as it does; none: nobody listens.
  std::function<void(const std::string&)> print{};
};

/// A number that the model declares and its user may set.
struct Parameter {
  std::string name;
  double value = 0; ///< as it was used
  std::string help; ///< what it means, in the model's words; may be empty
};

/// What a model says that a job does: nothing has been checked between ranks, and nothing has
/// taken time yet; see Schedule.
struct ModelRun {
  std::string file;
  std::vector<Parameter> parameters; ///< in the model's order
  std::vector<std::string> roles;    ///< by rank
  std::vector<ExtrapolatedSteps>
      extrapolated; ///< one of each kind; empty: all that the model says was run
  /// All that a rank does in its program's order, with work, without times. Operation::site is the
  /// line of the model. Of a receive the bytes are not known yet.
  model::Timeline timeline;
};

/// Runs the model for each rank in turn. `file` is what errors call it. Throws Error{config} with
/// file, line, role and rank for whatever is wrong: syntax, a rank outside the job, a negative
/// number, a parameter that there is not, a loop without end, steps that cannot be extrapolated
/// because they differ, a model that needs more than the limits allow.
[[nodiscard]] ModelRun run_model(const std::string& text, const std::string& file,
                                 const Request& request);

} // namespace hypermile::application
