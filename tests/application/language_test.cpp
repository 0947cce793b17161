#include "application/run.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace hypermile::application {
namespace {

using model::Action;
using test::end;
using test::printed;
using test::run;
using test::timed;

const model::Operation& operation(const ModelRun& run, std::size_t rank, std::size_t event) {
  const model::RankTimeline& timeline = run.timeline.ranks.at(rank);
  return timeline.operations.at(timeline.events.at(event).operation);
}

double work(const ModelRun& run, std::size_t rank) {
  const auto& all = run.timeline.ranks.at(rank).work;
  return std::accumulate(all.begin(), all.end(), Work{}).value();
}

TEST(Language, runs_the_function_of_the_role_for_each_rank) {
  const ModelRun made = run("role('all', function(p) compute(10 * p.rank + p.ranks) end)", 3);
  EXPECT_EQ(work(made, 0), 3);
  EXPECT_EQ(work(made, 2), 23);
  EXPECT_EQ(made.roles, (std::vector<std::string>{"all", "all", "all"}));
}

TEST(Language, gives_ranks_the_roles_that_assign_names) {
  const ModelRun made =
      run("role('even', function(p) compute(2) end)\n"
          "role('odd', function(p) compute(1 + #p.role) end)\n"
          "assign(function(rank, ranks) return rank % 2 == 0 and 'even' or 'odd' end)",
          4);
  EXPECT_EQ(made.roles, (std::vector<std::string>{"even", "odd", "even", "odd"}));
  EXPECT_EQ(work(made, 1), 4);
  EXPECT_EQ(work(made, 2), 2);
}

TEST(Language, takes_parameters_from_whoever_runs_the_model) {
  const std::string text = "local size = param('size', 5, 'elements')\n"
                           "local rate = param('rate', 0.5)\n"
                           "role('all', function() compute(size * rate * 2) end)";
  EXPECT_EQ(work(run(text, 1), 0), 5);
  const ModelRun made = run(text, 1, {{"size", 1e9}});
  EXPECT_EQ(work(made, 0), 1e9);
  ASSERT_EQ(made.parameters.size(), 2U);
  EXPECT_EQ(made.parameters[0].name, "size");
  EXPECT_EQ(made.parameters[0].help, "elements");
  EXPECT_EQ(made.parameters[0].value, 1e9);
  EXPECT_EQ(made.parameters[1].value, 0.5);
}

TEST(Language, computes_what_a_cost_says_of_a_size) {
  const ModelRun made =
      run("param('factor', 3)\n"
          "role('all', function() compute{size = 8, cost = 'n * log(n, 2) * factor'} end)",
          1);
  EXPECT_EQ(work(made, 0), 72);
}

TEST(Language, loses_no_work_by_rounding) {
  const ModelRun made =
      run("role('all', function() for i = 1, 1000 do compute(0.4) barrier() end end)", 1);
  EXPECT_EQ(work(made, 0), 400);
}

TEST(Language, names_the_line_of_each_call) {
  const ModelRun made = run("role('all', function(p)\n"
                            "  barrier()\n"
                            "  if p.rank == 0 then send(1, 7, 3)\n"
                            "  else recv(0, 3) end\n"
                            "end)",
                            2);
  EXPECT_EQ(operation(made, 0, 0).site, 2U);
  EXPECT_EQ(operation(made, 0, 2).site, 3U);
  EXPECT_EQ(operation(made, 0, 2).bytes, 7U);
  EXPECT_EQ(operation(made, 0, 2).partner, 1);
  EXPECT_EQ(operation(made, 0, 2).tag, 3);
  EXPECT_EQ(operation(made, 1, 2).action, Action::receive);
  EXPECT_EQ(operation(made, 1, 2).site, 4U);
}

TEST(Language, does_nothing_with_nobody) {
  const ModelRun made = run("role('all', function()\n"
                            "  send(nobody, 5) recv(nobody) exchange(nobody, 5)\n"
                            "  wait(isend(nobody, 5), irecv(nobody))\n"
                            "end)",
                            1);
  EXPECT_TRUE(made.timeline.ranks[0].events.empty());
}

TEST(Language, sends_one_way_where_the_other_partner_is_nobody) {
  const ModelRun made = timed("role('all', function(p)\n"
                              "  sendrecv(p.rank + 1 < p.ranks and p.rank + 1 or nobody, 10,\n"
                              "           p.rank > 0 and p.rank - 1 or nobody)\n"
                              "end)",
                              3);
  EXPECT_EQ(made.timeline.ranks[0].events.size(), 2U);
  EXPECT_EQ(made.timeline.ranks[1].events.size(), 4U);
}

TEST(Language, finds_neighbours_in_a_grid) {
  const auto lines =
      printed("local g = grid{2, 3}\n"
              "role('all', function(p)\n"
              "  if p.rank == 0 then\n"
              "    print(g:neighbour(0, 1, 1), g:neighbour(0, 2, 1), g:neighbour(0, 2, -1))\n"
              "    print(g:neighbour(0, 2, -1, true), g:neighbour(5, 1, 1, true))\n"
              "    print(table.concat(g:coordinates(4), ','), g:rank{1, 1})\n"
              "  end\n"
              "end)",
              6);
  EXPECT_EQ(lines, (std::vector<std::string>{"3\t1\t-1", "2\t2", "1,1\t4"}));
}

TEST(Language, makes_grids_as_square_as_can_be) {
  const std::string text =
      "local t = {}\n"
      "for _, c in ipairs{1, 8, 12, 27, 30, 64, 125, 216, 343, 512, 7, 100000} do\n"
      "  t[#t + 1] = table.concat(dims(c, 3), 'x')\n"
      "end\n"
      "print(table.concat(t, ' '), table.concat(dims(12, 2), 'x'), dims(5, 1)[1])\n"
      "role('all', function() end)";
  EXPECT_EQ(printed(text, 1).front(),
            "1x1x1 2x2x2 3x2x2 3x3x3 5x3x2 4x4x4 5x5x5 6x6x6 7x7x7 8x8x8 7x1x1 50x50x40\t4x3\t5");
}

TEST(Language, pairs_the_ranks_of_two_roles_by_their_places) {
  const ModelRun made = timed("role('left', function() one_to_one('left', 'right', 100) end)\n"
                              "role('right', function() one_to_one('left', 'right', 100) end)\n"
                              "assign(function(r) return r < 2 and 'left' or 'right' end)",
                              4);
  EXPECT_EQ(operation(made, 0, 0).partner, 2);
  EXPECT_EQ(operation(made, 3, 0).partner, 1);
}

TEST(Language, lets_all_pairs_of_two_roles_exchange) {
  const ModelRun made = timed("role('a', function() all_pairs('a', 'b', 100) end)\n"
                              "role('b', function() all_pairs('a', 'b', 100) end)\n"
                              "assign(function(r) return r < 2 and 'a' or 'b' end)",
                              5);
  EXPECT_EQ(made.timeline.ranks[0].events.size(), 6U);
  EXPECT_EQ(made.timeline.ranks[4].events.size(), 4U);
  const ModelRun among = timed("role('a', function() all_pairs('a', 'a', 100) end)", 4);
  EXPECT_EQ(among.timeline.ranks[0].events.size(), 12U);
}

TEST(Language, gives_groups_of_the_same_ranks_the_same_number) {
  const ModelRun made = timed("role('all', function(p)\n"
                              "  local first = p.rank - p.rank % 2\n"
                              "  local pair = group{first, first + 1}\n"
                              "  pair:allreduce(8) pair:bcast(first, 8)\n"
                              "  group{first, first + 1}:barrier()\n"
                              "  barrier()\n"
                              "end)",
                              4);
  EXPECT_EQ(operation(made, 0, 0).communicator, operation(made, 1, 2).communicator);
  EXPECT_NE(operation(made, 0, 0).communicator, operation(made, 2, 0).communicator);
  EXPECT_EQ(operation(made, 0, 2).members, 2U);
  EXPECT_EQ(made.timeline.ranks[0].events.size(), 10U); // the group is made once
}

TEST(Language, makes_many_groups_between_messages) {
  const ModelRun made = timed("role('all', function(p)\n"
                              "  for size = 1, p.ranks do\n"
                              "    local members = {}\n"
                              "    for r = 0, size - 1 do members[r + 1] = r end\n"
                              "    if p.rank < size then group(members):barrier() end\n"
                              "    sendrecv((p.rank + 1) % p.ranks, 8, (p.rank - 1) % p.ranks)\n"
                              "  end\n"
                              "end)",
                              20);
  const std::uint64_t world = operation(made, 0, 4).communicator; // behind the first group's calls
  for (const model::Operation& each : made.timeline.ranks[19].operations)
    if (each.action == Action::send) {
      EXPECT_EQ(each.communicator, world);
    }
}

TEST(Language, draws_the_same_random_numbers_each_time) {
  const std::string text = "role('all', function() compute(math.random(1000000)) end)";
  EXPECT_EQ(work(run(text, 2), 1), work(run(text, 2), 1));
  EXPECT_NE(work(run(text, 2), 0), work(run(text, 2), 1));
}

TEST(Language, marks_the_iterations_of_a_loop) {
  const ModelRun made =
      run("role('all', function() loop(3, function(i) compute(i) barrier() end) end)", 1);
  EXPECT_EQ(made.timeline.functions[operation(made, 0, 0).function], "Iteration");
  EXPECT_EQ(made.timeline.ranks[0].events.size(), 9U);
}

TEST(Language, waits_for_all_that_has_begun_where_nothing_is_named) {
  const ModelRun made = timed("role('all', function(p)\n"
                              "  irecv(1 - p.rank) isend(1 - p.rank, 10) wait()\n"
                              "end)",
                              2);
  EXPECT_EQ(made.timeline.ranks[0].events.size(), 4U);
  EXPECT_FLOAT_EQ(static_cast<float>(end(made, 0)), 1.01F);
}

TEST(Language, keeps_ranks_from_sharing_variables) {
  EXPECT_NO_THROW(
      static_cast<void>(run("count = 1\nrole('all', function() local n = count end)", 1)));
}

} // namespace
} // namespace hypermile::application
