// docs/architecture.md, and what other pages name, against this source tree; then the checks
// themselves with pages that are wrong.

#include "architecture/map.hpp"
#include "architecture/this_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace hypermile::architecture {
namespace {

namespace fs = std::filesystem;

Page the_map() { return read_page(this_tree, "docs/architecture.md"); }

/// README.md, CONTRIBUTING.md and all of docs/.
std::vector<Page> all_pages() {
  std::vector<Page> pages;
  for (const auto* const name : {"README.md", "CONTRIBUTING.md", "apps/README.md"})
    pages.push_back(read_page(this_tree, name));
  for (const auto& entry : fs::directory_iterator(this_tree / "docs"))
    if (entry.path().extension() == ".md")
      pages.push_back(read_page(this_tree, "docs/" + entry.path().filename().string()));
  return pages;
}

TEST(the_map, has_the_arrows_of_the_design) { EXPECT_EQ(print(figure_violations(the_map())), ""); }

TEST(the_map, names_functions_where_they_are) {
  EXPECT_EQ(print(function_violations(this_tree, the_map())), "");
  EXPECT_GE(functions_named(the_map()), 40U);
}

TEST(pages, name_only_files_and_folders_that_exist) {
  for (const Page& page : all_pages())
    EXPECT_EQ(print(path_violations(this_tree, page)), "");
}

TEST(pages, agree_with_the_recorder_on_the_events_that_are_kept) {
  const std::string recorder = read_page(this_tree, "src/runtime/record/recorder.hpp").text;
  EXPECT_NE(recorder.find("latest{std::size_t{1} << 20"), std::string::npos);
  EXPECT_NE(recorder.find("whole_run{4'000'000"), std::string::npos);
  for (const auto* const name : {"docs/run.md", "docs/runtime.md"})
    EXPECT_NE(read_page(this_tree, name).text.find("1,048,576"), std::string::npos) << name;
  for (const auto* const name : {"docs/simulation.md", "docs/runtime.md"})
    EXPECT_NE(read_page(this_tree, name).text.find("4,000,000"), std::string::npos) << name;
}

TEST(the_figure, draws_what_does_not_follow_from_other_arrows) {
  const std::string text = figure();
  EXPECT_NE(text.find("\n  model --> units\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n  select --> model\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("select --> units"), std::string::npos) << text; // by way of model
  EXPECT_NE(text.find("\n  backend[\"backend/*\"]\n"), std::string::npos) << text;
}

TEST(the_map_check, says_which_block_and_which_row_are_right) {
  const std::string rows = print(figure_violations({"page.md", "| `model` | machines | `io` |\n"}));
  EXPECT_NE(rows.find("replace its block by:\n```mermaid\n" + figure()), std::string::npos);
  EXPECT_NE(rows.find("correct the row of the folder; it has to be: | `model` | WHAT IT DOES | "
                      "`units` |"),
            std::string::npos);
  EXPECT_NE(rows.find("add the row of the folder; it has to be: | `units` |"), std::string::npos);
}

TEST(the_path_check, finds_files_that_do_not_exist_and_their_lines) {
  const Page page{"docs/page.md", "`src/units/error.hpp` `bench/mpi_overhead`\n"
                                  "[a](run.md#nodes) [b](https://example.org/none)\n"
                                  "`src/units/no.hpp` [c](no.md)\n"};
  EXPECT_EQ(print(path_violations(this_tree, page)),
            "docs/page.md:3: there is no src/units/no.hpp\ndocs/page.md:3: there is no no.md\n");
}

TEST(the_function_check, finds_functions_that_the_file_does_not_have) {
  const Page page{"page.md", "`parse_seconds()`\n(`src/units/parse.hpp`)\n"
                             "`Error::parse()` (`src/units/parse.hpp`)\n"};
  EXPECT_EQ(print(function_violations(this_tree, page)),
            "page.md:3: src/units/parse.hpp has no function Error::parse\n");
}

} // namespace
} // namespace hypermile::architecture
