"""Ends in an odd way. In the middle of a loop the last rank calls MPI_Abort, receives SIGSEGV or
leaves: ends.py abort|segv|exit. After the loop all ranks leave without MPI_Finalize: no_finalize."""
import os
import signal
import sys

from mpi4py import MPI

world = MPI.COMM_WORLD
how = sys.argv[1]
for i in range(300):
    world.allreduce(sum(k * k for k in range(10000)))
    if i == 200 and how != "no_finalize" and world.rank == world.size - 1:
        if how == "abort":
            world.Abort(7)
        elif how == "segv":
            os.kill(os.getpid(), signal.SIGSEGV)
        else:
            os._exit(3)
if world.rank == 0:
    print("the loop is over", flush=True)
if how == "no_finalize":
    os._exit(0)
