#pragma once

#include "runtime/exchange/archive.hpp"
#include "runtime/exchange/run_report.hpp"
#include "runtime/exchange/timeline_message.hpp"
#include "units/error.hpp"

#include <string>
#include <utility>
#include <vector>

/// The members of what messages and reports have in common, for an Archive to write or to read.
namespace hypermile::runtime {

inline LoopReport::Found last_of(LoopReport::Found /*type*/) { return LoopReport::Found::marker; }

template <class Archive, Of<model::GearPower> T> void fields(Archive& archive, T& power) {
  archive(power.computing, power.waiting, power.idle);
}

inline void fields(Writer& writer, const RankNode& node) {
  std::vector<Hertz> frequencies;
  for (model::Gear g = 0; g < node.type.gears.size(); ++g)
    frequencies.push_back(node.type.gears.frequency(g));
  writer(node.name, node.type.name, node.type.site, node.type.cores, node.type.speed, frequencies,
         node.type.power, node.type.frequencies_known, node.type.active, node.type.power_limits,
         node.type.uncore, node.power_assumed);
}

inline void fields(Reader& reader, RankNode& node) {
  std::vector<Hertz> frequencies;
  reader(node.name, node.type.name, node.type.site, node.type.cores, node.type.speed, frequencies,
         node.type.power, node.type.frequencies_known, node.type.active, node.type.power_limits,
         node.type.uncore, node.power_assumed);
  node.type.gears = model::GearTable{std::move(frequencies)};
  if (node.type.cores == 0 || node.type.speed <= Speed{})
    refuse("a node has no cores or no speed");
  if (!node.type.active.empty() && node.type.active.size() != node.type.cores + 1)
    refuse("a node has not a power for each number of cores");
  if (node.type.power.size() != node.type.gears.size())
    refuse("a node has not one power per gear");
  const auto by_gear = [&](std::size_t size) {
    return size == 0 || size == node.type.gears.size();
  };
  if (!by_gear(node.type.power_limits.size()) || !by_gear(node.type.uncore.size()))
    refuse("a node has not one power limit or uncore frequency per gear");
  for (const model::GearPower& power : node.type.power)
    if (power.computing < Watts{} || power.waiting < Watts{} || power.idle < Watts{})
      refuse("a power is negative");
}

template <class Archive, Of<LoopReport> T> void fields(Archive& archive, T& loop) {
  archive(loop.found, loop.description, loop.phase, loop.times, loop.iterations,
          loop.first_iteration, loop.total, loop.computation, loop.calls, loop.calls_before,
          loop.computation_before);
}

template <class Archive, Of<GearChange> T> void fields(Archive& archive, T& change) {
  archive(change.time, change.gear, change.iteration, change.calls, change.computation,
          change.energy, change.in_effect, change.away, change.computation_away, change.stolen);
}

template <class Archive, Of<EnergyReading> T> void fields(Archive& archive, T& reading) {
  archive(reading.time, reading.energy);
}

template <class Archive, Of<PowerPoint> T> void fields(Archive& archive, T& point) {
  archive(point.time, point.gear, point.computing, point.drawn, point.after_gap);
}

template <class Archive, Of<NodeAccess> T> void fields(Archive& archive, T& access) {
  archive(access.backend, access.meter, access.power_assumed, access.assumed, access.remarks);
}

template <class Archive, Of<LastIterations> T> void fields(Archive& archive, T& last) {
  archive(last.phase, last.iterations, last.computation, last.communication, last.calls,
          last.stolen);
}

template <class Archive, Of<Outline> T> void fields(Archive& archive, T& outline) {
  archive(outline.computation, outline.total, outline.calls);
}

template <class Archive, Of<Lesson> T> void fields(Archive& archive, T& lesson) {
  archive(lesson.outline, lesson.timeline);
  pauses_of(archive, lesson.timeline);
}

template <class Archive, Of<WaitGearUse> T> void fields(Archive& archive, T& use) {
  archive(use.set, use.pays, use.gear, use.times, use.time, use.saved, use.late, use.cost,
          use.change, use.cpu, use.problem);
}

template <class Archive, Of<RankReport> T> void fields(Archive& archive, T& r) {
  archive(r.rank, r.node, r.loop, r.phases, r.changes, r.gear, r.fastest, r.time, r.computation,
          r.communication, r.overhead, r.watching, r.unwatched, r.in_init, r.in_finalize, r.calls,
          r.energy, r.readings, r.switches, r.divergences, r.from_like_calls, r.power,
          r.meter_dropped, r.failure, r.access, r.last, r.departed, r.lesson, r.stolen,
          r.wait_gear);
}

inline RankReport blank(const RankReport* /*type*/) { return {.node = unknown_node()}; }

inline void check_rank(int rank) {
  if (rank < 0)
    refuse("rank " + std::to_string(rank) + " does not exist");
}

inline void check_gear(std::size_t gear, const RankNode& node) {
  if (gear >= node.type.gears.size())
    refuse("gear " + std::to_string(gear) + " does not exist");
}

inline void check(const RankReport& report) {
  check_rank(report.rank);
  check_gear(report.gear, report.node);
  check_gear(report.fastest, report.node);
  if (report.wait_gear)
    check_gear(report.wait_gear->gear, report.node);
  for (const GearChange& change : report.changes)
    check_gear(change.gear, report.node);
}

/// Tells in its errors what was to be read, and why it may not be what it should be.
template <class Reading> auto reading(const char* what, const Reading& read_it) {
  try {
    return read_it();
  } catch (const Error& error) {
    throw Error(ErrorKind::hardware, std::string(what) + " cannot be read: " + error.what(),
                "the same version of hypermile on all nodes");
  }
}

} // namespace hypermile::runtime
