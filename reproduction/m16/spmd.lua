-- The SPMD program of [M16]: work that its processes share, and what each process costs all of them.
-- What exactly a process costs the paper does not say; messages that cost nothing more than the
-- network's time explain none of the rise from 216 processes on.
local work = param("work", 1675, "core-seconds that the processes share")
local each = param("each", 0.0187, "core-seconds per process, on every process")

role("process", function(p) compute(1e9 * (work / p.ranks + each * p.ranks)) end)
