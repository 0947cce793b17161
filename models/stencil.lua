-- A 2-D stencil: each rank has a block of a square grid, and exchanges its edges with four
-- neighbours in every step. Every tenth step all ranks agree on the largest change.
local size = param("size", 4000, "grid points along a side")
local steps = param("steps", 50, "steps of the main loop")
local work = param("work", 20, "operations per point and step")

local sides = dims(ranks, 2)
local g = grid(sides)

role("all", function(p)
  local rows, columns = size / sides[1], size / sides[2]
  loop(steps, function(step)
    for dimension, edge in ipairs{columns, rows} do
      local before = g:neighbour(p.rank, dimension, -1)
      local after = g:neighbour(p.rank, dimension, 1)
      sendrecv(after, 8 * edge, before)
      sendrecv(before, 8 * edge, after)
    end
    compute(work * rows * columns)
    if step % 10 == 0 then allreduce(8) end
  end)
end)
