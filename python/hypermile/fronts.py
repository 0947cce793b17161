"""The Pareto front of time and energy."""

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Optional, Union, overload

from .errors import need
from .plans import Plan
from .problems import Prediction
from .tables import frame, html_table, most_rows, object_of


@dataclass(frozen=True)
class FrontPoint(Prediction):
    """A point of a Pareto front: no gears are at least as good in time and energy, and better in one.

    Besides the attributes of Prediction:

    Attributes:
        gears: by node; None where the front is too large to list them.
    """

    gears: Optional[tuple[int, ...]] = None


_point_columns = ["time_s", "energy_j", "slowdown", "saving", "distance"]


class Front(Sequence[FrontPoint]):
    """The Pareto front of time against energy, by ascending time: a sequence of FrontPoint.

    It is computed exactly. Only where it is too large to be listed, `exact` is False, and the points are
    those of its convex hull.
    """

    def __init__(self, text: str) -> None:
        data = object_of(text, "hypermile/front/1", "front")
        self._data = data
        self._points = [
            FrontPoint(**{key: tuple(value) if key == "gears" else value for key, value in point.items()})
            for point in data["points"]
        ]

    @property
    def exact(self) -> bool:
        """True: all of the front. False: its convex hull only."""
        return bool(self._data["certificate"]["kind"] == "exact")

    def to_dict(self) -> dict[str, Any]:
        """What `hypermile select --pareto --json` prints: hypermile/front/1 (docs/selection.md)."""
        return copy.deepcopy(self._data)

    @overload
    def __getitem__(self, index: int) -> FrontPoint: ...

    @overload
    def __getitem__(self, index: slice) -> list[FrontPoint]: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[FrontPoint, list[FrontPoint]]:
        return self._points[index]

    def __len__(self) -> int:
        return len(self._points)

    def __iter__(self) -> Iterator[FrontPoint]:
        return iter(self._points)

    def to_pandas(self) -> Any:
        """A pandas.DataFrame with a row per point.

        Columns: time_s, energy_j, slowdown and saving (parts of 1, against gear 0), distance, and gears
        where they are listed. Raises ImportError without pandas.
        """
        rows = [[getattr(point, name) for name in _point_columns] for point in self._points]
        table = frame(rows, columns=_point_columns)
        if self._data["gears_listed"]:
            table["gears"] = [list(point.gears or ()) for point in self._points]
        return table

    def plot(self, plans: Union[Plan, Sequence[Plan]] = (), *, ax: Any = None) -> Any:
        """Draws the front, gear 0 and these plans into a matplotlib.axes.Axes, which it returns.

        Slowdown and energy saved are in %. Without `ax`, a new figure. Raises ImportError without
        matplotlib.
        """
        pyplot = need("matplotlib.pyplot", "a plot")
        if ax is None:
            ax = pyplot.subplots()[1]
        label = "Pareto front" if self.exact else "convex hull of the Pareto front"
        _draw(ax, self._points, ".-", label)
        ax.plot([0], [0], "s", color="grey", label="gear 0")
        for plan in [plans] if isinstance(plans, Plan) else plans:
            _draw(ax, [plan], "o", f"{plan.method}, {plan.objective}")
        ax.set_xlabel("slowdown, %")
        ax.set_ylabel("energy saved, %")
        ax.legend()
        return ax

    def __repr__(self) -> str:
        kind = "Pareto front" if self.exact else "convex hull of a Pareto front"
        return f"<hypermile.Front: {kind} of {len(self)} points>"

    def _repr_html_(self) -> str:
        step = max(1, -(-len(self) // most_rows))
        shown = self._points[::step]
        caption = repr(self)[1:-1] + (f"; one in {step} shown" if step > 1 else "")
        rows = [[getattr(point, name) for name in _point_columns] for point in shown]
        return html_table(caption, _point_columns, rows)


def _draw(ax: Any, points: Sequence[Prediction], style: str, label: str) -> None:
    slowdown = [point.slowdown * 100 for point in points]
    ax.plot(slowdown, [point.saving * 100 for point in points], style, label=label)
