local n = param("n", 4, "size")
local g = grid{1, 3}
local function left(p)
  compute(n) compute{size = n, cost = "n * log(n, 2)"}
  local h = isend((p.rank + 1) % 3, 10, 1)
  local i = irecv((p.rank + 2) % 3, 1)
  wait(h, i)
  sendrecv(g:neighbour(p.rank, 2, 1), 5, g:neighbour(p.rank, 2, -1))
  local c = group{0, 1, 2}
  c:allreduce(8) c:bcast(1, 8) c:barrier()
  loop(2, function(k) reduce(0, 8) gather(0, k) scatter(2, 4) allgather(4) alltoall(2) barrier() end)
  all_pairs("a", "a", 7)
  sleep(0.1)
end
role("a", left)
role("b", function(p) one_to_one("a", "b", 1) end)
assign(function(rank, ranks) return "a" end)
print(#dims(12, 3), ranks, nobody)
