-- A cube of cells that changes step by step, as apps/heat3d computes it: each rank has a block of
-- it. In a step all compute, and then exchange the walls of their blocks with their neighbours,
-- dimension by dimension. A dimension takes four steps of blocking messages, in which those at
-- even places and those at odd places take turns. [M16] calls this program SPMD.
local side = param("side", 120, "cells along a side of the cube")
local steps = param("steps", 150, "steps of the main loop")
local work = param("work", 300, "operations per cell and step")
local extra = param("extra", 2, "steps of computation before and after the loop, as for a check")

local sides = dims(ranks, 3)
local blocks = grid(sides)

-- A block inside the cube has six neighbours, one at a corner has three.
local names = {[6] = "inside", [5] = "face", [4] = "edge", [3] = "corner"}

local function neighbours(rank)
  local count = 0
  for dimension = 1, 3 do
    for steps = -1, 1, 2 do
      if blocks:neighbour(rank, dimension, steps) ~= nobody then count = count + 1 end
    end
  end
  return count
end

assign(function(rank) return names[neighbours(rank)] or "few neighbours" end)

local function share(count, parts, place) -- of so many cells
  return count * (place + 1) // parts - count * place // parts
end

local function step_through(p)
  local at = blocks:coordinates(p.rank)
  local length, cells = {}, 1
  for dimension = 1, 3 do
    length[dimension] = share(side, sides[dimension], at[dimension])
    cells = cells * length[dimension]
  end

  local function pass(dimension, even_send, way)
    local sends = (at[dimension] % 2 == 0) == even_send
    if sends then
      send(blocks:neighbour(p.rank, dimension, way), 8 * cells / length[dimension])
    else
      recv(blocks:neighbour(p.rank, dimension, -way))
    end
  end

  local function exchange_walls()
    for dimension = 3, 1, -1 do
      pass(dimension, true, 1)
      pass(dimension, false, 1)
      pass(dimension, false, -1)
      pass(dimension, true, -1)
    end
  end

  compute(extra / 2 * work * cells)
  exchange_walls()
  loop(steps, function()
    compute(work * cells)
    exchange_walls()
  end)
  compute(extra / 2 * work * cells)
  allreduce(8)
end

for _, name in ipairs{"inside", "face", "edge", "corner", "few neighbours"} do
  role(name, step_through)
end
