"""A master that gives pieces of work to whoever asks; every rank computes, the master as well when
there is nobody else."""
import numpy as np
from mpi4py import MPI

PIECES = 300
SIZE = 160

world = MPI.COMM_WORLD


def work(piece):
    matrix = np.random.default_rng(piece).standard_normal((SIZE, SIZE))
    for _ in range(1 + piece % 5):
        matrix = np.tanh(matrix @ matrix / SIZE)
    return float(matrix.sum())


def master():
    results = {}
    status = MPI.Status()
    given, workers = 0, world.size - 1
    while workers > 0:
        answer = world.recv(source=MPI.ANY_SOURCE, status=status)
        if answer is not None:
            results[answer[0]] = answer[1]
        piece = given if given < PIECES else None
        given += 1
        workers -= piece is None
        world.send(piece, dest=status.Get_source())
    print(f"{len(results)} pieces, sum {sum(results[piece] for piece in sorted(results)):.15e}")


def worker():
    answer = None
    while True:
        world.send(answer, dest=0)
        piece = world.recv(source=0)
        if piece is None:
            return
        answer = (piece, work(piece))


if world.rank == 0:
    master()
else:
    worker()
