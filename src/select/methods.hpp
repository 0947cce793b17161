#pragma once

#include "model/problem.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace hypermile::select {

class Score;
struct Plan;
struct Solvers;

/// How a gear vector is chosen. A new method is a name here and a row in methods.cpp; --help, error
/// messages, JSON and the tests take it from there.
enum class Method {
  exact,
  slack,
  alg5,
  alg5_literal,
  alg7,
  alg7_literal,
  alg8,
  alg8_literal,
  edp_walk,
  epsa,
  epsa_rauber,
  rauber_e,
  rauber_ep,
  brute
};

/// The models that a method is for.
struct Models {
  std::string_view description; ///< "nodes that all wait for the slowest"
  bool (*contain)(model::ModelKind);
};

/// A row of the table of methods.
struct MethodRow {
  Method method;
  std::string_view name; ///< on the command line and in JSON
  std::string_view help; ///< one line
  const Models& models;
  bool keeps_bounds;       ///< its search does; plans of others are checked afterwards
  bool knows_dependencies; ///< also chooses with the dependency model (dependency_search.hpp)
  bool predicts_gears;     ///< else its prediction belongs to frequencies that no gear has
  /// Fills gears and prediction of a plan, and its certificate if there is a proof.
  void (*run)(Solvers&, const model::Problem&, const Score&, Plan&);
};

/// All methods, in the order of the enumerators.
[[nodiscard]] std::span<const MethodRow> methods();
[[nodiscard]] const MethodRow& row_of(Method method);
[[nodiscard]] inline std::string_view name_of(Method method) { return row_of(method).name; }
[[nodiscard]] std::optional<Method> method_named(std::string_view name);
/// "exact, slack, ...": all, or those for a model.
[[nodiscard]] std::string method_names();
[[nodiscard]] std::string method_names(model::ModelKind model);
/// Throws Error{model} where the method is for other models.
void require_is_for(const MethodRow& method, model::ModelKind model);

} // namespace hypermile::select
