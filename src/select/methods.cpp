#include "select/methods.hpp"

#include "select/names.hpp"
#include "select/solvers.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <array>

namespace hypermile::select {
namespace {

using model::ModelKind;
using model::Problem;

void exact(Solvers& solvers, const Problem& problem, const Score& score, Plan& plan) {
  solvers.exact.solve(problem, score, plan);
}

void slack(Solvers& solvers, const Problem& problem, const Score&, Plan& plan) {
  solvers.exact.use_slack(problem, plan.gears);
  plan.prediction = predict(problem, plan.gears);
}

void brute(Solvers&, const Problem& problem, const Score& score, Plan& plan) {
  brute_force(problem, score, plan);
}

template <WalkRules rules>
void walk(Solvers& solvers, const Problem& problem, const Score&, Plan& plan) {
  solvers.walk.run(problem, rules, plan.gears);
  plan.prediction = predict(problem, plan.gears);
}

void algorithm3(Solvers&, const Problem& problem, const Score&, Plan& plan) { epsa(problem, plan); }

void algorithm3_by_rauber(Solvers&, const Problem& problem, const Score&, Plan& plan) {
  epsa(with_energy_model(problem, ModelKind::rauber), plan);
  plan.prediction = predict(problem, plan.gears);
}

template <bool slowest_at_full_speed>
void rauber(Solvers&, const Problem& problem, const Score&, Plan& plan) {
  rauber_ruenger(problem, slowest_at_full_speed, plan);
}

bool has_one_gear(ModelKind kind) {
  return kind == ModelKind::homogeneous || kind == ModelKind::rauber;
}

constexpr Models all_models{"all models", [](ModelKind) { return true; }};
constexpr Models one_gear{"a homogeneous cluster, which has one gear for all nodes", has_one_gear};
constexpr Models own_gears{"nodes that have a gear each",
                           [](ModelKind kind) { return !has_one_gear(kind); }};
constexpr Models synchronous{"nodes that all wait for the slowest", [](ModelKind kind) {
                               return !has_one_gear(kind) && !is_asynchronous(kind);
                             }};
constexpr Models asynchronous{"the hybrid and async models", model::is_asynchronous};

constexpr WalkRules until_negative{.stop_at_negative = true};
constexpr WalkRules literal{.literal = true};
constexpr WalkRules literal_until_negative{.literal = true, .stop_at_negative = true};
constexpr WalkRules literal_edp48{.literal = true, .by_edp48 = true};

// method, name, help, models, keeps_bounds, knows_dependencies, predicts_gears, run
constexpr std::array<MethodRow, 14> rows{{
    {Method::exact, "exact", "the optimum, or the best known with a proven gap", all_models, true,
     true, true, exact},
    {Method::slack, "slack", "least energy without slowing anything down", all_models, false, false,
     true, slack},
    {Method::alg5, "alg5", "[F16] Algorithm 5, for nodes that wait for the slowest", synchronous,
     false, false, true, walk<WalkRules{}>},
    {Method::alg5_literal, "alg5-literal", "Algorithm 5 as printed", synchronous, false, false,
     true, walk<literal>},
    {Method::alg7, "alg7", "[F16] Algorithm 7, for a grid that waits for the slowest node",
     synchronous, false, false, true, walk<until_negative>},
    {Method::alg7_literal, "alg7-literal", "Algorithm 7 as printed", synchronous, false, false,
     true, walk<literal_until_negative>},
    {Method::alg8, "alg8", "[F16] Algorithm 8, for the hybrid and async models", asynchronous,
     false, false, true, walk<until_negative>},
    {Method::alg8_literal, "alg8-literal", "Algorithm 8 as printed", asynchronous, false, false,
     true, walk<literal_until_negative>},
    {Method::edp_walk, "edp-walk", "Algorithm 5, 7 or 8 as printed, with Eq. 4.8 as objective",
     own_gears, false, false, true, walk<literal_edp48>},
    {Method::epsa, "epsa", "[F16] Algorithm 3, for a homogeneous cluster", one_gear, false, false,
     true, algorithm3},
    {Method::epsa_rauber, "epsa-rauber", "epsa by the energy of Rauber and Ruenger, Eq. 1.19",
     one_gear, false, false, true, algorithm3_by_rauber},
    {Method::rauber_e, "rauber-e", "Rauber and Ruenger, [F16] Eq. 2.3, likewise", one_gear, false,
     false, false, rauber<false>},
    {Method::rauber_ep, "rauber-ep", "rauber-e with the slowest task at full speed", one_gear,
     false, false, false, rauber<true>},
    {Method::brute, "brute", "every gear vector, up to 2 million", all_models, true, false, true,
     brute},
}};

static_assert(in_order_of_enumerators(rows, &MethodRow::method));

} // namespace

std::span<const MethodRow> methods() { return rows; }

const MethodRow& row_of(Method method) { return rows[static_cast<std::size_t>(method)]; }

std::optional<Method> method_named(std::string_view name) {
  return enumerator_named(rows, name, &MethodRow::method);
}

std::string method_names() {
  return names_of(rows, [](const MethodRow&) { return true; });
}

std::string method_names(ModelKind model) {
  return names_of(rows, [=](const MethodRow& row) { return row.models.contain(model); });
}

void require_is_for(const MethodRow& method, ModelKind model) {
  if (!method.models.contain(model))
    throw Error(ErrorKind::model,
                fmt::format("the method {} is for {}", method.name, method.models.description),
                method_names(model));
}

} // namespace hypermile::select
