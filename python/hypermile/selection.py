"""What chooses gears."""

from collections.abc import Mapping, Sequence
from typing import Any, Optional, Union

from . import _hypermile, arguments
from .arguments import Number, Path
from .errors import Error
from .fronts import Front
from .plans import Plan
from .platforms import Platform
from .problems import Problem, Workload
from .timelines import Forecast, Recording

ProblemLike = Union[Problem, Platform, Mapping[str, Any], Path]


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
