-- The DAC program of [M16]: all processes sort a part of 2^27 keys; then half of them merge what two
-- have, half of these go on, and so on, up to process 0. Each level has a constant part, and one
-- that grows with the number of processes.
local sort = param("sort", 167.9, "core-seconds to sort all keys on one process")
local start = param("start", 6.86, "core-seconds before a process can sort")
local start_each = param("start_each", 0.0076, "the same, per process of the job")
local merge = param("merge", 0.99, "core-seconds to merge all keys")
local level = param("level", 0.35, "core-seconds before a process can merge")
local level_each = param("level_each", 0.00384, "the same, per process of the job")
local bytes = param("bytes", 4, "bytes of a key")

local digits = 27 -- binary ones of the number of keys
assert(ranks & (ranks - 1) == 0 and ranks <= 2^digits, "a power of two of processes")

role("process", function(p)
  local function work(seconds) compute(1e9 * seconds) end
  local own = 2^digits / p.ranks
  work(start + start_each * p.ranks + sort / p.ranks * (1 - math.log(p.ranks, 2) / digits))
  local step = 1
  while step < p.ranks do
    if p.rank & step ~= 0 then
      send(p.rank - step, bytes * own)
      return
    end
    recv(p.rank + step)
    own = 2 * own
    work(level + level_each * p.ranks + merge * own / 2^digits)
    step = 2 * step
  end
end)
