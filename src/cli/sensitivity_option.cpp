#include "cli/sensitivity_option.hpp"

#include "cli/checks.hpp"
#include "cli/read_option.hpp"

#include "io/sensitivities_text.hpp"

#include <CLI/CLI.hpp>

namespace hypermile::cli {

void add_sensitivity_option(CLI::App& command, model::CallSensitivities& sensitivities) {
  command
      .add_option_function<std::string>(
          "--sensitivity",
          [&](const std::string& text) { sensitivities = io::read_sensitivities(text); },
          "How much computation reacts to gears, from 0 (not at all, it waits for memory) to 1 "
          "(fully): a number, or a file with one for each call that computation comes before. "
          "What takes c in gear 0 takes c (b S + 1 - b) in a gear with scaling factor S. Default: "
          "what the platform says, else 1")
      ->type_name("NUMBER|FILE")
      ->check(understood_by(io::read_sensitivities));
}

} // namespace hypermile::cli
