"""Rank 0 reads numbers from stdin until its end, and gives each to the others."""
import sys

from mpi4py import MPI

world = MPI.COMM_WORLD
total = 0
while True:
    line = sys.stdin.readline() if world.rank == 0 else None
    line = world.bcast(line)
    if not line:
        break
    total += world.allreduce(int(line))
if world.rank == 0:
    print(f"sum {total}")
