#include "simulate/simulated.hpp"

#include "io/recording_text.hpp"
#include "io/text_file.hpp"
#include "support/processes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <random>

namespace hypermile::test {

using nlohmann::json;

std::string smpi_program(const std::string& name) {
  return HYPERMILE_BINARY_DIR "/tests/programs/smpi/" + name;
}

std::string smpi_app(const std::string& name) { return HYPERMILE_BINARY_DIR "/apps/smpi/" + name; }

namespace {

CommandResult run_alone(const std::string& command, const std::vector<std::string>& arguments) {
  const TemporaryFolder temporary;
  std::vector<std::string> all{command};
  all.insert(all.end(), arguments.begin(), arguments.end());
  auto result = RunningCommand(all, "", {{"TMPDIR", temporary.path()}}).wait();
  EXPECT_TRUE(temporary.empty());
  EXPECT_TRUE(processes_with(temporary.path()).empty());
  return result;
}

} // namespace

CommandResult simulate(const std::vector<std::string>& arguments) {
  return run_alone("simulate", arguments);
}

CommandResult record(const std::vector<std::string>& arguments) {
  return run_alone("record", arguments);
}

json simulate_json(std::vector<std::string> options, const std::vector<std::string>& program) {
  options.insert(options.end(), {"--json", "--"});
  options.insert(options.end(), program.begin(), program.end());
  const auto result = simulate(options);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return json::parse(result.out, nullptr, false);
}

std::vector<std::string> on_table_3_1(int ranks, const std::vector<std::string>& more) {
  std::vector<std::string> options{"--quiet", "--platform",          "table-3.1",
                                   "-n",      std::to_string(ranks), "--reference-speed",
                                   "300Gf"};
  options.insert(options.end(), more.begin(), more.end());
  return options;
}

void write_halo2d_recording(const std::string& from, const std::string& to) {
  std::ifstream in(from);
  std::ofstream out(to);
  std::mt19937 engine(1);
  std::string previous;
  for (std::string line; std::getline(in, line);) {
    const std::string function = line.substr(0, line.find(' '));
    if (function == "Irecv" && (previous == "Waitall" || previous == "rank")) {
      const double noise = 0.95 + 0.1 * static_cast<double>(engine() % 1000) / 1000;
      const double late = engine() % 50 == 0 ? 1.5 : 1;
      out << "Irecv " << static_cast<std::uint64_t>(8e7 * noise * late) << '\n';
    } else if (function == "Irecv" || function == "Isend" || function == "Waitall") {
      out << function << " 0\n";
    } else {
      out << line << '\n';
    }
    previous = function;
  }
}

void write_equal_recording(const std::string& from, const std::string& to) {
  std::ifstream in(from);
  std::ofstream out(to);
  std::vector<std::string> of_rank_0;
  std::size_t calls = 0;
  bool first = true;
  for (std::string line; std::getline(in, line);) {
    const auto space = line.find(' ');
    if (line.starts_with("rank ")) {
      first = line.starts_with("rank 0 ");
      calls = 0;
    } else if (space != std::string::npos && !line.starts_with("ranks ")) {
      if (first)
        of_rank_0.push_back(line.substr(space));
      else if (calls < of_rank_0.size())
        line = line.substr(0, space) + of_rank_0[calls++];
    }
    out << line << '\n';
  }
}

void write_even_recording(const std::string& from, const std::string& to, std::uint64_t work) {
  model::Recording recording = io::parse_recording(io::read_text_file(from), from);
  for (auto& rank : recording.ranks)
    for (auto& call : rank)
      call.computation = Work{static_cast<double>(work)};
  io::write_text_file(to, io::print_recording(recording));
}

double write_part_of_recording(const std::string& from, const std::string& to,
                               const std::string& begin, const std::string& end) {
  model::Recording recording = io::parse_recording(io::read_text_file(from), from);
  double sum = 0;
  for (auto& rank : recording.ranks) {
    const auto is = [&recording](const std::string& function) {
      return [operation = recording.operation(function)](const model::RecordedCall& call) {
        return call.operation == operation;
      };
    };
    const auto first = std::ranges::find_if(rank, is(begin));
    const auto last = std::find_if(rank.rbegin(), rank.rend(), is(end)).base();
    for (auto call = rank.begin(); call != rank.end(); ++call)
      if (call > first && call < last)
        sum += call->computation.value();
      else
        call->computation = {};
  }
  io::write_text_file(to, io::print_recording(recording));
  return sum;
}

const json& run_of(const json& simulation, const std::string& method) {
  for (const json& run : simulation.at("runs"))
    if (run.at("method") == method)
      return run;
  throw std::runtime_error("no run of method " + method);
}

} // namespace hypermile::test
