#include "python/bindings.hpp"
#include "python/columns.hpp"

#include "io/text_file.hpp"
#include "io/timeline_text.hpp"
#include "replay/recorded_run.hpp"

#include <pybind11/stl.h>

#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

namespace hypermile::python {
namespace {

namespace py = pybind11;
using model::Action;
using model::Event;
using model::Operation;
using model::RankTimeline;
using model::Timeline;

template <class Number> py::bytes bytes_of(const std::vector<Number>& values) {
  static_assert(sizeof(Number) == 8 && std::is_trivially_copyable_v<Number>);
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Number)};
}

struct Columns {
  std::vector<std::int64_t> rank, function, partner, bytes;
  std::vector<double> computation, entered, left;
};

/// What the events of one call say together: whom the first one that names somebody is about, and
/// what all of them hand over.
struct CallFacts {
  std::int64_t partner = -1;
  std::int64_t bytes = 0;
};

CallFacts facts(const RankTimeline& rank, std::size_t first, std::size_t end) {
  CallFacts facts;
  for (std::size_t e = first; e < end; ++e) {
    const Operation& operation = rank.operations[rank.events[e].operation];
    if (facts.partner < 0)
      facts.partner = operation.partner;
    if (operation.action == Action::send || operation.action == Action::arrive)
      facts.bytes += static_cast<std::int64_t>(operation.bytes);
  }
  return facts;
}

void add_rank(const Timeline& timeline, std::size_t r, Columns& columns) {
  const RankTimeline& rank = timeline.ranks[r];
  for (std::size_t first = 0; first < rank.events.size();) {
    std::size_t end = first + 1;
    while (rank.events[end - 1].ends_call == 0 && end < rank.events.size())
      ++end;
    const CallFacts call = facts(rank, first, end);
    columns.rank.push_back(static_cast<std::int64_t>(r));
    columns.function.push_back(rank.operations[rank.events[first].operation].function);
    columns.partner.push_back(call.partner);
    columns.bytes.push_back(call.bytes);
    columns.computation.push_back(rank.events[first].computation);
    first = end;
  }
}

void add_moments(const model::dependency::Schedule& schedule, Columns& columns) {
  for (const auto& rank : schedule.ranks)
    for (const auto& call : rank.calls) {
      columns.entered.push_back(call.entered.value());
      columns.left.push_back(call.left.value());
    }
}

/// A row per rank: what it did in all.
py::list rank_rows(const Timeline& timeline) {
  const auto schedule = model::dependency::recorded_schedule(timeline);
  py::list rows;
  for (std::size_t r = 0; r < timeline.ranks.size(); ++r) {
    const auto& rank = schedule.ranks[r];
    py::dict row;
    row["rank"] = r;
    row["begin_s"] = rank.begin.value();
    row["end_s"] = rank.end.value();
    row["calls"] = rank.calls.size();
    row["computing_s"] = schedule.computing(r).value();
    row["mpi_s"] = (rank.end - rank.begin - schedule.computing(r)).value();
    rows.append(row);
  }
  return rows;
}

py::list recorded_rows(const replay::RecordedRun& run) {
  py::list rows;
  for (std::size_t r = 0; r < run.timeline.ranks.size(); ++r) {
    const RankTimeline& rank = run.timeline.ranks[r];
    py::dict row;
    row["rank"] = r;
    row["node"] = run.nodes[r];
    row["events"] = rank.events.size();
    row["computation_s"] = model::computed_in_gear0(rank, 0, rank.events.size()).value() +
                           rank.computation_after.value();
    rows.append(row);
  }
  return rows;
}

void bind_recordings(py::module_& module) {
  using replay::RecordedRun;
  py::class_<RecordedRun, std::shared_ptr<RecordedRun>>(module, "RecordedRun")
      .def_readonly("program", &RecordedRun::program)
      .def_readonly("platform", &RecordedRun::platform)
      .def_readonly("nodes", &RecordedRun::nodes)
      .def_property_readonly("not_repeatable",
                             [](const RecordedRun& run) { return why_not_repeatable(run); })
      .def_property_readonly("remarks", [](const RecordedRun& run) { return remarks(run); })
      .def("ranks", recorded_rows)
      .def("calls", [](const RecordedRun& run) { return call_columns(run.timeline, nullptr); });
  module.def("read_recorded_run", replay::read_recorded_run, py::arg("file"),
             py::call_guard<py::gil_scoped_release>());
  module.def("is_recorded_run", replay::is_recorded_run, py::arg("file"));
}

} // namespace

py::dict call_columns(const Timeline& timeline, const model::dependency::Schedule* schedule) {
  Columns columns;
  {
    const py::gil_scoped_release others_run;
    for (std::size_t r = 0; r < timeline.ranks.size(); ++r)
      add_rank(timeline, r, columns);
    if (schedule != nullptr)
      add_moments(*schedule, columns);
  }
  py::dict result;
  result["functions"] = timeline.functions;
  result["rank"] = bytes_of(columns.rank);
  result["function"] = bytes_of(columns.function);
  result["partner"] = bytes_of(columns.partner);
  result["bytes"] = bytes_of(columns.bytes);
  if (schedule == nullptr) {
    result["computation_s"] = bytes_of(columns.computation);
    return result;
  }
  result["entered_s"] = bytes_of(columns.entered);
  result["left_s"] = bytes_of(columns.left);
  return result;
}

void bind_timelines(py::module_& module) {
  py::class_<Timeline, std::shared_ptr<Timeline>>(module, "Timeline")
      .def_readonly("functions", &Timeline::functions)
      .def_property_readonly("rank_count",
                             [](const Timeline& timeline) { return timeline.ranks.size(); })
      .def_property_readonly("complete", &Timeline::complete)
      .def("ranks", rank_rows)
      .def("calls", [](const Timeline& timeline) {
        const auto schedule = model::dependency::recorded_schedule(timeline);
        return call_columns(timeline, &schedule);
      });
  module.def(
      "read_timeline",
      [](const std::string& path) { return io::parse_timeline(io::read_text_file(path), path); },
      py::arg("path"), py::call_guard<py::gil_scoped_release>());
  bind_recordings(module);
}

} // namespace hypermile::python
