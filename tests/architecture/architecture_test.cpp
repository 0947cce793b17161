// The rules of the design, checked in this source tree; then each rule in a tree that breaks it,
// because a test that cannot fail is worth nothing.

#include "architecture/rules.hpp"
#include "architecture/this_tree.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <functional>

namespace hypermile::architecture {
namespace {

namespace fs = std::filesystem;

TEST(the_source_tree, is_where_these_tests_look) {
  EXPECT_TRUE(fs::exists(this_tree / "src/units/error.hpp"));
  EXPECT_TRUE(fs::exists(this_tree / "apps/cg/main.cpp"));
}

TEST(folders, include_only_what_the_design_allows) {
  EXPECT_EQ(print(arrow_violations(this_tree)), "");
}

TEST(folders, without_io_clock_thread_and_environment_stay_so) {
  EXPECT_EQ(print(purity_violations(this_tree)), "");
}

TEST(folders, other_than_the_simulator_backend_do_not_see_simgrid_or_mpi) {
  EXPECT_EQ(print(simulator_violations(this_tree)), "");
}

TEST(files, have_at_most_500_lines) { EXPECT_EQ(print(length_violations(this_tree)), ""); }

/// A source tree of one file, which is gone when the test is over.
class PlantedTree {
public:
  PlantedTree(const fs::path& file, const std::string& text) {
    fs::create_directories((path() / file).parent_path());
    std::ofstream(path() / file) << text;
  }
  [[nodiscard]] fs::path path() const { return folder_.path(); }

private:
  test::TemporaryFolder folder_;
};

std::string arrows_of(const std::string& file, const std::string& text) {
  return print(arrow_violations(PlantedTree(file, text).path()));
}

TEST(the_arrow_check, names_file_line_and_folders) {
  EXPECT_EQ(arrows_of("src/select/plan.cpp", "#include \"select/plan.hpp\"\n\n"
                                             "  # include  \"control/ports.hpp\"\n"),
            "src/select/plan.cpp:3: select may not include control (\"control/ports.hpp\")\n");
}

TEST(the_arrow_check, finds_arrows_that_point_the_wrong_way) {
  for (const auto& [file, header] : std::vector<std::pair<std::string, std::string>>{
           {"src/units/parse.cpp", "model/gear.hpp"},
           {"src/model/gear.hpp", "io/text_file.hpp"},
           {"src/backend/cpufreq/actuator.cpp", "select/plan.hpp"},
           {"src/backend/cpufreq/actuator.cpp", "backend/simgrid/host.hpp"},
           {"src/runtime/controller.cpp", "backend/simgrid/host.hpp"},
           {"src/runtime/controller.cpp", "runtime/pmpi/session.hpp"},
           {"src/io/yaml.cpp", "cli/commands.hpp"},
           {"src/cli/main.cpp", "progress.hpp"},
           {"src/helpers/misc.cpp", "units/error.hpp"},
           {"apps/cg/main.cpp", "ep/problem.hpp"},
           {"apps/cg/main.cpp", "units/error.hpp"}})
    EXPECT_NE(arrows_of(file, "#include \"" + header + "\"\n"), "") << file << " -> " << header;
  EXPECT_NE(arrows_of("apps/cg/main.cpp", "#include <hypermile/hypermile.h>\n"), "");
  EXPECT_EQ(arrows_of("apps/server/main.cpp", "#include <hypermile/hypermile.h>\n"), "");
  EXPECT_EQ(arrows_of("apps/multisplitting/main.cpp", "#include <hypermile/hypermile.h>\n"), "");
  EXPECT_NE(arrows_of("apps/server/main.cpp", "#include <hypermile/other.h>\n"), "");
}

TEST(the_arrow_check, lets_pass_what_is_allowed) {
  EXPECT_EQ(arrows_of("src/backend/simgrid/host.cpp", "#include \"backend/simgrid/host.hpp\"\n"
                                                      "#include \"control/ports.hpp\"\n"
                                                      "#include <vector>\n"),
            "");
  EXPECT_EQ(arrows_of("apps/cg/main.cpp", "#include \"cg/grid.hpp\"\n#include \"kernels/ep.hpp\"\n"
                                          "#include \"common/session.hpp\"\n#include <mpi.h>\n"),
            "");
}

TEST(the_purity_check, finds_clocks_in_the_model_and_leaves_other_folders_alone) {
  const std::string text = "#include <vector>\n#include <chrono>\n#include <sys/types.h>\n";
  EXPECT_EQ(print(purity_violations(PlantedTree("src/model/gear.hpp", text).path())),
            "src/model/gear.hpp:2: model does no I/O and knows no clock, thread or environment: "
            "not <chrono>\n"
            "src/model/gear.hpp:3: model does no I/O and knows no clock, thread or environment: "
            "not <sys/types.h>\n");
  EXPECT_EQ(print(purity_violations(PlantedTree("src/runtime/a.cpp", text).path())), "");
}

TEST(the_simulator_check, finds_mpi_and_simgrid_outside_their_folders) {
  for (const std::string header : {"mpi.h", "simgrid/s4u.hpp", "smpi/smpi.h"}) {
    const std::string text = "#include <" + header + ">\n";
    EXPECT_NE(print(simulator_violations(PlantedTree("src/runtime/a.cpp", text).path())), "");
    EXPECT_NE(print(simulator_violations(PlantedTree("src/simulate/a.cpp", text).path())), "");
    EXPECT_NE(print(simulator_violations(PlantedTree("include/hypermile/a.h", text).path())), "");
    EXPECT_EQ(print(simulator_violations(PlantedTree("src/runtime/pmpi/a.cpp", text).path())), "");
  }
}

TEST(the_length_check, counts_to_500) {
  std::string text;
  for (int i = 0; i < 500; ++i)
    text += "\n";
  EXPECT_EQ(print(length_violations(PlantedTree("apps/a/main.cpp", text).path())), "");
  EXPECT_EQ(print(length_violations(PlantedTree("apps/a/main.cpp", text + "\n").path())),
            "apps/a/main.cpp:501: has more than 500 lines\n");
}

} // namespace
} // namespace hypermile::architecture
