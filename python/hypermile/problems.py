"""Problems: a platform and what a program takes on it."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Optional, Union

from . import _hypermile
from .arguments import Number, Path, numbers, path, text, whole_numbers
from .platforms import Platform


@dataclass(frozen=True)
class Prediction:
    """What gears will do to a program.

    Attributes:
        time_s: seconds of one iteration, or of a whole run.
        energy_j: joules of all nodes meanwhile.
        p_norm: time in gear 0 / time; above 1 is faster.
        e_norm: energy / energy in gear 0; below 1 saves energy.
        distance: p_norm - e_norm, what the objective maxdist maximises.
    """

    time_s: float
    energy_j: float
    p_norm: float
    e_norm: float
    distance: float

    @property
    def slowdown(self) -> float:
        """By which part it takes longer than in gear 0: 0.05 is 5 %."""
        return 1 / self.p_norm - 1

    @property
    def saving(self) -> float:
        """Which part of the energy is saved against gear 0: 0.2 is 20 %."""
        return 1 - self.e_norm


class Workload:
    """What each node of a program does in one iteration in gear 0, as measured.

    Args:
        computation_s: seconds of computation by node, from 0, in the order of the platform's nodes.
        communication_s: seconds of communication by node, from 0.
        model: how nodes wait for each other: "table", "cluster", "grid", "hybrid", "async" or
            "async_literal" (docs/selection.md).
        clusters: by node, the number of its cluster, from 0; without it, a cluster is what is of one type.

    Lists, tuples and arrays of numpy are welcome. Raises TypeError for what are no numbers, and ValueError
    for lists of different lengths. What no model can use is an Error when a problem is made of it.
    """

    def __init__(
        self,
        computation_s: Iterable[Number],
        communication_s: Iterable[Number],
        *,
        model: str = "table",
        clusters: Optional[Iterable[int]] = None,
    ) -> None:
        self.computation_s = numbers(computation_s, "computation_s")
        self.communication_s = numbers(communication_s, "communication_s")
        self.clusters = None if clusters is None else whole_numbers(clusters, "clusters")
        self.model = text(model, "model")
        for other, values in (("communication_s", self.communication_s), ("clusters", self.clusters)):
            if values is not None and len(values) != len(self.computation_s):
                raise ValueError(f"{other} has {len(values)} values, computation_s {len(self.computation_s)}")

    def to_json(self) -> str:
        """As a file that `hypermile select --workload` reads, hypermile/workload/1."""
        nodes: list[dict[str, Any]] = [
            {"tcp_s": tcp, "tcm_s": tcm} for tcp, tcm in zip(self.computation_s, self.communication_s)
        ]
        for node, cluster in zip(nodes, self.clusters or []):
            node["cluster"] = cluster
        return json.dumps({"schema": "hypermile/workload/1", "model": self.model, "nodes": nodes})

    def __repr__(self) -> str:
        return f"<hypermile.Workload of {len(self.computation_s)} nodes, model {self.model}>"


class Problem:
    """A gear selection problem: nodes with gears, power and times, and how they wait for each other.

    Problems do not change. Make one by `Problem.load`, `Problem.of` or `Problem.parse`.
    """

    def __init__(self, native: _hypermile.Problem, source: _hypermile.Source) -> None:
        self._native = native
        self._source = source

    @classmethod
    def load(cls, file: Path, *, energy_model: str = "") -> "Problem":
        """The problem in a file that `hypermile select PROBLEM.json` takes.

        `energy_model`: "homogeneous" or "rauber", of a homogeneous cluster; without it that of the file.
        Raises Error if it cannot be read or understood, ValueError for another energy model.
        """
        native = _hypermile.parse_problem(_hypermile.read_text_file(path(file)), path(file))
        return cls._made(native, energy_model, problem=path(file))

    @classmethod
    def parse(cls, problem: Union[str, Mapping[str, Any]], *, energy_model: str = "") -> "Problem":
        """The same from the text of such a file, or from what json.loads makes of it."""
        content = problem if isinstance(problem, str) else json.dumps(problem)
        return cls._made(_hypermile.parse_problem(content, "problem"), energy_model)

    @classmethod
    def of(
        cls, platform: Union[Platform, Path], workload: Union[Workload, Path], *, energy_model: str = ""
    ) -> "Problem":
        """A program with this workload on a platform.

        `platform`: one, or its name or file. `workload`: one, or a file that `hypermile select
        --workload` takes. Raises Error for files that cannot be read or understood, times that are
        negative or no numbers, and a platform with other nodes than the workload.
        """
        if not isinstance(platform, Platform):
            platform = Platform.load(platform)
        if isinstance(workload, Workload):
            content, file, source = workload.to_json(), "workload", ""
        else:
            file = source = path(workload)
            content = _hypermile.read_text_file(file)
        native = _hypermile.parse_workload(content, file, platform._native)
        return cls._made(native, energy_model, platform=platform._source, workload=source)

    @classmethod
    def _made(cls, native: _hypermile.Problem, energy_model: str, **source: str) -> "Problem":
        if energy_model:
            native = native.with_energy_model(text(energy_model, "energy_model"))
        return cls(native, _hypermile.Source(**source, energy_model=energy_model))

    @property
    def model(self) -> str:
        """How its nodes wait for each other, and which equations predict (docs/selection.md)."""
        return self._native.model

    @property
    def nodes(self) -> int:
        """How many nodes it has."""
        return self._native.node_count

    @property
    def baseline_time_s(self) -> float:
        """Seconds of one iteration in gear 0."""
        return self._native.baseline[0]

    @property
    def baseline_energy_j(self) -> float:
        """Joules of one iteration in gear 0."""
        return self._native.baseline[1]

    def frequencies_ghz(self, node: int) -> list[float]:
        """GHz of each gear of a node, from 0 on. Raises IndexError for a node that there is not."""
        return self._native.frequencies_ghz(node)

    def predict(self, gears: Sequence[int]) -> Prediction:
        """Time and energy of one iteration with a gear for each node.

        Raises ValueError for another number of gears than nodes, and for gears that a node does not have.
        """
        return Prediction(**self._native.predict(whole_numbers(gears, "gears")))

    def __repr__(self) -> str:
        return (
            f"<hypermile.Problem: model {self.model}, {self.nodes} nodes; one iteration in gear 0: "
            f"{self.baseline_time_s:.6g} s, {self.baseline_energy_j:.6g} J>"
        )
