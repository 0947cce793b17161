-- A master hands out tasks in turn; workers send back what they found. Which worker gets which task
-- is fixed: a model knows nothing of who would be ready first.
local tasks = param("tasks", 200, "tasks in all")
local work = param("work", 2e8, "operations of a task")
local input = param("input", 1e6, "bytes that a task needs")
local output = param("output", 1e4, "bytes that a task gives back")

assert(ranks > 1, "master-worker needs two ranks at least")
local workers = ranks - 1

assign(function(rank) return rank == 0 and "master" or "worker" end)

role("master", function(p)
  for first = 1, tasks, workers do
    local last = math.min(first + workers - 1, tasks)
    for task = first, last do send(task - first + 1, input) end
    for task = first, last do recv(task - first + 1) end
  end
end)

role("worker", function(p)
  for task = p.rank, tasks, workers do
    recv(0)
    compute(work)
    send(0, output)
  end
end)
