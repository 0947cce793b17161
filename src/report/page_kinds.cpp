#include "report/page_kinds.hpp"

namespace hypermile::report {
namespace {

SourceKind run_kind() {
  return {
      PageKind::run,
      "run.json",
      "hypermile/run/1",
      "hypermile run --report FOLDER",
      {"command",
       "method",
       "objective",
       "max_slowdown",
       "platform",
       "emulated",
       "dry_run",
       "ranks",
       "time_s",
       "verdict",
       "energy",
       "power_over_time",
       "predicted",
       "measured",
       "whole_run",
       "baseline",
       "plan",
       "power_caps",
       "sensitivities",
       "exit_code",
       "remarks",
       "learnt",
       "overhead_s",
       "own_time_percent",
       "phases",
       "trade_offs",
       "nodes",
       "decisions",
       "start_and_end_s",
       "ranks_detail",
       "gears_in_effect",
       "estimated_call_overhead_s"},
      {{"phases", {"share", "iterations", "one_iteration", "time_ratio", "energy_ratio", "gears"}},
       {"trade_offs", {"max_slowdown", "time_ratio", "energy_ratio", "this_run"}},
       {"nodes",
        {"name", "type", "power_assumed", "assumed", "gear", "frequency_ghz", "setting", "gears",
         "wait_gear"}},
       {"decisions",
        {"gears", "set", "time_model", "iteration_time_s", "iteration_energy_j", "certificate",
         "predicted_iteration_time_s", "predicted_iteration_energy_j", "measured_time_ratio",
         "given_up"}},
       {"ranks_detail", {"computation_s", "communication_s"}}}};
}

SourceKind simulation_kind() {
  return {PageKind::simulation,
          "simulation.json",
          "hypermile/simulation/1",
          "hypermile simulate --report FOLDER",
          {"platform", "program", "ranks", "objective", "max_slowdown", "loop", "runs", "planned",
           "remarks", "waiting", "uncontended", "extrapolated", "replayed", "model"},
          {{"runs",
            {"method", "time_s", "energy_j", "saving_percent", "slowdown_percent",
             "distance_points", "gear_switches", "predictions", "nodes", "gears", "frequencies_ghz",
             "decisions", "phases", "sensitivities", "power_caps"}}}};
}

SourceKind steer_kind() {
  return {PageKind::steer,
          "steer.json",
          "hypermile/steer/1",
          "hypermile steer --report FOLDER",
          {"program", "exit_code", "reported_progress", "bounds", "backend", "power_measured",
           "power_source", "time_s", "items", "energy_j", "steady_s", "bounds_kept_s",
           "calibrating_s", "calibrations", "phases", "phase_changes", "arrival_changes",
           "keeps_bounds", "configuration"},
          {}};
}

SourceKind selection_kind() {
  return {PageKind::selection,
          "",
          "hypermile/plan/1",
          "hypermile select --json",
          {"model", "method", "objective", "feasible", "gears", "frequencies_ghz", "time_s",
           "energy_j", "p_norm", "e_norm", "distance", "certificate", "violations", "request"},
          {{"violations", {"bound", "limit", "reached"}}}};
}

SourceKind front_kind() {
  return {PageKind::front,
          "",
          "hypermile/front/1",
          "hypermile select --pareto --json",
          {"model", "gears_listed", "certificate", "points"},
          {{"points", {"time_s", "energy_j", "p_norm", "e_norm"}}}};
}

SourceKind reproduction_kind() {
  return {PageKind::reproduction,
          "",
          "hypermile/reproduction/1",
          "hypermile reproduce TABLE --json",
          {"tables"},
          {{"tables",
            {"table", "title", "source", "published_class", "class", "platform", "programs",
             "compared", "means", "errors", "published_time_error_percent", "differences"}}}};
}

SourceKind multisplitting_kind() {
  return {PageKind::multisplitting,
          "",
          "hypermile/multisplitting/1",
          "hypermile reproduce TABLE --json",
          {"tables"},
          {{"tables", {"table", "title", "source", "reference_speed", "differences", "grids"}}}};
}

SourceKind m16_kind() {
  return {PageKind::m16,     "",
          "hypermile/m16/1", "hypermile reproduce TABLE --json",
          {"tables"},        {{"tables", {"title", "estimates", "rows"}}}};
}

SourceKind d13_kind() {
  return {PageKind::d13,
          "",
          "hypermile/d13/1",
          "hypermile reproduce TABLE --json",
          {"platform", "simgrid_options", "applications", "largest_error_percent",
           "largest_error_by_paper_percent", "largest_error_published_percent"},
          {{"applications",
            {"application", "messages", "size", "nodes", "processes_per_node", "least_estimated",
             "least_simulated", "least_published", "algorithms"}}}};
}

SourceKind fit_kind() {
  return {PageKind::fit,
          "",
          "hypermile/fit/1",
          "hypermile fit --json",
          {"model", "platform", "fitted_to", "with_idle_nodes", "estimates", "observations"},
          {{"estimates", {"parameter", "start", "value", "at_bound", "low", "high"}},
           {"observations", {"ranks", "set", "measured", "fitted", "left_out"}}}};
}

SourceKind estimate_kind() {
  return {PageKind::estimate,
          "",
          "hypermile/collective-estimate/1",
          "hypermile collective NAME estimate --json",
          {"collective", "library", "version", "power_source", "arrival", "answers"},
          {{"answers", {"nodes", "processes_per_node", "size_b", "messages", "estimates"}}}};
}

SourceKind calibration_kind() {
  return {PageKind::calibration,
          "",
          "hypermile/collective-calibration/1",
          "hypermile collective NAME calibrate",
          {"collective", "library", "version", "machine", "power", "power_source", "arrival",
           "passes", "measured"},
          {{"measured", {"nodes", "processes_per_node", "cells"}}}};
}

} // namespace

std::span<const SourceKind> folder_kinds() {
  static const std::vector<SourceKind> kinds{run_kind(), simulation_kind(), steer_kind()};
  return kinds;
}

std::span<const SourceKind> file_kinds() {
  static const std::vector<SourceKind> kinds{
      selection_kind(), front_kind(), reproduction_kind(), multisplitting_kind(), m16_kind(),
      d13_kind(),       fit_kind(),   estimate_kind(),     calibration_kind()};
  return kinds;
}

std::string_view name_of(PageKind kind) {
  switch (kind) {
  case PageKind::run:
    return "run";
  case PageKind::simulation:
    return "simulation";
  case PageKind::steer:
    return "steer";
  case PageKind::sweep:
    return "sweep";
  case PageKind::selection:
    return "selection";
  case PageKind::front:
    return "front";
  case PageKind::reproduction:
    return "reproduction";
  case PageKind::multisplitting:
    return "multisplitting";
  case PageKind::m16:
    return "m16";
  case PageKind::d13:
    return "d13";
  case PageKind::fit:
    return "fit";
  case PageKind::estimate:
    return "estimate";
  case PageKind::calibration:
    return "calibration";
  }
  return "";
}

} // namespace hypermile::report
