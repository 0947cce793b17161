role("all", function(p)
  compute(5)
  for again = 1, 2 do
    steps(100, 4, function(i)
      compute(10)
      sendrecv((p.rank + 1) % ranks, 8, (p.rank - 1) % ranks)
      barrier()
      sleep(0.1)
    end)
  end
  steps(3, 9, function(i) bcast(0, i) end)
end)
assign(function(rank) return "all" end)
