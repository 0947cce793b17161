#pragma once

#include "tune/collective_job.hpp"

#include "collective/calibration.hpp"
#include "control/ports.hpp"
#include "launch/environment.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace hypermile::tune {

/// What a calibration is to have.
struct Plan {
  const collective::Collective* collective = nullptr;
  std::vector<std::size_t> sizes_b{};    ///< ascending
  std::vector<std::size_t> segments_b{}; ///< of algorithms that have segments; 0: none
  /// With which the threads of each process copy, of hybrids; none: they do not.
  std::vector<std::size_t> threads{};
  bool calls = false; ///< of collective::by_two_calls, too
  std::size_t passes = 6;
  std::uint64_t seed = 1;
  double seconds_per_cell = 0.2;
  collective::Arrival arrival{};
};

/// Where the power comes from.
struct Power {
  collective::PowerKind kind = collective::PowerKind::none;
  std::string source{};
  control::Meter* meter = nullptr; ///< kind measured: of this node, the only one
  /// Kind modelled: what a node draws while so many processes are in MPI, or threads copy.
  std::function<Watts(std::size_t cores, bool copying)> node_power{};
};

/// How far it is.
struct Progress {
  std::size_t done;
  std::size_t all;
  collective::Step step; ///< that is done
  Seconds left;          ///< as it went so far
};

/// What it is told while it works.
struct Listener {
  std::function<void(const Progress&)> progress;
  /// What is there so far is worth keeping.
  std::function<void(const collective::Calibration&)> keep;
};

/// The processor and the number of CPUs of this machine.
[[nodiscard]] std::string machine_name();

/// Sizes that double, from the first to the last, which is one of them.
[[nodiscard]] std::vector<std::size_t> doubling(std::size_t first_b, std::size_t last_b);

/// All variants of a library, and what it takes by its own rules.
[[nodiscard]] std::vector<collective::Variant>
variants_of(const collective::Collective& collective, collective::Library library,
            const std::vector<std::size_t>& segments);

/// Throws Error{config} for sizes that the operation cannot have among so many processes: no
/// multiple of its element, or together more than a count of MPI holds.
void check_sizes(const collective::Collective& collective, const std::vector<std::size_t>& sizes_b,
                 std::size_t processes);

/// Throws Error{config} where the buffers of all threads of a node are more than this machine's
/// memory: each has one of the largest size.
void check_threads(const Plan& plan, std::size_t processes_per_node);

/// What keeps threads from spinning where those of a node are to be more than its CPUs: a thread
/// that spins keeps the one from its CPU that it waits for. Empty: each has a CPU, or the user has
/// said how threads wait, as `environment` tells.
[[nodiscard]] control::Variables waiting_of_threads(const Plan& plan,
                                                    std::size_t processes_per_node,
                                                    std::size_t cpus,
                                                    const runtime::Environment& environment);

/// Begins a calibration, or goes on with one. Throws Error{config} where `earlier` was made under
/// other conditions, saying which, and as check_sizes() and check_threads(). `parts`: of the job,
/// that are to be measured, at least one.
[[nodiscard]] collective::Calibration
begin_calibration(const std::optional<collective::Calibration>& earlier, const Plan& plan,
                  const Launch& launch, const std::vector<Hello>& parts, const Power& power);

/// Measures what is missing, and adds it to the calibration. Which algorithm really ran is looked
/// at: throws Error{unsupported} where it is another than the one asked for. Throws as
/// run_collectives(). What has been measured stays in the calibration in any case.
JobEnd measure(collective::Calibration& calibration, const Plan& plan, const Launch& launch,
               const Hello& hello, const Power& power, const Listener& listener);

} // namespace hypermile::tune
