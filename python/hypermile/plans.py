"""Plans: a gear for every node."""

import copy
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Optional

from .arguments import Path
from .errors import Error
from .problems import Prediction
from .tables import frame, html_table, most_rows, object_of


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
    _data: dict[str, Any] = field(repr=False, compare=False)

    @classmethod
    def parse(cls, text: str, file: str = "plan") -> "Plan":
        """The plan that `hypermile select --json` prints, hypermile/plan/1. `file` is used in messages only.

        Raises Error for anything else.
        """
        data = object_of(text, "hypermile/plan/1", file)
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
        return copy.deepcopy(self._data)

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
        shown = self._rows()[:most_rows]
        more = f"; the first {most_rows} of {len(self.gears)} nodes" if len(self.gears) > most_rows else ""
        return html_table(f"{self.method}: {self._summary()}{more}", _node_columns, shown)


_node_columns = ["node", "gear", "frequency_ghz"]
