#include "steer/evaluate.hpp"

#include "steer/adaptive.hpp"

#include <algorithm>
#include <array>
#include <memory>

namespace hypermile::steer {
namespace {

constexpr std::array kinds{BoundKind::throughput, BoundKind::power};

double figure(const Performance& performance, BoundKind kind) {
  return kind == BoundKind::power ? performance.power.value() : performance.capacity.value();
}

/// (B_opt - B) / B_opt under a bound on power, (P - P_opt) / P_opt under one on throughput. [N16]
double loss_of(const Performance& chosen, const Performance& best, BoundKind kind) {
  return kind == BoundKind::power ? 1 - chosen.capacity / best.capacity
                                  : chosen.power / best.power - 1;
}

Case run_case(const Table& table, const std::string& method, BoundKind kind, double bound,
              const Noise& noise, const Prior* prior = nullptr) {
  const Goal goal = goal_of(kind, bound);
  std::unique_ptr<Search> search =
      prior == nullptr ? make_search(method, table.space, goal)
                       : std::make_unique<AdaptiveSearch>(table.space, goal, *prior);
  const Replay replayed = replay(table, *search, goal, noise);
  const Performance& chosen = table.performance[replayed.settled.configuration];
  const Performance& best = table.performance[optimum(table, goal).configuration];
  return {.table = table.name,
          .method = method,
          .kind = kind,
          .bound = bound,
          .loss = loss_of(chosen, best, kind),
          .violated = excess(goal, chosen) > 0,
          .visits = replayed.visits,
          .measurements = replayed.observations.size(),
          .worst_excess = replayed.worst_excess};
}

Summary summarise(const std::vector<Case>& cases, const std::string& method, BoundKind kind) {
  Summary sum{.method = method, .kind = kind};
  std::size_t kept = 0;
  for (const Case& one : cases) {
    if (one.method != method || one.kind != kind)
      continue;
    ++sum.cases;
    if (one.violated) {
      ++sum.violations;
    } else {
      ++kept;
      sum.mean_loss += one.loss;
      sum.worst_loss = std::max(sum.worst_loss, one.loss);
    }
    sum.mean_visits += static_cast<double>(one.visits);
    sum.mean_measurements += static_cast<double>(one.measurements);
    sum.worst_excess = std::max(sum.worst_excess, one.worst_excess);
  }
  const auto mean = [](double total, std::size_t count) {
    return count == 0 ? 0 : total / static_cast<double>(count);
  };
  sum.mean_loss = mean(sum.mean_loss, kept);
  sum.mean_visits = mean(sum.mean_visits, sum.cases);
  sum.mean_measurements = mean(sum.mean_measurements, sum.cases);
  return sum;
}

} // namespace

std::string name_of(BoundKind kind) { return kind == BoundKind::power ? "power" : "throughput"; }

std::vector<double> interior_bounds(const Table& table, BoundKind kind) {
  constexpr int parts = 10;
  const auto [least, most] = std::ranges::minmax(
      table.performance, {}, [&](const Performance& one) { return figure(one, kind); });
  std::vector<double> bounds;
  for (int part = 1; part < parts; ++part)
    bounds.push_back(figure(least, kind) +
                     (figure(most, kind) - figure(least, kind)) * part / parts);
  return bounds;
}

Goal goal_of(BoundKind kind, double bound) {
  if (kind == BoundKind::power)
    return {.objective = Objective::most_throughput, .most_power = Watts{bound}};
  return {.objective = Objective::least_power, .least_throughput = Rate{bound}};
}

Evaluation evaluate(const std::vector<Table>& tables, const std::vector<std::string>& methods,
                    const Noise& noise,
                    const std::function<void(std::size_t done, std::size_t all)>& progress) {
  Evaluation evaluation;
  const std::size_t all = tables.size() * methods.size() * kinds.size();
  std::size_t done = 0;
  Noise own = noise;
  for (const std::string& method : methods)
    for (const BoundKind kind : kinds) {
      const bool supported = supports(method, goal_of(kind, 1));
      for (const Table& table : tables) {
        for (const double bound : interior_bounds(table, kind)) {
          if (!supported)
            break;
          evaluation.cases.push_back(run_case(table, method, kind, bound, own));
          ++own.seed; // other deviations for every case
        }
        if (progress)
          progress(++done, all);
      }
      if (supported)
        evaluation.summary.push_back(summarise(evaluation.cases, method, kind));
    }
  return evaluation;
}

Evaluation leave_one_out(const std::vector<Table>& tables, const Noise& noise) {
  const std::string method = "adaptive";
  std::vector<Prior> priors;
  for (std::size_t left_out = 0; left_out < tables.size(); ++left_out) {
    std::vector<Table> others = tables;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(left_out));
    priors.push_back(fit_prior(others));
  }
  Evaluation evaluation;
  Noise own = noise;
  for (const BoundKind kind : kinds) {
    for (std::size_t index = 0; index < tables.size(); ++index)
      for (const double bound : interior_bounds(tables[index], kind)) {
        evaluation.cases.push_back(
            run_case(tables[index], method, kind, bound, own, &priors[index]));
        ++own.seed;
      }
    evaluation.summary.push_back(summarise(evaluation.cases, method, kind));
  }
  return evaluation;
}

} // namespace hypermile::steer
