"""Rank 0 prints 8 MB to stdout and 2 MB to stderr while all go through a loop."""
import sys

from mpi4py import MPI

world = MPI.COMM_WORLD
for i in range(200):
    world.allreduce(sum(k * k for k in range(10000)))
    if world.rank == 0:
        print(f"{i:04}" + 40 * 1024 * "x")
        print(f"{i:04}" + 10 * 1024 * "e", file=sys.stderr)
