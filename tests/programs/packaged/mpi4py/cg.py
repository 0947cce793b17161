"""Conjugate gradients for the five-point Laplacian; restarts with new right-hand sides."""
import numpy as np
from mpi4py import MPI

SIZE = 300
SYSTEMS = 10

world = MPI.COMM_WORLD
rank, ranks = world.rank, world.size
rows = SIZE // ranks
above = rank - 1 if rank > 0 else MPI.PROC_NULL
below = rank + 1 if rank < ranks - 1 else MPI.PROC_NULL


def laplacian(x):
    padded = np.zeros((rows + 2, SIZE + 2))
    padded[1:-1, 1:-1] = x
    requests = [world.Irecv(padded[0], source=above), world.Irecv(padded[-1], source=below),
                world.Isend(padded[1].copy(), dest=above), world.Isend(padded[-2].copy(), dest=below)]
    MPI.Request.Waitall(requests)
    return (4 * padded[1:-1, 1:-1] - padded[:-2, 1:-1] - padded[2:, 1:-1]
            - padded[1:-1, :-2] - padded[1:-1, 2:])


def dot(a, b):
    return world.allreduce(float(np.vdot(a, b)))


for system in range(SYSTEMS):
    random = np.random.default_rng(100 * system + rank)
    residual = random.standard_normal((rows, SIZE))
    x = np.zeros_like(residual)
    direction = residual.copy()
    square = dot(residual, residual)
    wanted = 1e-6 * square
    iterations = 0
    while square > wanted and iterations < 120:
        product = laplacian(direction)
        step = square / dot(direction, product)
        x += step * direction
        residual -= step * product
        square, before = dot(residual, residual), square
        direction = residual + square / before * direction
        iterations += 1
    if rank == 0:
        print(f"system {system}: {iterations} iterations, residual {square:.15e}")
