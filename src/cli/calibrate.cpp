#include "cli/calibrate_node.hpp"
#include "cli/calibrate_options.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"

#include "calibrate/workbench.hpp"
#include "io/platform_yaml.hpp"
#include "io/text_file.hpp"

#include <CLI/CLI.hpp>

#include <memory>

namespace hypermile::cli {
namespace {

using calibrate::Calibration;

void print(const CalibrateOptions& options, const Calibration& calibration) {
  const std::string platform = calibrate::platform_yaml(calibration);
  (void)io::parse_platform(platform, "calibration");
  if (!options.output.empty())
    io::write_text_file(options.output, platform);
  for (const std::string& remark : calibration.remarks)
    print_remark("note: " + remark);
  print_result(options.json             ? calibrate::calibration_json(calibration)
               : options.output.empty() ? platform
                                        : calibrate::print_calibration(calibration));
}

int run(const CalibrateOptions& options) {
  try {
    const Calibration calibration = calibrate_node(options);
    print(options, calibration);
    return static_cast<int>(ExitCode::success);
  } catch (const NotPermitted& error) {
    print_error(error.what());
    return static_cast<int>(ExitCode::not_permitted);
  } catch (const calibrate::Interrupted& interrupted) {
    print_remark("interrupted; nothing is written");
    return 128 + interrupted.signal;
  }
}

} // namespace

void add_calibrate_command(CLI::App& root, int& exit_code) {
  auto* command = root.add_subcommand(
      "calibrate-power", "Measure what this node draws in each gear, and print it as a platform");
  command->group("Commands");
  const auto options = std::make_shared<CalibrateOptions>();
  add_calibrate_options(*command, *options);
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

} // namespace hypermile::cli
