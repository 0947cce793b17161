#include "application/prelude.hpp"

namespace hypermile::application {

// docs/models.md describes what a model sees of this. Errors of the host functions name the words
// that the model used, and the line of the model.
const char* const prelude = R"lua(
local host = ...
local setmetatable = setmetatable

local words = {}
for name, value in pairs(_ENV) do words[name] = value end
words.setmetatable, words.getmetatable, words.rawset = nil, nil, nil
words.nobody = host.nobody
words.ranks = host.ranks
words.print = host.print
words.role = host.role
words.assign = host.assign
words.ranks_of = host.ranks_of

-- What an expression of a cost may name: n, the functions of math, and the model's parameters.
local names_in_costs = {}
for name, value in pairs(math) do names_in_costs[name] = value end

function words.param(name, value, help)
  value = host.param(name, value, help)
  names_in_costs[name] = value
  return value
end

local costs = {}

function words.compute(work)
  if type(work) ~= "table" then return host.compute(work) end
  local cost = costs[work.cost]
  if not cost then
    cost = host.cost(work.cost, names_in_costs)
    costs[work.cost] = cost
  end
  host.compute(cost(host.number(work.size, "the size of a computation")))
end

words.send = host.send
words.recv = host.recv
words.isend = host.isend
words.irecv = host.irecv
words.wait = host.wait
words.sleep = host.sleep

function words.sendrecv(to, bytes, from, tag) return host.exchange("sendrecv", to, bytes, from, tag) end
function words.exchange(partner, bytes, tag) return host.exchange("exchange", partner, bytes, partner, tag) end

-- Each of the first role to the one of the second that has the same place in it.
function words.one_to_one(from, to, bytes)
  local senders, receivers = host.ranks_of(from), host.ranks_of(to)
  if from == to then error("one_to_one needs two roles, not '" .. from .. "' twice") end
  if #senders ~= #receivers then
    error("one_to_one needs as many ranks of '" .. from .. "', which has " .. #senders ..
          ", as of '" .. to .. "', which has " .. #receivers)
  end
  local role, place = host.role_and_place()
  if role == from then host.send(receivers[place], bytes)
  elseif role == to then host.recv(senders[place])
  else error("one_to_one is called by a rank of '" .. role .. "', which is neither of its roles") end
end

-- Each of the first role to each of the second; all at a time.
function words.all_pairs(from, to, bytes)
  local senders, receivers = host.ranks_of(from), host.ranks_of(to)
  local role, _, self = host.role_and_place()
  if role ~= from and role ~= to then
    error("all_pairs is called by a rank of '" .. role .. "', which is neither of its roles")
  end
  local started = {}
  if role == to then
    for _, sender in ipairs(senders) do
      if sender ~= self then started[#started + 1] = host.irecv(sender) end
    end
  end
  if role == from then
    for _, receiver in ipairs(receivers) do
      if receiver ~= self then started[#started + 1] = host.isend(receiver, bytes) end
    end
  end
  host.wait(started)
end

local rooted = {bcast = "Bcast", reduce = "Reduce", gather = "Gather", scatter = "Scatter"}
local unrooted = {allreduce = "Allreduce", allgather = "Allgather", alltoall = "Alltoall"}
local group_words = {}
for word, fn in pairs(rooted) do
  words[word] = function(root, bytes) return host.collective(word, fn, 0, root, bytes) end
  group_words[word] = function(group, root, bytes)
    return host.collective(word, fn, group.number, root, bytes)
  end
end
for word, fn in pairs(unrooted) do
  words[word] = function(bytes) return host.collective(word, fn, 0, nil, bytes) end
  group_words[word] = function(group, bytes)
    return host.collective(word, fn, group.number, nil, bytes)
  end
end
function words.barrier() return host.collective("barrier", "Barrier", 0, nil, 0) end
function group_words.barrier(group)
  return host.collective("barrier", "Barrier", group.number, nil, 0)
end

local of_group = {__index = group_words}
function words.group(members)
  return setmetatable({number = host.group(members)}, of_group)
end

-- The main loop of a program: iteration by iteration, each marked for who chooses gears.
function words.loop(count, body)
  count = host.count(count, "the number of iterations")
  for i = 1, count do
    host.iteration()
    body(i)
  end
end

-- A loop whose steps are alike: some are run, and the rest is taken to be like them.
function words.steps(count, simulated, body)
  count = host.count(count, "the number of steps")
  simulated = host.count(simulated, "the number of steps that are simulated")
  if type(body) ~= "function" then error("steps needs a function: what a step does") end
  for i = 1, host.begin_steps(count, simulated) do
    host.step()
    body(i)
  end
  host.end_steps()
end

-- So many numbers whose product is `count`, as equal as can be, the largest first.
function words.dims(count, dimensions)
  count = host.count(count, "the number of ranks in a grid")
  dimensions = host.count(dimensions, "the number of dimensions")
  if count < 1 or dimensions < 1 then error("a grid has at least one rank and one dimension") end
  local sides = {}
  for left = dimensions, 1, -1 do
    local side = 1
    for candidate = 1, math.ceil(count ^ (1 / left) + 1e-9) do
      if count % candidate == 0 and candidate ^ left <= count * (1 + 1e-9) then side = candidate end
    end
    sides[left] = side
    count = count // side
  end
  sides[1] = sides[1] * count
  table.sort(sides, function(a, b) return a > b end)
  return sides
end

local grid_words = {}
local of_grid = {__index = grid_words}

-- The ranks of the job in a grid with these sides; the last dimension counts fastest.
function words.grid(sides)
  local size = 1
  for d, side in ipairs(sides) do
    sides[d] = host.count(side, "the side of a grid")
    size = size * sides[d]
  end
  if size ~= host.ranks then
    error("a grid of " .. size .. " ranks does not fit a job of " .. host.ranks)
  end
  return setmetatable({sides = sides}, of_grid)
end

function grid_words.coordinates(grid, rank)
  local at = {}
  for d = #grid.sides, 1, -1 do
    at[d] = rank % grid.sides[d]
    rank = rank // grid.sides[d]
  end
  return at
end

function grid_words.rank(grid, at)
  local rank = 0
  for d, side in ipairs(grid.sides) do rank = rank * side + at[d] end
  return rank
end

-- The rank so many steps along a dimension; nobody beyond the end, unless the grid is a ring there.
function grid_words.neighbour(grid, rank, dimension, steps, ring)
  local side = grid.sides[dimension]
  if not side then error("the grid has no dimension " .. tostring(dimension)) end
  local at = grid:coordinates(rank)
  at[dimension] = at[dimension] + steps
  if ring then at[dimension] = at[dimension] % side end
  if at[dimension] < 0 or at[dimension] >= side then return host.nobody end
  return grid:rank(at)
end

-- A model's own global variables: none may change while ranks are being run, since ranks share
-- nothing.
return setmetatable({}, {
  __index = words,
  __newindex = function(_, name, value)
    host.set_global(name)
    words[name] = value
  end
})
)lua";

} // namespace hypermile::application
