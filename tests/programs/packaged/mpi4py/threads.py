"""MPI_THREAD_MULTIPLE: two threads of each rank have a communicator and a loop of their own."""
import threading

from mpi4py import MPI

world = MPI.COMM_WORLD
assert MPI.Query_thread() == MPI.THREAD_MULTIPLE
communicators = [world.Dup(), world.Dup()]
sums = [0, 0]


def loop(index):
    for i in range(600):
        part = sum(k * k for k in range(2000 * (index + 1)))
        sums[index] += communicators[index].allreduce(part + i)


threads = [threading.Thread(target=loop, args=(index,)) for index in range(2)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
if world.rank == 0:
    print(*sums)
