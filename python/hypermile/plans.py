"""Selections: plans, and the Pareto front of time and energy."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Optional, Union, overload

from . import _hypermile, arguments
from .arguments import Number, Path
from .errors import Error, need
from .platforms import Platform
from .problems import Prediction, Problem, Workload
from .tables import frame, html_table
from .timelines import Forecast, Recording

ProblemLike = Union[Problem, Platform, Mapping[str, Any], Path]


@dataclass(frozen=True)
class Plan(Prediction):
    """A choice of a gear for every node, what is predicted of it, and what is proven.

    Besides the attributes of Prediction:

    Attributes:
        gears: by node; 0 is the fastest.
        frequencies_ghz: of these gears; None where nobody knows it.
        model: which equations predict ("dependency" for a run).
        method: how it was chosen.
        objective: what was optimised.
        feasible: whether it keeps all bounds. If not, `violations` tells, and the plan of a method that
            keeps bounds is the nearest.
        violations: for each bound that is not kept its name, `limit` and `reached`.
        optimal: True: no plan is better, proven.
        gap: no plan is better by more than this, in the objective's unit; None: nothing is proven.
        theorem: what proves it (docs/selection.md); empty without a proof.
    """

    gears: tuple[int, ...]
    frequencies_ghz: tuple[Optional[float], ...]
    model: str
    method: str
    objective: str
    feasible: bool
    violations: tuple[Mapping[str, Any], ...] = field(hash=False)
    optimal: bool
    gap: Optional[float]
    theorem: str
    _data: Mapping[str, Any] = field(repr=False, compare=False)

    @classmethod
    def parse(cls, text: str, file: str = "plan") -> "Plan":
        """The plan that `hypermile select --json` prints, hypermile/plan/1. `file` is used in messages only.

        Raises Error for anything else.
        """
        data = _object(text, "hypermile/plan/1", file)
        try:
            certificate = data["certificate"]
            return cls(
                **{key: data[key] for key in ("time_s", "energy_j", "p_norm", "e_norm", "distance")},
                **{key: data[key] for key in ("model", "method", "objective", "feasible")},
                gears=tuple(data["gears"]),
                frequencies_ghz=tuple(data["frequencies_ghz"]),
                violations=tuple(data["violations"]),
                optimal=certificate["kind"] == "exact",
                gap=certificate["gap"],
                theorem=certificate["theorem"] or "",
                _data=data,
            )
        except (KeyError, TypeError) as error:
            raise Error(f"{file}: this is no whole plan: {error}") from error

    def to_dict(self) -> dict[str, Any]:
        """What `hypermile select --json` prints: hypermile/plan/1 (docs/selection.md)."""
        return json.loads(json.dumps(self._data))

    def save(self, file: Path) -> None:
        """Writes it as `hypermile simulate --plan` and `hypermile explain` read it. Raises OSError."""
        with open(file, "w", encoding="utf-8") as output:
            output.write(json.dumps(self._data, indent=1) + "\n")

    def to_pandas(self) -> Any:
        """A pandas.DataFrame with a row per node: node, gear, frequency_ghz. Raises ImportError without
        pandas."""
        return frame(self._rows(), columns=_node_columns)

    def _rows(self) -> list[tuple[Any, ...]]:
        return [(node, *row) for node, row in enumerate(zip(self.gears, self.frequencies_ghz))]

    def _summary(self) -> str:
        proof = "optimal" if self.optimal else "nothing is proven" if self.gap is None else f"gap {self.gap:.3g}"
        return (
            f"{self.time_s:.6g} s ({self.slowdown * 100:+.2f} %), {self.energy_j:.6g} J "
            f"({-self.saving * 100:+.2f} %), distance {self.distance * 100:.2f}, {proof}"
            f"{'' if self.feasible else ', breaks a bound'}"
        )

    def __repr__(self) -> str:
        return f"<hypermile.Plan by {self.method}: {self._summary()}>"

    def _repr_html_(self) -> str:
        shown = self._rows()[:_most_rows]
        more = f"; the first {_most_rows} of {len(self.gears)} nodes" if len(self.gears) > _most_rows else ""
        return html_table(f"{self.method}: {self._summary()}{more}", _node_columns, shown)


_node_columns = ["node", "gear", "frequency_ghz"]
_most_rows = 40


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
        data = _object(text, "hypermile/front/1", "front")
        self._data = data
        self._points = [
            FrontPoint(**{**point, "gears": tuple(point["gears"]) if "gears" in point else None})
            for point in data["points"]
        ]

    @property
    def exact(self) -> bool:
        """True: all of the front. False: its convex hull only."""
        return self._data["certificate"]["kind"] == "exact"

    def to_dict(self) -> dict[str, Any]:
        """What `hypermile select --pareto --json` prints: hypermile/front/1 (docs/selection.md)."""
        return json.loads(json.dumps(self._data))

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
        step = max(1, -(-len(self) // _most_rows))
        shown = self._points[::step]
        caption = repr(self)[1:-1] + (f"; one in {step} shown" if step > 1 else "")
        rows = [[getattr(point, name) for name in _point_columns] for point in shown]
        return html_table(caption, _point_columns, rows)


def _draw(ax: Any, points: Sequence[Prediction], style: str, label: str) -> None:
    slowdown = [point.slowdown * 100 for point in points]
    ax.plot(slowdown, [point.saving * 100 for point in points], style, label=label)


def _object(text: str, schema: str, file: str) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except ValueError as error:
        raise Error(f"{file}: this is no JSON: {error}") from error
    if not isinstance(data, dict) or data.get("schema") != schema:
        raise Error(f"{file}: this is not of the schema '{schema}'")
    return data


def _problem(
    subject: ProblemLike, workload: Union[Workload, Path, None], energy_model: str
) -> Problem:
    if workload is not None:
        if isinstance(subject, (Problem, Mapping)):
            raise TypeError("workload: a problem has its own; give a platform with a workload")
        return Problem.of(subject, workload, energy_model=energy_model)
    if isinstance(subject, Platform):
        raise TypeError("workload: a platform needs one")
    if isinstance(subject, Problem):
        if energy_model:
            return Problem._made(subject._native, energy_model)
        return subject
    if isinstance(subject, Mapping):
        return Problem.parse(subject, energy_model=energy_model)
    return Problem.load(subject, energy_model=energy_model)


def methods() -> dict[str, str]:
    """The methods of select(), and what each is."""
    return dict(_hypermile.methods())


def objectives() -> dict[str, str]:
    """The objectives of select(), and what each is."""
    return dict(_hypermile.objectives())


def select(
    subject: Union[ProblemLike, Forecast, Recording],
    workload: Union[Workload, Path, None] = None,
    *,
    method: str = "exact",
    objective: str = "maxdist",
    weight: Optional[Number] = None,
    max_slowdown: Union[Number, str, None] = None,
    energy_budget: Union[Number, str, None] = None,
    power_cap: Union[Number, str, Sequence[str], None] = None,
    energy_model: str = "",
) -> Plan:
    """A gear for every node: the same plan as `hypermile select` chooses.

    Args:
        subject: a Platform, or its name or file, with a workload; or a problem: one, its file, or what
            json.loads makes of that; or a Forecast of a run; or a Recording.
        workload: a Workload or its file, with a platform.
        method: "exact" (the optimum), or an algorithm of the literature such as "alg5" or "slack".
            Of runs only "exact".
        objective: "maxdist", "edp", "ed2p", "edp48", "energy" or "time".
        weight: maxdist only: maximise w * p_norm - (1 - w) * e_norm, from 0 to 1.
        max_slowdown: most time against gear 0: 0.05 or "5%", from 0. A number from 1 on is refused, as
            on the command line: 5 is hardly ever meant as 500 %.
        energy_budget: most energy in joules, from 0, or a text such as "500J".
        power_cap: most average power in watts, from 0, or a text: "2kW"; or "peak:2kW", most power while
            all nodes compute; or a list with both.
        energy_model: of a homogeneous cluster: "homogeneous" or "rauber".

    A plan that breaks a bound is returned, too: see Plan.feasible. A Recording is simulated first, by the
    command `hypermile`, which has to be on PATH.

    Ctrl-C ends it. Raises Error as the command line does, ValueError for arguments that it refuses, and
    TypeError.
    """
    asked = arguments.request(method, objective, weight, max_slowdown, energy_budget, power_cap)
    if isinstance(subject, (Forecast, Recording)):
        if workload is not None or energy_model:
            raise TypeError("workload and energy_model are for problems; a run brings its own times")
        if method != "exact":
            raise Error(
                "only 'exact' knows who waits for whom, so only it chooses gears for a run; try: "
                "without method",
                "unsupported",
            )
        if isinstance(subject, Forecast):
            return Plan.parse(subject._native.choose(asked, _hypermile.Source(platform=subject._platform)))
        return Plan.parse(subject._select(objective, weight, max_slowdown, energy_budget, power_cap))
    problem = _problem(subject, workload, energy_model)
    return Plan.parse(problem._native.choose(asked, problem._source))


def front(
    subject: ProblemLike, workload: Union[Workload, Path, None] = None, *, energy_model: str = ""
) -> Front:
    """The Pareto front of time and energy of a problem, as `hypermile select --pareto` finds it: exactly.

    `subject`, `workload`, `energy_model`: as those of select(); there is no front of a run. Ctrl-C ends
    it. Raises Error, ValueError and TypeError as select() does.
    """
    if isinstance(subject, (Forecast, Recording)):
        raise Error(
            "there is no Pareto front of a run; try: objective with max_slowdown or energy_budget",
            "unsupported",
        )
    problem = _problem(subject, workload, energy_model)
    return Front(problem._native.front())
