// The tests of test_nodes run beside the nodes that tests/nodes/beside-nodes makes: the program
// starts that script, which starts the program again.

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <unistd.h>

namespace {

constexpr const char* beside_nodes = "IS_BESIDE_NODES";

int start_beside_nodes(char** argv) {
  ::setenv(beside_nodes, "yes", 1);
  std::vector<const char*> words{HYPERMILE_TEST_BESIDE_NODES, HYPERMILE_TEST_REMOTE_SHELL, "2"};
  for (; *argv != nullptr; ++argv)
    words.push_back(*argv);
  words.push_back(nullptr);
  ::execv(words[0], const_cast<char**>(words.data()));
  std::perror(words[0]);
  return 1;
}

} // namespace

int main(int argc, char** argv) {
  const std::vector<char*> before(argv, argv + argc + 1); // GoogleTest takes its own words away
  testing::InitGoogleTest(&argc, argv);
  if (!testing::GTEST_FLAG(list_tests) && std::getenv(beside_nodes) == nullptr)
    return start_beside_nodes(std::vector<char*>(before).data());
  return RUN_ALL_TESTS();
}
