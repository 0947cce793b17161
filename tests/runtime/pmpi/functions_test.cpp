// A function of MPI that waits or communicates and is not in the table would count as computation,
// and nobody would notice. So every function that the headers of an MPI declare is in the table, or
// in a list of those that need not be.

#include "runtime/pmpi/functions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace hypermile::test {
namespace {

using Names = std::set<std::string>;

/// The MPIs that there are: perhaps none.
const std::vector<const char*> flavours{HYPERMILE_TEST_FLAVOURS};

/// Functions that need not be watched, by a regular expression of their names without "MPI_".
struct Unwatched {
  Unwatched(const char* pattern, const char* reason)
      : names(pattern), expression(pattern), why(reason) {}
  std::string names;
  std::regex expression;
  const char* why;
};

const std::vector<Unwatched> unwatched{
    {"Init|Init_thread|Finalize|Abort|Wtime", "wrapped by hand"},
    {"Wtick|Initialized|Finalized|Pcontrol|Is_thread_main|Query_thread", "tells about the process"},
    {"Get_(address|library_version|processor_name|version)|Get_(count|elements)(_c|_x)?",
     "tells about the library, an address, or a status"},
    {"T_.*", "tools look into the library"},
    {"(Add|Delete|Remove)_error_.*|Error_(class|string)", "error codes are local"},
    {".*[Ee]rrhandler.*", "error handlers are local"},
    {".*[Kk]eyval.*|Attr_.*|.*_(get|set|delete)_attr", "attributes are local"},
    {".*_(get|set)_name", "names are local"},
    {".*_(c2f|f2c|f082c|c2f08|f2f08|f082f)", "handles and statuses are converted locally"},
    {"Group_.*", "groups are local"},
    {"Info_.*|.*_get_info", "infos are local"},
    {"Type_.*|Register_datarep(_c)?", "types are local"},
    {"Op_.*|Reduce_local(_c)?", "operators are local"},
    {"(Pack|Unpack)(_.*)?", "packs in memory"},
    {"Status_.*|Test_cancelled", "looks at a status"},
    {"Aint_.*|Address", "computes with addresses"},
    {"(Alloc|Free)_mem", "manages memory"},
    {"Buffer_attach(_c)?", "hands memory over"},
    {"Comm_(compare|get_parent|group|rank|remote_group|remote_size|size|test_inter)",
     "tells about a communicator"},
    {"(Cart|Graph)_(coords|get|map|rank|shift|neighbors|neighbors_count)",
     "tells about a topology"},
    {"Cartdim_get|Graphdims_get|Dims_create|Topo_test|Dist_graph_neighbors(_count)?",
     "tells about a topology"},
    {"Win_(get_group|shared_query(_c)?|attach|detach|sync)", "works on a rank's own memory"},
    {"File_get_.*|File_seek", "tells about a file, or sets a rank's own position"},
    {"Session_(get_num_psets|get_nth_pset|get_pset_info)", "tells about a session"},
    {"Grequest_.*", "requests of the program's own"},
    {"(Open|Close)_port", "names a port, to which nobody connects yet"},
};

bool matches(const std::string& name, const Unwatched& functions) {
  return std::regex_match(name, functions.expression);
}

/// The version of MPI with which each function of the table came.
std::map<std::string, int> table() {
  return {
#define HM_MPI(name, since, ...) {#name, since},
#include "runtime/pmpi/functions.def"
  };
}

Names neither_watched_nor_local(const Names& declared) {
  const auto watched = table();
  Names others;
  for (const std::string& name : declared)
    if (!watched.contains(name) &&
        std::ranges::none_of(unwatched, [&](const auto& local) { return matches(name, local); }))
      others.insert(name);
  return others;
}

/// What the build has found in the headers of an MPI.
struct Headers {
  int version = 0;
  Names declared;

  explicit Headers(const std::string& flavour) {
    std::ifstream file(HYPERMILE_BINARY_DIR "/mpi/" + flavour + "/functions.txt");
    file >> version;
    for (std::string name; file >> name;)
      declared.insert(name);
  }
};

class MpiFunctions : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(mpi, MpiFunctions, testing::ValuesIn(flavours),
                         [](const auto& test) { return std::string(test.param); });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(MpiFunctions);

TEST_P(MpiFunctions, that_are_declared_are_watched_or_local) {
  const Headers headers(GetParam());
  EXPECT_GT(headers.declared.size(), 300u);
  EXPECT_EQ(neither_watched_nor_local(headers.declared), Names{})
      << "add them to src/runtime/pmpi/functions.def, or to the list above if they never wait";
}

TEST_P(MpiFunctions, of_its_version_are_all_declared) {
  const Headers headers(GetParam());
  EXPECT_GE(headers.version, 31);
  for (const auto& [name, since] : table())
    EXPECT_TRUE(since > headers.version || headers.declared.contains(name)) << name;
}

TEST(mpi_functions, that_nobody_knows_are_found) {
  EXPECT_EQ(neither_watched_nor_local({"Send", "Comm_rank", "Comm_teleport", "Wtime", "Bcast_x"}),
            (Names{"Bcast_x", "Comm_teleport"}));
}

TEST(mpi_functions, are_either_watched_or_not) {
  for (const auto& [name, since] : table())
    for (const Unwatched& local : unwatched)
      EXPECT_FALSE(matches(name, local)) << name << ": " << local.why;
}

TEST(mpi_functions, may_wait_unless_they_return_at_once) {
  using runtime::pmpi::Function;
  for (const auto f : {Function::Recv, Function::Send, Function::Sendrecv, Function::Waitall,
                       Function::Allreduce, Function::Barrier})
    EXPECT_TRUE(runtime::pmpi::may_wait(f)) << runtime::pmpi::name(f);
  for (const auto f : {Function::Irecv, Function::Isend, Function::Ibcast, Function::Start,
                       Function::Startall, Function::Test, Function::Send_init, Function::Wtime})
    EXPECT_FALSE(runtime::pmpi::may_wait(f)) << runtime::pmpi::name(f);
}

TEST(mpi_functions, that_need_not_be_watched_exist) {
  Names all;
  int newest = 0;
  for (const char* flavour : flavours) {
    Headers headers(flavour);
    newest = std::max(newest, headers.version);
    all.merge(headers.declared);
  }
  if (newest < 40)
    GTEST_SKIP() << "there is no MPI 4, which has some of them";
  for (const Unwatched& local : unwatched)
    EXPECT_TRUE(std::ranges::any_of(all, [&](const auto& name) { return matches(name, local); }))
        << local.names;
}

} // namespace
} // namespace hypermile::test
