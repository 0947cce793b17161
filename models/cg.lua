-- The conjugate gradient method for a sparse matrix whose rows are spread over the ranks: in each
-- iteration a product with the matrix, for which all ranks gather the vector, two dot products and
-- three updates of vectors.
local rows = param("rows", 1e6, "rows of the matrix")
local nonzeros = param("nonzeros", 50, "entries per row that are not zero")
local iterations = param("iterations", 30, "iterations of the main loop")

role("all", function(p)
  local own = rows / p.ranks
  loop(iterations, function()
    allgather(8 * own)
    compute(2 * nonzeros * own)
    compute(2 * own) allreduce(8)
    compute(4 * own)
    compute(2 * own) allreduce(8)
    compute(2 * own)
  end)
end)
