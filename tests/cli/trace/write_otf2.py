#!/usr/bin/python3
"""Writes the trace of tests/programs/traced.cpp, as a tracer would have, without hypermile.

    write_otf2.py FOLDER --speeds 40e9,60e9 --work 3e7 [--iterations 20] [--fault NAME]

Before each call every rank computes --work at its speed. How long calls take is made up: that is not
looked at. A fault is something that hypermile has to refuse.
"""

import argparse

import otf2
from otf2.enums import CollectiveOp, GroupType, MeasurementMode, Paradigm

TICKS = 10**12
CALL = 30 * 10**6  # ticks that a call takes


class Trace:
    """The definitions."""

    def __init__(self, writer, ranks, fault):
        defs = writer.definitions
        machine = defs.system_tree_node("machine", class_name="machine")
        self.regions = {}
        self.defs = defs
        paradigm = Paradigm.SHMEM if fault == "shmem" else Paradigm.MPI
        self.writers = []
        locations = []
        for rank in range(ranks):
            node = defs.system_tree_node(f"node{rank}", class_name="node", parent=machine)
            group = defs.location_group(f"MPI Rank {rank}", system_tree_parent=node)
            locations.append(defs.location("Master thread", group=group))
            self.writers.append(writer.event_writer_from_location(locations[-1]))
        defs.group("", group_type=GroupType.COMM_LOCATIONS, paradigm=paradigm, members=locations)
        self.world = self.comm("MPI_COMM_WORLD", paradigm, range(ranks), None)
        self.halves = [
            self.comm("", paradigm, range(half, ranks, 2), self.world) for half in range(2)
        ]

    def comm(self, name, paradigm, ranks, parent):
        group = self.defs.group(
            name, group_type=GroupType.COMM_GROUP, paradigm=paradigm, members=list(ranks)
        )
        return self.defs.comm(name, group=group, parent=parent)

    def region(self, name):
        if name not in self.regions:
            self.regions[name] = self.defs.region(name, paradigm=Paradigm.MPI)
        return self.regions[name]


class Rank:
    """One rank's clock and its events."""

    def __init__(self, trace, rank, ranks, speed, work):
        self.trace, self.rank, self.ranks = trace, rank, ranks
        self.out = trace.writers[rank]
        self.computing = round(work / speed * TICKS)
        self.now = 1000 + rank  # clocks do not begin at 0
        self.request = 0

    def call(self, name, begins=None, ends=None, computes=True):
        self.now += self.computing if computes else 0
        region = self.trace.region(name)
        self.out.enter(self.now, region)
        if begins:
            begins(self.now)
        self.now += CALL
        if ends:
            ends(self.now)
        self.out.leave(self.now, region)

    def collective(self, name, op, comm, root, sent, received):
        self.call(
            name,
            self.out.mpi_collective_begin,
            lambda t: self.out.mpi_collective_end(t, op, comm, root, sent, received),
        )

    def neighbours(self):
        return (self.rank + 1) % self.ranks, (self.rank - 1) % self.ranks

    def send(self, to, tag, size):
        return lambda t: self.out.mpi_send(t, to, self.trace.world, tag, size)

    def receive(self, sender, tag, size):
        return lambda t: self.out.mpi_recv(t, sender, self.trace.world, tag, size)

    def ring(self):
        after, before = self.neighbours()
        self.call("MPI_Sendrecv", self.send(after, 1, 4096), self.receive(before, 1, 4096))
        calls = [
            lambda: self.call("MPI_Send", self.send(after, 4, 64)),
            lambda: self.call("MPI_Recv", None, self.receive(before, 4, 64)),
        ]
        for call in calls if self.rank % 2 == 0 else reversed(calls):
            call()

    def exchange(self):
        after, before = self.neighbours()
        size, world, out = 100000, self.trace.world, self.out
        first = self.request
        self.request += 4
        for i in range(2):
            self.call("MPI_Irecv", lambda t, r=first + i: out.mpi_irecv_request(t, r))
        for i, (to, tag) in enumerate([(after, 2), (before, 3)]):
            self.call(
                "MPI_Isend",
                lambda t, r=first + 2 + i, to=to, tag=tag: out.mpi_isend(t, to, world, tag, size, r),
            )

        def completed(t):
            out.mpi_irecv(t, before, world, 2, size, first)
            out.mpi_irecv(t, after, world, 3, size, first + 1)
            out.mpi_isend_complete(t, first + 2)
            out.mpi_isend_complete(t, first + 3)

        self.call("MPI_Waitall", None, completed)

    def together(self, iteration):
        world, half = self.trace.world, self.trace.halves[self.rank % 2]
        n, members = self.ranks, len(range(self.rank % 2, self.ranks, 2))
        none = 2**32 - 1
        root = iteration % n
        self.collective("MPI_Allreduce", CollectiveOp.ALLREDUCE, world, none, 64, 64)
        self.collective(
            "MPI_Bcast", CollectiveOp.BCAST, world, root, 10000 * n if self.rank == root else 0, 10000
        )
        self.collective("MPI_Allgather", CollectiveOp.ALLGATHER, half, none, 64, 64 * members)
        self.collective("MPI_Alltoall", CollectiveOp.ALLTOALL, world, none, 256 * n, 256 * n)
        self.collective(
            "MPI_Gather", CollectiveOp.GATHER, world, 1, 64, 64 * n if self.rank == 1 else 0
        )
        self.collective(
            "MPI_Reduce", CollectiveOp.REDUCE, half, 0, 64, 64 if self.rank < 2 else 0
        )
        request = self.request
        self.request += 1
        self.call(
            "MPI_Iallreduce", lambda t: self.out.non_blocking_collective_request(t, request)
        )
        self.call(
            "MPI_Wait",
            None,
            lambda t: self.out.non_blocking_collective_complete(
                t, CollectiveOp.ALLREDUCE, world, none, 8, 8, request
            ),
        )
        self.collective("MPI_Barrier", CollectiveOp.BARRIER, world, none, 0, 0)

    def run(self, iterations):
        self.call("MPI_Init", computes=False)
        self.collective(
            "MPI_Comm_split", CollectiveOp.CREATE_HANDLE, self.trace.world, 2**32 - 1, 0, 0
        )
        for i in range(iterations):
            self.ring()
            self.exchange()
            self.together(i)

    def fail(self, fault):
        """What no complete run of MPI has, on one rank."""
        world = self.trace.world
        if fault == "unreceived":
            self.call("MPI_Send", self.send(0, 9, 8))
        elif fault == "alone":
            self.collective("MPI_Barrier", CollectiveOp.BARRIER, world, 2**32 - 1, 0, 0)
        elif fault == "untold":
            self.call("MPI_Barrier")
        elif fault == "put":
            self.call("MPI_Put")
        elif fault == "outside":
            self.out.mpi_send(self.now, 0, world, 9, 8)
        elif fault == "request":
            self.call("MPI_Wait", None, lambda t: self.out.mpi_isend_complete(t, 999))
        elif fault == "open":
            self.call("MPI_Irecv", lambda t: self.out.mpi_irecv_request(t, 999))
        elif fault == "off":
            self.out.measurement_on_off(self.now, MeasurementMode.OFF)
        elif fault == "one-sided":
            window = self.trace.defs.rma_win("window", world)
            self.call("MPI_Win_create", None, lambda t: self.out.rma_win_create(t, window))
        elif fault == "unfinished":
            self.out.enter(self.now, self.trace.region("MPI_Barrier"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--speeds", required=True)
    parser.add_argument("--work", type=float, required=True)
    parser.add_argument("--iterations", type=int, default=20)
    parser.add_argument("--fault", default="")
    arguments = parser.parse_args()
    speeds = [float(speed) for speed in arguments.speeds.split(",")]
    with otf2.writer.open(arguments.folder, timer_resolution=TICKS) as writer:
        trace = Trace(writer, len(speeds), arguments.fault)
        for number, speed in enumerate(speeds):
            rank = Rank(trace, number, len(speeds), speed, arguments.work)
            rank.run(arguments.iterations)
            if number == 1:
                rank.fail(arguments.fault)
            rank.call("MPI_Finalize")


main()
