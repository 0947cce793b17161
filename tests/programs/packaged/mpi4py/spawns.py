"""Starts two more processes by MPI_Comm_spawn, works with them and goes on without them."""
import sys

from mpi4py import MPI

ROUNDS = 150

parent = MPI.Comm.Get_parent()
if parent != MPI.COMM_NULL:
    for i in range(ROUNDS):
        parent.allreduce(sum(k * k for k in range(5000 + i)))
    parent.Disconnect()
    sys.exit(0)

world = MPI.COMM_WORLD
children = world.Spawn(sys.executable, args=[__file__], maxprocs=2)
total = sum(children.allreduce(world.rank + i) for i in range(ROUNDS))
children.Disconnect()
for i in range(ROUNDS):
    total += world.allreduce(sum(k * k for k in range(20000)))
if world.rank == 0:
    print(total)
