#include "application/run.hpp"

#include "units/error.hpp"

#include <gtest/gtest.h>

namespace hypermile::application {
namespace {

struct Wrong {
  const char* name;
  const char* text;
  const char* message; ///< a part of it
};

void PrintTo(const Wrong& wrong, std::ostream* out) { *out << wrong.name; }

class WrongModel : public testing::TestWithParam<Wrong> {};

TEST_P(WrongModel, is_refused_with_its_place) {
  try {
    ModelRun made =
        run_model(GetParam().text, "model.lua",
                  {.ranks = 2,
                   .set = {},
                   .limits = {.memory = 4U << 20U, .instructions = 100'000, .events = 1000}});
    schedule(made, test::slow_machine(2));
    ADD_FAILURE() << "was taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::config);
    EXPECT_NE(std::string(error.what()).find(GetParam().message), std::string::npos)
        << error.what();
  }
}

#define ROLE(body) "role('all', function(p)\n" body "\nend)"

INSTANTIATE_TEST_SUITE_P(
    All, WrongModel,
    testing::Values(
        Wrong{"syntax", "role('all', function() send( end)",
              "model.lua:1: unexpected symbol near 'end'"},
        Wrong{"not_lua", "\x1bLua", "model.lua: "},
        Wrong{"no_role", "local x = 1", "model.lua: the model has no role"},
        Wrong{"no_assignment", "role('a', function() end)\nrole('b', function() end)",
              "does not say which rank has which"},
        Wrong{"unknown_role_assigned", ROLE("") "\nassign(function() return 'middle' end)",
              "assign gives rank 0 the role 'middle', but the model has 'all'"},
        Wrong{"unknown_role_asked", ROLE("ranks_of('middle')"),
              "model.lua:2: rank 0, role 'all': there is no role 'middle'"},
        Wrong{"role_twice", ROLE("") "\n" ROLE(""), "role 'all' is declared twice"},
        Wrong{"negative_bytes", ROLE("if p.rank == 1 then send(0, -3) end"),
              "model.lua:2: rank 1, role 'all': the bytes of send must be a number that is not "
              "negative, but is -3"},
        Wrong{"bytes_that_are_no_number", ROLE("send(1 - p.rank, 0/0)"), "negative, but is"},
        Wrong{"infinite_work", ROLE("compute(1/0)"), "the work of a computation must be"},
        Wrong{"bytes_as_text", ROLE("bcast(0, '12')"), "the bytes of bcast must be"},
        Wrong{"too_many_bytes", ROLE("send(1 - p.rank, 2^40)"), "must be at most 2.14748e+09"},
        Wrong{
            "rank_outside", ROLE("\nrecv(2)"),
            "model.lua:3: rank 0, role 'all': the partner of recv must be a rank of the job, 0 to "
            "1, but is 2"},
        Wrong{"rank_missing", ROLE("send(nil, 5)"),
              "must be a rank of the job, 0 to 1, but is nil"},
        Wrong{"rank_with_fraction", ROLE("send(0.5, 5)"), "but is 0.5"},
        Wrong{"to_itself", ROLE("send(p.rank, 5)"), "send is with the rank itself, 0"},
        Wrong{"no_root", ROLE("reduce(nil, 8)"), "the root of reduce must be a rank of the job"},
        Wrong{"endless_loop", ROLE("while true do end"),
              "model.lua:2: rank 0, role 'all': takes too many steps"},
        Wrong{"endless_text", "while true do end", "model.lua:1: takes too many steps"},
        Wrong{"endless_loop_of_strings",
              ROLE("local s = ('x'):rep(1000000) while true do local t = s .. p.rank end"),
              "takes too many steps"},
        Wrong{"too_much_memory", ROLE("local s = 'x' while true do s = s .. s end"),
              "needs more memory"},
        Wrong{"too_many_events", ROLE("for i = 1, 1e9 do barrier() end"),
              "the ranks do more than 1000 things"},
        Wrong{"deep_recursion", ROLE("local function f() return 1 + f() end f()"), "model.lua:2: "},
        Wrong{"missing_function", ROLE("sned(1, 2)"),
              "attempt to call a nil value (global 'sned')"},
        Wrong{"file", ROLE("io.open('/etc/passwd')"), "attempt to index a nil value (global 'io')"},
        Wrong{"process", "os.exit(3)", "attempt to index a nil value (global 'os')"},
        Wrong{"other_text", "load('return 1')()", "attempt to call a nil value (global 'load')"},
        Wrong{"swallowed_error", "pcall(error)", "attempt to call a nil value (global 'pcall')"},
        Wrong{"own_error", ROLE("\n\nassert(p.ranks == 3, 'needs three ranks')"),
              "model.lua:4: rank 0, role 'all': needs three ranks"},
        Wrong{"error_without_words", "error({})", "model.lua:1: table: "},
        Wrong{"call_outside_a_role", "send(1, 2)",
              "model.lua:1: send is something that a rank does"},
        Wrong{"role_inside_a_role", ROLE("role('b', function() end)"),
              "role belongs at the outermost level"},
        Wrong{"global_inside_a_role", ROLE("total = 1"),
              "the global variable 'total' is set by a rank"},
        Wrong{"parameter_twice", "param('a', 1)\nparam('a', 2)",
              "model.lua:2: parameter 'a' is declared twice"},
        Wrong{"parameter_without_value", "param('a')",
              "the value of parameter 'a' must be a number, but is nil"},
        Wrong{"cost_that_is_none", ROLE("compute{size = 1, cost = 'n *'}"),
              "the cost 'n *' is no expression"},
        Wrong{"cost_of_unknown", ROLE("compute{size = 1, cost = 'n * speed'}"), "speed"},
        Wrong{"negative_cost", ROLE("compute{size = 1, cost = '-n'}"),
              "the work of a computation must be"},
        Wrong{"size_missing", ROLE("compute{cost = 'n'}"), "the size of a computation must be"},
        Wrong{"never_waited", ROLE("isend(1 - p.rank, 5)"),
              "what it starts in line 2 it never waits for"},
        Wrong{"waited_twice", ROLE("local r = irecv(1 - p.rank) wait(r, r)"),
              "which is nothing that isend or irecv has begun"},
        Wrong{"group_without_itself", ROLE("group{1 - p.rank}"),
              "makes a group of which it is no member"},
        Wrong{"group_with_a_rank_twice", ROLE("group{0, 1, 0}"), "rank 0 is twice in a group"},
        Wrong{"root_outside_the_group", ROLE("group{p.rank}:bcast(1 - p.rank, 8)"),
              "but no member of the group"},
        Wrong{"grid_that_does_not_fit", "local g = grid{3}",
              "a grid of 3 ranks does not fit a job of 2"},
        Wrong{"nonsense_dimension", "local g = grid{2}\n" ROLE("g:neighbour(0, 2, 1)"),
              "the grid has no dimension 2"},
        Wrong{"loop_without_number", ROLE("loop(nil, print)"),
              "the number of iterations must be a whole number"},
        Wrong{"both_send_first", ROLE("send(1 - p.rank, 5)\nrecv(1 - p.rank)"),
              "model.lua:2: deadlock: ranks wait for each other\n  rank 0, role 'all', line 2: "
              "send to rank 1, "
              "waits for rank 1\n  rank 1, role 'all', line 2: send to rank 0, waits for rank 0"},
        Wrong{"nobody_sends", ROLE("if p.rank == 0 then\nrecv(1) end"),
              "model.lua:3: deadlock: ranks wait for one that has ended\n  rank 0, role 'all', "
              "line 3: "
              "recv from rank 1, waits for rank 1\n  rank 1, role 'all', has come to its end"},
        Wrong{"other_tag", ROLE("if p.rank == 0 then send(1, 5, 1) else recv(0, 2) end"),
              "deadlock"},
        Wrong{"missing_in_a_collective", ROLE("if p.rank == 0 then\nbarrier() end"),
              "line 3: barrier, waits for rank 1\n  rank 1, role 'all', has come to its end"},
        Wrong{"different_collectives",
              ROLE("if p.rank == 0 then\nbarrier() else\nallreduce(8) end"),
              "while rank 0, role 'all', is in barrier in line 3"},
        Wrong{"different_roots", ROLE("bcast(p.rank, 8)"), "bcast with root 1, while rank 0"}),
    [](const auto& name) { return std::string(name.param.name); });

TEST(WrongParameter, is_named_with_those_that_there_are) {
  const std::string text = "param('size', 1)\nparam('steps', 2)\n" ROLE("");
  try {
    static_cast<void>(test::run(text, 1, {{"sise", 3}}));
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "model.lua: there is no parameter 'sise'; there is size, steps");
  }
}

} // namespace
} // namespace hypermile::application
