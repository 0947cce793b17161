"""Jacobi's method on a square, divided into strips: halo by Sendrecv, every iteration the norm."""
import numpy as np
from mpi4py import MPI

SIZE = 500
ITERATIONS = 800

world = MPI.COMM_WORLD
rank, ranks = world.rank, world.size
rows = SIZE // ranks
grid = np.zeros((rows + 2, SIZE + 2))
grid[:, 0] = 1.0
above = rank - 1 if rank > 0 else MPI.PROC_NULL
below = rank + 1 if rank < ranks - 1 else MPI.PROC_NULL

change = 0.0
for _ in range(ITERATIONS):
    world.Sendrecv(grid[1], dest=above, recvbuf=grid[-1], source=below)
    world.Sendrecv(grid[-2], dest=below, recvbuf=grid[0], source=above)
    new = 0.25 * (grid[:-2, 1:-1] + grid[2:, 1:-1] + grid[1:-1, :-2] + grid[1:-1, 2:])
    change = world.allreduce(float(np.abs(new - grid[1:-1, 1:-1]).max()), op=MPI.MAX)
    grid[1:-1, 1:-1] = new
total = world.reduce(float(grid[1:-1, 1:-1].sum()))
if rank == 0:
    print(f"change {change:.15e} sum {total:.15e}")
