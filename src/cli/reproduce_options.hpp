#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace hypermile::cli {

/// The name of the tables of [M16].
inline constexpr const char* m16_tables = "m16";
/// That of the applications of [D13].
inline constexpr const char* d13_tables = "d13";

/// What the command line of `hypermile reproduce` says.
struct ReproduceOptions {
  std::vector<std::string> tables; ///< names, or "all"; empty: list them
  std::string class_name = "B";
  std::vector<std::string> programs;            ///< NAME=COMMAND
  std::string reference_speed;                  ///< empty: measured
  std::string results = "reproduction.results"; ///< folder
  std::vector<std::string> applications;        ///< of d13; empty: all
  bool smpi_factors = false;                    ///< of d13
  std::string pages;                            ///< folder; empty: none are written
  std::size_t jobs = 1;
  bool retry_failed = false;
  bool json = false;
  bool quiet = false;
};

/// Declares the options, which fill `options` when the command line is parsed.
void add_reproduce_options(CLI::App& command, ReproduceOptions& options);

} // namespace hypermile::cli
