#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

/// Parameters of a model from what was measured.
namespace hypermile::estimate {

/// A parameter as it fits best. No unit: whatever the model makes of it.
struct Estimate {
  double value = 0;
  /// The 95 % interval, if errors are normal and the model is right; infinite where there are no
  /// more observations than parameters.
  double low = 0;
  double high = 0;
  bool at_bound = false; ///< it is next to nothing, and only its sign keeps it there: no interval
};

struct Fit {
  std::vector<Estimate> parameters; ///< in their order
  std::vector<double> fitted;       ///< by observation: what the model makes of it
  /// By observation: what the model makes of it with the parameters that fit the others best. Empty
  /// where the others are fewer than the parameters.
  std::vector<double> left_out;
};

/// What the model makes of each observation with these parameters. May throw.
using Predict = std::function<std::vector<double>(std::span<const double> parameters)>;

/// Minimises the sum of the squares of predicted / observed - 1, from `start` on, by Levenberg and
/// Marquardt's method. `observed`: positive. A parameter keeps its sign; one that starts at 0 may
/// have any, and is looked for near 1.
/// Throws Error{model} for fewer observations than parameters, where a parameter changes nothing,
/// and where predictions are no numbers; what `predict` throws of the start. Other parameters of
/// which it throws an Error are avoided.
[[nodiscard]] Fit fit(const Predict& predict, std::span<const double> observed,
                      std::span<const double> start);

/// Root of the mean square of predicted / observed - 1.
[[nodiscard]] double relative_error(std::span<const double> predicted,
                                    std::span<const double> observed);

} // namespace hypermile::estimate
