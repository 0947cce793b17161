-- Merge sort by divide and conquer, as apps/mergesort does it: rank 0 has keys, which are divided
-- along a binomial tree of ranks, sorted by all of them, and merged on the way back. A rank's level
-- is the number of its children. [M16] calls this program DAC.
local keys = param("keys", 2^17, "keys to sort")
local sorts = param("sorts", 30, "sorts, one after the other")
local work = param("work", 900, "operations per move of a key")
local bytes = param("bytes", 4, "bytes of a key")

-- The parent of a rank is the rank without its lowest bit.
local function place(rank)
  local children, bit = {}, 1
  while bit < ranks and rank & bit == 0 do
    if rank + bit < ranks then children[#children + 1] = rank + bit end
    bit = bit * 2
  end
  return {parent = rank > 0 and rank - bit or nobody, children = children,
          last = math.min(rank + bit, ranks)}
end

local function keys_below(rank) -- of the whole tree below it
  return keys * place(rank).last // ranks - keys * rank // ranks
end

local function own_keys(rank) return keys * (rank + 1) // ranks - keys * rank // ranks end

local levels = math.ceil(math.log(ranks, 2))
for level = 0, levels do
  role("level " .. level, function(p)
    local here = place(p.rank)
    local function sort()
      recv(here.parent)
      for c = #here.children, 1, -1 do
        send(here.children[c], bytes * keys_below(here.children[c]))
      end
      local sorted = own_keys(p.rank)
      if sorted > 1 then
        compute{size = sorted, cost = "work * n * ceil(log(n, 2) - 1e-9)"}
      end
      for _, child in ipairs(here.children) do
        recv(child)
        sorted = sorted + keys_below(child)
        compute(work * sorted)
      end
      send(here.parent, bytes * sorted)
    end
    loop(sorts, sort)
  end)
end

assign(function(rank) return "level " .. #place(rank).children end)
