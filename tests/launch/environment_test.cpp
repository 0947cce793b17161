#include "launch/environment.hpp"

#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

namespace hypermile::launch {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr const char* library = "/opt/libhypermile-preload.so";
constexpr const char* list = "OMPI_MCA_mca_base_env_list";

/// A PATH with launchers that are like those of distributions: links to links to programs.
class Launch : public testing::Test {
protected:
  Launch() {
    fs::create_directory(folder_.path("bin"));
    variables_["PATH"] = "/nowhere:" + folder_.path("bin") + ":/usr/bin";
  }

  /// The name and what it links to at last.
  void install(const std::string& name, const std::string& program) {
    make_program("bin/" + program);
    if (name == program)
      return;
    fs::create_symlink(program, folder_.path("bin/" + name + ".alternative"));
    fs::create_symlink(folder_.path("bin/" + name + ".alternative"), folder_.path("bin/" + name));
  }

  void make_program(const std::string& name) const {
    std::ofstream(folder_.path(name)) << "";
    fs::permissions(folder_.path(name), fs::perms::owner_all);
  }

  Command launch(Words arguments) {
    runtime::Settings settings;
    settings.platform = "/p.yaml";
    return with_hypermile(std::move(arguments), settings, library, [&](const std::string& name) {
      const auto found = variables_.find(name);
      return found == variables_.end() ? std::nullopt : std::optional(found->second);
    });
  }

  static std::optional<std::string> value(const Command& command, const std::string& name) {
    for (const auto& [variable, text] : command.environment)
      if (variable == name)
        return text;
    return std::nullopt;
  }

  /// With everything in the environment, and nothing else.
  void expect_untouched(const Words& arguments) {
    const Command command = launch(arguments);
    EXPECT_EQ(command.arguments, arguments);
    EXPECT_EQ(value(command, "LD_PRELOAD"), library);
    EXPECT_EQ(value(command, "HYPERMILE_PLATFORM"), "/p.yaml");
    EXPECT_EQ(value(command, list), std::nullopt);
  }

  test::TemporaryFolder folder_;
  std::map<std::string, std::string> variables_;
};

TEST_F(Launch, leaves_launchers_alone_that_hand_the_environment_on) {
  install("mpirun", "mpiexec.hydra");
  install("srun", "srun");
  expect_untouched({"mpirun", "-n", "2", "./app"});
  expect_untouched({"srun", "./app"});
  expect_untouched({"./app"});
  expect_untouched({"no-such-launcher", "-x"});
}

TEST_F(Launch, keeps_what_is_preloaded_already) {
  variables_["LD_PRELOAD"] = "/a.so:/b.so";
  EXPECT_EQ(value(launch({"srun", "./app"}), "LD_PRELOAD"), std::string(library) + ":/a.so:/b.so");
}

TEST_F(Launch, lets_a_program_with_the_address_sanitizer_load_it_second) {
  EXPECT_EQ(value(launch({"./app"}), "ASAN_OPTIONS"), "verify_asan_link_order=0");
  variables_["ASAN_OPTIONS"] = "detect_leaks=0";
  EXPECT_EQ(value(launch({"./app"}), "ASAN_OPTIONS"), "verify_asan_link_order=0:detect_leaks=0");
}

TEST_F(Launch, has_open_mpi_hand_every_variable_to_other_nodes) {
  install("mpirun", "orterun");
  const Words arguments{"mpirun", "-n", "2", "./app"};
  const Command command = launch(arguments);
  EXPECT_EQ(command.arguments, arguments);
  std::string names;
  for (const auto& [name, text] : command.environment)
    if (name != list)
      names += (names.empty() ? "" : ";") + name;
  EXPECT_EQ(value(command, list), names);
  EXPECT_NE(names.find("HYPERMILE_PLATFORM"), std::string::npos);
  EXPECT_NE(names.find("LD_PRELOAD"), std::string::npos);
  EXPECT_EQ(value(command, "LD_PRELOAD"), library);
}

TEST_F(Launch, knows_open_mpi_by_its_path_and_by_its_newer_name) {
  install("mpirun", "orterun");
  install("mpiexec", "prterun");
  EXPECT_TRUE(value(launch({folder_.path("bin/mpirun"), "./app"}), list));
  EXPECT_TRUE(value(launch({"mpiexec", "./app"}), list));
}

TEST_F(Launch, asks_the_path_in_its_order) {
  install("mpirun", "mpiexec.hydra");
  fs::create_directory(folder_.path("first"));
  make_program("first/orterun");
  fs::create_symlink("orterun", folder_.path("first/mpirun"));
  EXPECT_FALSE(value(launch({"mpirun", "./app"}), list));
  variables_["PATH"] = folder_.path("first") + ":" + variables_["PATH"];
  EXPECT_TRUE(value(launch({"mpirun", "./app"}), list));
}

TEST_F(Launch, keeps_the_variables_that_open_mpi_hands_on_already) {
  install("mpirun", "orterun");
  variables_[list] = "MINE;YOURS=1";
  const auto names = value(launch({"mpirun", "./app"}), list);
  ASSERT_TRUE(names);
  EXPECT_EQ(names->find("MINE;YOURS=1;HYPERMILE_METHOD;"), 0U) << *names;
}

TEST_F(Launch, goes_on_as_the_user_has_begun_who_names_variables_to_open_mpi) {
  install("mpirun", "orterun"); // which refuses to have both
  const Command command = launch({"mpirun", "-x", "MINE", "-n", "2", "./app", "-x"});
  EXPECT_EQ(value(command, list), std::nullopt);
  for (const char* const name : {"LD_PRELOAD", "HYPERMILE_METHOD", "HYPERMILE_PLATFORM"}) {
    const auto place = std::ranges::find(command.arguments, name);
    ASSERT_NE(place, command.arguments.end()) << name;
    EXPECT_EQ(*(place - 1), "-x");
    EXPECT_LT(place, std::ranges::find(command.arguments, "./app"));
  }
  const Words own(command.arguments.end() - 6, command.arguments.end());
  EXPECT_EQ(own, (Words{"-x", "MINE", "-n", "2", "./app", "-x"}));
  EXPECT_EQ(command.arguments[0], "mpirun");
}

} // namespace
} // namespace hypermile::launch
