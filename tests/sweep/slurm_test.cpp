#include "sweep/slurm.hpp"

#include "io/text_file.hpp"
#include "support/temporary_folder.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>

namespace hypermile::sweep {
namespace {

/// Runs every task of the array that the script asks for, with a command that notes its words.
class JobArrayTest : public testing::Test {
protected:
  JobArrayTest() {
    io::write_text_file(command, "#!/bin/sh\necho \"$*\" >> \"$(dirname \"$0\")/log\"\n");
    std::filesystem::permissions(command, std::filesystem::perms::owner_all);
    io::write_text_file(folder.path("log"), "");
  }

  void run_all(const JobArray& array) const {
    const std::string text = slurm_script(array);
    io::write_text_file(folder.path("job.sh"), text);
    const std::string mark = "#SBATCH --array=1-";
    const auto tasks = std::stoul(text.substr(text.find(mark) + mark.size()));
    EXPECT_LE(tasks, 1000U);
    const std::string line =
        fmt::format("for k in $(seq {}); do SLURM_ARRAY_TASK_ID=$k sh '{}' || exit 1; done", tasks,
                    folder.path("job.sh"));
    EXPECT_EQ(std::system(line.c_str()), 0);
  }

  test::TemporaryFolder folder;
  std::string command = folder.path("it's a command");
};

TEST_F(JobArrayTest, works_on_every_cell_once_whatever_paths_are_called) {
  run_all({.name = "s",
           .command = command,
           .study = "my $study.yaml",
           .results = "re'sults",
           .cells = 3});
  EXPECT_EQ(io::read_text_file(folder.path("log")),
            "sweep my $study.yaml --results re'sults --quiet --cell 1\n"
            "sweep my $study.yaml --results re'sults --quiet --cell 2\n"
            "sweep my $study.yaml --results re'sults --quiet --cell 3\n");
}

TEST_F(JobArrayTest, has_no_more_tasks_than_slurm_takes) {
  constexpr std::size_t cells = 1003;
  run_all({.name = "s", .command = command, .study = "s", .results = "r", .cells = cells});
  std::istringstream log(io::read_text_file(folder.path("log")));
  std::set<std::size_t> seen;
  for (std::string line; std::getline(log, line);)
    EXPECT_TRUE(seen.insert(std::stoul(line.substr(line.rfind(' ')))).second) << line;
  EXPECT_EQ(seen.size(), cells);
  EXPECT_EQ(*seen.rbegin(), cells);
}

} // namespace
} // namespace hypermile::sweep
