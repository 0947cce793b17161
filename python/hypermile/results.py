"""What commands leave: folders of reports, and files."""

import json
import os
from collections.abc import Mapping
from typing import Any, Optional, Union

from . import _hypermile
from .arguments import Path, path
from .errors import Error, need
from .plans import Plan
from .tables import frame
from .timelines import Forecast, Recording, Timeline

_main_tables = {
    "hypermile/run/1": "nodes",
    "hypermile/simulation/1": "runs",
    "hypermile/sweep/1": "rows",
    "hypermile/front/1": "points",
    "hypermile/steer-timeline/1": "samples",
    "hypermile/steer-evaluation/1": "cases",
}
_reports = ("run.json", "simulation.json")
_cell_schema = "hypermile/sweep-cell/1"
_advice = (
    "a folder that one of these has left: 'hypermile run --report FOLDER -- COMMAND', 'hypermile simulate "
    "--report FOLDER ... -- PROGRAM', 'hypermile sweep STUDY.yaml'"
)


class Results:
    """What a command of hypermile has found: its JSON, and tables of it. Made by read().

    Attributes:
        schema: what it is, such as "hypermile/run/1"; the pages in docs/ say what the keys mean.
        data: the JSON as dictionaries and lists.
        folder: the folder that it is from; empty: a file.
    """

    def __init__(self, data: Mapping[str, Any], folder: str = "") -> None:
        self.schema: str = data["schema"]
        self.data: dict[str, Any] = dict(data)
        self.folder = folder

    @property
    def tables(self) -> list[str]:
        """Names of the tables that to_pandas() knows: keys with lists of objects."""
        return [name for name, value in self.data.items() if _is_table(value)]

    def to_pandas(self, table: Optional[str] = None) -> Any:
        """A table as a pandas.DataFrame: a row per object, a column per key.

        Keys of keys are joined by a dot ("predicted.time_s"). Without a name: nodes of a run, runs of a
        simulation, a row per cell and method of a sweep, samples of a timeline of steer; else one row with
        the numbers and texts of the JSON.

        Raises ValueError for a table that there is not, and ImportError without pandas.
        """
        wanted = table or _main_tables.get(self.schema)
        if wanted is None:
            return frame([{k: v for k, v in self.data.items() if not isinstance(v, (list, dict))}])
        if wanted not in self.tables and not (table is None and wanted in self.data):
            raise ValueError(f"table: there is no table '{wanted}'; try: {', '.join(self.tables)}")
        return need("pandas", "a data frame").json_normalize(self.data[wanted])

    def timeline(self, run: str = "unscaled") -> Timeline:
        """The timeline of a run of a simulation: "unscaled", "exact", "gears-1" and so on.

        Raises Error if the folder has none of this run.
        """
        name = "unscaled" if run == "none" else run
        return Timeline.load(os.path.join(self._simulated(), f"{name}.timeline.txt"))

    def forecast(self) -> Forecast:
        """What the simulated run will take in other gears, by its timeline in gear 0.

        Only the version of hypermile that has left the folder reads its reports. Raises Error for a folder
        that is of no simulation, or of another version, and for a timeline that is not complete.
        """
        report = os.path.join(self._simulated(), "none.run")
        native = _hypermile.forecast_of_run(self.timeline()._native, report)
        return Forecast(native, self.data["platform"])

    def _simulated(self) -> str:
        if not self.folder or self.schema != "hypermile/simulation/1":
            raise Error(
                "only a folder that 'hypermile simulate --report' has left has timelines; try: read() such "
                "a folder",
                "unsupported",
            )
        return self.folder

    def __repr__(self) -> str:
        source = f" in {self.folder}" if self.folder else ""
        return f"<hypermile.Results: {self.schema}{source}, tables {', '.join(self.tables) or 'none'}>"


def _is_table(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(row, dict) for row in value)


def read(source: Path) -> Union[Results, Plan, Timeline, Recording]:
    """What a command of hypermile has left.

    A folder of `run --report`, `simulate --report` or `sweep` makes Results. So does a file with the JSON
    of any command, but a plan makes a Plan. A file of a timeline (`RUN.timeline.txt`) makes a Timeline,
    and one of a recorded run a Recording.

    Raises Error for what cannot be read or understood.
    """
    name = path(source)
    if os.path.isdir(name):
        return _read_folder(name)
    if _hypermile.is_recorded_run(name):
        return Recording.load(name)
    if name.endswith(".timeline.txt"):
        return Timeline.load(name)
    data = _json_of(name)
    if data["schema"] == "hypermile/plan/1":
        return Plan.parse(json.dumps(data), name)
    return Results(data)


def _json_of(name: str) -> dict[str, Any]:
    text = _hypermile.read_text_file(name)
    try:
        data = json.loads(text)
    except ValueError as error:
        raise Error(f"{name}: this is no JSON: {error}") from error
    if not isinstance(data, dict) or not str(data.get("schema", "")).startswith("hypermile/"):
        raise Error(f"{name}: this is no JSON of hypermile: it names no schema of that")
    return data


def _read_folder(folder: str) -> Results:
    there = [name for name in _reports if os.path.exists(os.path.join(folder, name))]
    if len(there) > 1:
        raise Error(
            f"{folder} has the reports of two commands, {there[0]} and {there[1]}; try: a folder for each"
        )
    if there:
        return Results(_json_of(os.path.join(folder, there[0])), folder)
    cells = _newest_cells(folder)
    if not cells:
        raise Error(
            f"{folder} has neither {_reports[0]} nor {_reports[1]} nor cells of a study; try: {_advice}"
        )
    rows = [row for cell in cells for row in _rows_of(cell)]
    return Results({"schema": "hypermile/sweep/1", "rows": rows}, folder)


_cell_keys = ("program", "class", "ranks", "platform", "repetition")


def _newest_cells(folder: str) -> list[dict[str, Any]]:
    """Where the study has changed there are several files of a cell."""
    newest: dict[tuple[Any, ...], tuple[float, dict[str, Any]]] = {}
    for name in sorted(os.listdir(folder)):
        file = os.path.join(folder, name)
        if not name.endswith(".json") or not os.path.isfile(file):
            continue
        data = _json_of(file)
        if data["schema"] != _cell_schema:
            continue
        key = tuple(data[part] for part in _cell_keys)
        written = os.stat(file).st_mtime
        if key not in newest or written > newest[key][0]:
            newest[key] = (written, data)
    return [data for _, data in newest.values()]


def _rows_of(cell: Mapping[str, Any]) -> list[dict[str, Any]]:
    """As the rows of hypermile/sweep/1."""
    what = {key: cell[key] for key in (*_cell_keys, "status", "reason")}
    runs = cell["simulation"]["runs"] if cell["simulation"] else []
    columns = ("method", "time_s", "energy_j", "slowdown_percent", "saving_percent", "distance_points", "gears")
    return [{**what, **{key: run.get(key) for key in columns}} for run in runs] or [
        {**what, **dict.fromkeys(columns)}
    ]
