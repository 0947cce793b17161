#pragma once

#include "support/command_line.hpp"
#include "support/temporary_folder.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace hypermile::test {

/// A program of the tests, or of apps/, as built for the simulator.
std::string smpi_program(const std::string& name);
std::string smpi_app(const std::string& name);

/// Commands that several tests simulate.
inline const std::vector<std::string> cg_s{smpi_app("cg"), "--class", "S"};
inline const std::vector<std::string> halo2d_400{smpi_program("halo2d"), "400", "8"};
inline const std::vector<std::string> ep_s{smpi_app("ep"), "--class", "S"};

/// Runs `hypermile simulate`, and fails the test if anything is left in TMPDIR or running.
CommandResult simulate(const std::vector<std::string>& arguments);

/// The same of `hypermile record`.
CommandResult record(const std::vector<std::string>& arguments);

/// simulate() with --json; fails the test unless it succeeds. Null where it does not.
nlohmann::json simulate_json(std::vector<std::string> options,
                             const std::vector<std::string>& program);

/// Options that most tests share: `ranks` nodes of Table 3.1, and a speed of this machine's core
/// that nobody has to measure.
std::vector<std::string> on_table_3_1(int ranks, const std::vector<std::string>& more = {});

/// From a recording of `halo2d` one in which each iteration computes for about 2 ms on a node of
/// 40 Gflop/s, by 5 % more or less; sometimes a rank is late by half of that. It is always the
/// same, whatever else the machine does.
void write_halo2d_recording(const std::string& from, const std::string& to);
/// From a recording one in which every rank computes what rank 0 did, call by call.
void write_equal_recording(const std::string& from, const std::string& to);
/// From a recording one in which each rank computes this much before each call.
void write_even_recording(const std::string& from, const std::string& to, std::uint64_t work);
/// From a recording one in which nothing is computed before the first call of one function and
/// after the last one of another: what the first use of much memory takes, say, differs from
/// machine to machine. Returns what all ranks compute between.
double write_part_of_recording(const std::string& from, const std::string& to,
                               const std::string& begin, const std::string& end);

/// The one run of a method.
const nlohmann::json& run_of(const nlohmann::json& simulation, const std::string& method);

} // namespace hypermile::test
