"""Training of a small network on all ranks: each has its own samples, gradients are summed up."""
import numpy as np
from mpi4py import MPI

STEPS = 500
BATCH, INPUTS, HIDDEN = 128, 64, 128

world = MPI.COMM_WORLD
teacher = np.random.default_rng(1).standard_normal((INPUTS, 1))
random = np.random.default_rng(2)
weights = [random.standard_normal((INPUTS, HIDDEN)) / INPUTS**0.5,
           random.standard_normal((HIDDEN, 1)) / HIDDEN**0.5]
samples = np.random.default_rng(10 + world.rank)

for step in range(STEPS):
    x = samples.standard_normal((BATCH, INPUTS))
    hidden = np.tanh(x @ weights[0])
    error = hidden @ weights[1] - np.sin(x @ teacher)
    slope = (error @ weights[1].T) * (1 - hidden**2)
    gradients = [x.T @ slope / BATCH, hidden.T @ error / BATCH]
    for weight, gradient in zip(weights, gradients):
        world.Allreduce(MPI.IN_PLACE, gradient)
        weight -= 0.02 * gradient / world.size
    if step % 100 == 99:
        loss = world.reduce(float((error**2).mean()))
        if world.rank == 0:
            print(f"step {step + 1}: loss {loss / world.size:.15e}")
