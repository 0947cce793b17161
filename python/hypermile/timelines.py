"""Timelines of runs, and forecasts of the same runs in other gears."""

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from typing import Any, Optional, Union

from . import _hypermile
from .arguments import Path, path, whole_numbers, words
from .errors import Error, need
from .platforms import Platform
from .problems import Prediction
from .tables import frame


def _calls(columns: Mapping[str, Any]) -> Any:
    """Columns of numbers as a pandas.DataFrame."""
    numpy, pandas = need("numpy", "a data frame"), need("pandas", "a data frame")
    table = {
        name: numpy.frombuffer(values, dtype="f8" if name.endswith("_s") else "i8")
        for name, values in columns.items()
        if name != "functions"
    }
    function = pandas.Categorical.from_codes(table["function"], categories=columns["functions"])
    return pandas.DataFrame({**table, "function": function})


class Timeline:
    """What every rank of a run did in MPI, and when.

    `hypermile simulate --report FOLDER` keeps one of each run: FOLDER/unscaled.timeline.txt is that in
    gear 0. It does not change.
    """

    def __init__(self, native: _hypermile.Timeline) -> None:
        self._native = native

    @classmethod
    def load(cls, file: Path) -> "Timeline":
        """The timeline in a file, hypermile/timeline/1. Raises Error if it cannot be read or understood."""
        return cls(_hypermile.read_timeline(path(file)))

    @property
    def ranks(self) -> int:
        """How many ranks the run had."""
        return self._native.rank_count

    @property
    def functions(self) -> list[str]:
        """Names of the MPI functions that were called, without "MPI_"."""
        return self._native.functions

    @property
    def complete(self) -> bool:
        """Whether all calls are there. Else there is no forecast."""
        return self._native.complete

    def rank_table(self) -> Any:
        """A pandas.DataFrame with a row per rank. Raises ImportError without pandas.

        Columns: rank, begin_s and end_s, calls, computing_s, and mpi_s, the time inside MPI, waiting
        included; all in seconds, as they passed.
        """
        return frame(self._native.ranks())

    def to_pandas(self) -> Any:
        """A pandas.DataFrame with a row per MPI call, rank by rank. Raises ImportError without pandas.

        Columns: rank, function, partner (a rank; the root of a collective call; -1: nobody), bytes (sent,
        or contributed by this rank), entered_s and left_s.
        """
        return _calls(self._native.calls())

    def forecast(self, platform: Union[Platform, Path], *, ranks_per_node: int = 0) -> "Forecast":
        """What the run will take in other gears of this platform, on which it took place in gear 0.

        Ranks are placed core by core, in the platform's order; a node has at most `ranks_per_node`, from
        1, or 0: one per core. It is taken for unknown how messages travel, as far as the timeline does not
        show it; Results.forecast() of a folder knows it. Raises Error for a platform with too few cores,
        and for a timeline that is not complete.
        """
        if not isinstance(platform, Platform):
            platform = Platform.load(platform)
        most = whole_numbers([ranks_per_node], "ranks_per_node")[0]
        native = _hypermile.forecast_on_platform(self._native, platform._native, most)
        return Forecast(native, platform._source or platform.name)

    def __repr__(self) -> str:
        return f"<hypermile.Timeline of {self.ranks} ranks{'' if self.complete else ', incomplete'}>"


class Forecast:
    """What a run in gear 0 will take in other gears, by who waits for whom in it.

    This is the dependency model (docs/selection.md), which `hypermile explain` uses. A message takes as
    long as in the run; links that saturate are not seen. `hypermile.select(forecast, ...)` chooses gears.

    Made by Results.forecast() and Timeline.forecast().
    """

    def __init__(self, native: _hypermile.Forecast, platform: str) -> None:
        self._native = native
        self._platform = platform

    @property
    def nodes(self) -> list[dict[str, Any]]:
        """For each node `name`, `type`, its `ranks`, and `frequencies_ghz` by gear (None: not known)."""
        return self._native.nodes()

    @property
    def baseline_time_s(self) -> float:
        """Seconds of the run in gear 0."""
        return self._native.baseline[0]

    @property
    def baseline_energy_j(self) -> float:
        """Joules of all nodes meanwhile."""
        return self._native.baseline[1]

    def predict(self, gears: Sequence[int]) -> Prediction:
        """Time and energy of the run with a gear for each node, from its begin to its end.

        Raises ValueError for another number of gears than nodes, and for gears that a node does not have.
        """
        return Prediction(**self._native.predict(whole_numbers(gears, "gears")))

    def rank_table(self, gears: Optional[Sequence[int]] = None) -> Any:
        """What the ranks do in these gears; None: all in gear 0. Raises as predict(), and ImportError
        without pandas.

        A pandas.DataFrame with a row per rank. Columns: rank; computing_s, messages_s (what messages and
        calls cost that it waited for) and waiting_s (for others), which are together the run; slack_s:
        by how much what it computes can be late before the run takes longer, in the median.
        """
        return frame(self._native.ranks(self._gears(gears)))

    def to_pandas(self, gears: Optional[Sequence[int]] = None) -> Any:
        """The MPI calls of the run in these gears, as Timeline.to_pandas(); None: all in gear 0. Raises as
        rank_table()."""
        return _calls(self._native.calls(self._gears(gears)))

    def _gears(self, gears: Optional[Sequence[int]]) -> list[int]:
        return [0] * len(self.nodes) if gears is None else whole_numbers(gears, "gears")

    def __repr__(self) -> str:
        return (
            f"<hypermile.Forecast of a run on {len(self.nodes)} nodes: {self.baseline_time_s:.6g} s, "
            f"{self.baseline_energy_j:.6g} J in gear 0>"
        )


class Recording:
    """A run that `hypermile record`, `run --record` or `trace import` has kept: calls and computation.

    When a call was entered and left is not part of it: that comes from a simulation.
    `hypermile.select(recording, ...)` lets the command `hypermile` do that.
    """

    def __init__(self, native: _hypermile.RecordedRun, file: str) -> None:
        self._native = native
        self._file = file

    @classmethod
    def load(cls, file: Path) -> "Recording":
        """The recorded run in a file. Raises Error if it cannot be read, is damaged or of another version."""
        return cls(_hypermile.read_recorded_run(path(file)), path(file))

    @property
    def program(self) -> str:
        """The program with its arguments."""
        return self._native.program

    @property
    def platform(self) -> str:
        """Name or file of the platform that it ran on; empty: nobody knows how fast its nodes are."""
        return self._native.platform

    @property
    def nodes(self) -> list[str]:
        """The node of each rank."""
        return self._native.nodes

    @property
    def not_repeatable(self) -> str:
        """Why it cannot be repeated; empty: it can."""
        return self._native.not_repeatable

    @property
    def remarks(self) -> list[str]:
        """What will be otherwise in a repetition, a sentence each."""
        return self._native.remarks

    def rank_table(self) -> Any:
        """A pandas.DataFrame with a row per rank: rank, node, events, and computation_s, its seconds of
        computation in gear 0. Raises ImportError without pandas."""
        return frame(self._native.ranks())

    def to_pandas(self) -> Any:
        """A pandas.DataFrame with a row per MPI call: rank, function, partner, bytes as those of a
        Timeline, and computation_s, what was computed before it. Raises ImportError without pandas."""
        return _calls(self._native.calls())

    def _select(self, objective: str, weight: Any, max_slowdown: Any, energy: Any, power_cap: Any) -> str:
        command = ["select", self._file, "--quiet", "--json", "--objective", objective]
        caps = power_cap if isinstance(power_cap, (list, tuple)) else [power_cap]
        options = [
            ("--weight", words(weight, "weight")),
            ("--max-slowdown", words(max_slowdown, "max_slowdown")),
            ("--energy-budget", words(energy, "energy_budget", "J")),
            *(("--power-cap", words(cap, "power_cap", "W")) for cap in caps),
        ]
        for option, value in options:
            if value is not None:
                command += [option, value]
        return _output_of(command)

    def __repr__(self) -> str:
        return f"<hypermile.Recording of {self.program!r}, {len(self.nodes)} ranks>"


_infeasible = 3


def _output_of(arguments: list[str]) -> str:
    """What the command prints. Raises Error with its own text."""
    command = shutil.which("hypermile")
    if command is None:
        raise Error(
            "a recorded run is simulated by the command hypermile, which is not on PATH; try: install it "
            "with SimGrid, or add its folder to PATH",
            "unsupported",
        )
    ended = subprocess.run([command, *arguments], capture_output=True, text=True, env=dict(os.environ))
    if ended.returncode not in (0, _infeasible):
        raise Error(ended.stderr.strip().removeprefix("hypermile: error: "))
    return ended.stdout
