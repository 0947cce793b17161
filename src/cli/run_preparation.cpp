#include "cli/run_preparation.hpp"

#include "cli/installation.hpp"
#include "cli/output.hpp"
#include "cli/platform_file.hpp"
#include "cli/run_energy.hpp"

#include "io/platform_yaml.hpp"
#include "io/text_file.hpp"
#include "learn/starting_plan.hpp"
#include "machine/registry.hpp"
#include "units/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <set>

namespace hypermile::cli {
namespace {

namespace fs = std::filesystem;

void check_assumed_type(const std::string& name, const model::Platform& platform) {
  if (name.empty() || model::type_named(platform, name) != nullptr)
    return;
  std::vector<std::string> types;
  for (const auto& group : platform.groups)
    types.push_back(group.type.name);
  throw Error(ErrorKind::config,
              fmt::format("--assume: the platform {} has no type '{}'", platform.name, name),
              fmt::format("{}", fmt::join(types, ", ")));
}

/// The hybrid model has a cluster for each site.
void check_sites(const model::Platform& platform) {
  std::set<std::string> sites;
  for (const auto& group : platform.groups)
    sites.insert(group.type.site);
  if (sites.contains(""))
    throw Error(ErrorKind::config,
                fmt::format("--time-model hybrid: the platform {} does not say at which site its "
                            "nodes are",
                            platform.name),
                "a 'site' for each type; --time-model cluster, where all nodes wait for each "
                "other; or async, where none does");
  if (sites.size() == 1)
    print_remark(fmt::format("all nodes of the platform {} are at one site: the cluster model "
                             "chooses in place of the hybrid one",
                             platform.name));
}

/// What is assumed of machines of which nothing is known; nothing where the user describes them.
void find_generic_platform(runtime::Settings& settings) {
  std::string& file = settings.generic_platform;
  if (!settings.platform.empty())
    file.clear();
  else if (file.empty())
    file = fs::path(platform_folder()) / "assumed" / "generic-server.yaml";
  std::error_code ignored;
  if (file.empty() || !fs::exists(file, ignored))
    return file.clear();
  (void)io::load_platform(file);
  file = fs::absolute(file);
}

} // namespace

void prepare_settings(RunOptions& options) {
  runtime::Settings& settings = options.settings;
  for (const auto& [name, value] : options.backend_options)
    settings.backend_options.emplace_back(machine::variable_of(name), value);
  if (!settings.platform.empty()) {
    const std::string file = io::find_platform(settings.platform, platform_folder());
    const model::Platform platform = io::load_platform(file, component_source());
    check_assumed_type(settings.assume, platform);
    if (settings.time_model == "hybrid")
      check_sites(platform);
    settings.platform_folder = platform_folder();
    settings.platform = fs::absolute(file);
  }
  find_generic_platform(settings);
  if (const std::string missing = missing_log(settings.meter); !missing.empty())
    print_remark(missing);
  if (!settings.learn_folder.empty())
    settings.learn_folder = fs::absolute(settings.learn_folder);
  if (!settings.plan_file.empty()) {
    settings.plan_file = fs::absolute(settings.plan_file);
    (void)learn::parse_starting_plan(io::read_text_file(settings.plan_file), settings.plan_file);
  }
}

} // namespace hypermile::cli
