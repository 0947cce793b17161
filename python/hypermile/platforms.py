"""Platforms: the machines, with gears and power."""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path as _Path
from typing import Any, Optional

from . import _hypermile
from .arguments import Number, Path, number, numbers, path, words
from .tables import frame, html_table

_folder = str(_Path(__file__).parent / "platforms")


@dataclass(frozen=True)
class NodeType:
    """A kind of node: what is the same for all nodes of that kind.

    Attributes:
        name: the name.
        frequencies_ghz: GHz by gear, fastest first; None where only the speeds of gears are known. With
            power_limits_w those at which arithmetic is as fast; nobody sets them.
        computing_w: watts of a whole node by gear while all its cores compute, from 0.
        waiting_w: the same while its ranks wait in MPI.
        idle_w: the same without a rank.
        count: nodes of this type, from 1; its share if the platform is scalable.
        cores: cores of a node, from 1.
        speed_gf: speed of a core in gear 0, in the platform's own unit.
        site: where the nodes are; empty: the platform has one site.
        hosts: names of real hosts of this type, as patterns of a shell.
        power_limits_w: watts of each processor by gear, descending; None: gears are no power limits.
        uncore_ghz: GHz by gear, what is beside the cores runs at most; None: gears leave it alone.
    """

    name: str
    frequencies_ghz: Optional[Sequence[float]]
    computing_w: Sequence[float]
    waiting_w: Sequence[float]
    idle_w: Sequence[float]
    count: int = 1
    cores: int = 1
    speed_gf: float = 1.0
    site: str = ""
    hosts: Sequence[str] = ()
    power_limits_w: Optional[Sequence[float]] = None
    uncore_ghz: Optional[Sequence[float]] = None

    @classmethod
    def cubic(
        cls, name: str, frequencies_ghz: Iterable[Number], dynamic_w: Number, static_w: Number, **others: Any
    ) -> "NodeType":
        """A type from the two powers that the literature gives.

        Computing draws static_w + dynamic_w / S^3 watts in a gear with S = fastest / frequency; waiting
        and idle draw static_w. Both are from 0. `others` are further attributes, such as count.

        Raises TypeError for what are no numbers.
        """
        ghz = numbers(frequencies_ghz, "frequencies_ghz")
        dynamic, static = number(dynamic_w, "dynamic_w"), number(static_w, "static_w")
        computing = [static + dynamic / (ghz[0] / f) ** 3 if f else math.nan for f in ghz]
        return cls(name, ghz, computing, [static] * len(ghz), [static] * len(ghz), **others)


class Platform:
    """The machines of a program: types of nodes with their gears and power, and a network.

    Platforms do not change. Make one by `Platform.load`, `Platform.parse` or `Platform.of`.
    """

    def __init__(self, native: _hypermile.Platform, source: str = "") -> None:
        self._native = native
        self._source = source

    @classmethod
    def load(cls, name: Path) -> "Platform":
        """The bundled platform of this name, or the one in a file (docs/platform.md).

        Raises Error if there is none, or if the file cannot be read or understood.
        """
        return cls(_hypermile.load_platform(path(name), _folder), path(name))

    @classmethod
    def parse(cls, text: str, file: str = "platform") -> "Platform":
        """A platform in YAML, hypermile/platform/1. `file` is used in messages only.

        Raises Error for what is not understood.
        """
        return cls(_hypermile.parse_platform(text, file, _folder))

    @classmethod
    def of(
        cls,
        types: Iterable[NodeType],
        *,
        name: str = "platform",
        description: str = "made in Python",
        scalable: bool = False,
        network: Optional[Mapping[str, Any]] = None,
    ) -> "Platform":
        """A platform of these types of nodes.

        `scalable`: it has as many nodes as are asked for, in the proportion of the counts. `network`: as
        in a platform file; without it, links of 1 Gbit/s and 50 microseconds. Selections do not use it.

        Raises Error for figures that make no sense (a power that is negative or not a number, gears that
        are not fastest first), with the text of a platform file.
        """
        data = {
            "schema": "hypermile/platform/1",
            "name": name,
            "description": description,
            "scalable": "yes" if scalable else "no",
            "types": [_type_data(kind, scalable) for kind in types],
            "network": network or {"link": {"bandwidth": "1Gbps", "latency": "50us"}},
        }
        return cls.parse(json.dumps(data, ensure_ascii=False), name)

    @property
    def name(self) -> str:
        """Its name."""
        return self._native.name

    @property
    def description(self) -> str:
        """What it is, in a sentence."""
        return self._native.description

    @property
    def scalable(self) -> bool:
        """True: as many nodes as are asked for, in the proportion of the counts."""
        return self._native.scalable

    @property
    def types(self) -> list[NodeType]:
        """Its types of nodes."""
        return [NodeType(**figures) for figures in self._native.types()]

    def to_yaml(self) -> str:
        """The platform with all figures written out, as a platform file has it."""
        return self._native.text()

    def to_pandas(self) -> Any:
        """A pandas.DataFrame with a row for each gear of each type.

        Columns: type, gear, frequency_ghz (None where it is not known, or not what the gear is),
        power_limit_w and uncore_ghz (None where gears do not set them), computing_w, waiting_w, idle_w.
        Raises ImportError without pandas.
        """
        return frame(self._gear_rows(), columns=_gear_columns)

    def _gear_rows(self) -> list[tuple[Any, ...]]:
        rows: list[tuple[Any, ...]] = []
        for kind in self.types:
            unknown: list[Optional[float]] = [None] * len(kind.computing_w)
            limits: Sequence[Optional[float]] = kind.power_limits_w or unknown
            frequencies: Sequence[Optional[float]] = unknown if kind.power_limits_w else kind.frequencies_ghz or unknown
            uncore: Sequence[Optional[float]] = kind.uncore_ghz or unknown
            figures = zip(frequencies, limits, uncore, kind.computing_w, kind.waiting_w, kind.idle_w)
            rows.extend((kind.name, gear, *row) for gear, row in enumerate(figures))
        return rows

    def __repr__(self) -> str:
        kinds = ", ".join(f"{kind.count} x {kind.name}" for kind in self.types)
        return f"<hypermile.Platform {self.name!r}: {kinds}{', scalable' if self.scalable else ''}>"

    def _repr_html_(self) -> str:
        return html_table(f"{self.name}: {self.description}", _gear_columns, self._gear_rows())


_gear_columns = ["type", "gear", "frequency_ghz", "power_limit_w", "uncore_ghz", "computing_w", "waiting_w", "idle_w"]


def _type_data(kind: NodeType, scalable: bool) -> dict[str, Any]:
    if not isinstance(kind, NodeType):
        raise TypeError(f"types: a NodeType is needed, and not {type(kind).__name__}")

    def quantities(values: Iterable[Any], attribute: str, unit: str) -> list[Optional[str]]:
        return [words(value, attribute, unit) for value in numbers(values, attribute)]

    data: dict[str, Any] = {
        "name": kind.name,
        "share" if scalable else "count": kind.count,
        "cores": kind.cores,
        "speed": words(kind.speed_gf, "speed_gf", "Gf"),
        "gears": quantities(kind.frequencies_ghz or [], "frequencies_ghz", "GHz"),
        "power": {
            "computing": quantities(kind.computing_w, "computing_w", "W"),
            "waiting": quantities(kind.waiting_w, "waiting_w", "W"),
            "idle": quantities(kind.idle_w, "idle_w", "W"),
        },
    }
    if kind.site:
        data["site"] = kind.site
    if kind.hosts:
        data["hosts"] = list(kind.hosts)
    if kind.power_limits_w is not None:
        data["power_limits"] = quantities(kind.power_limits_w, "power_limits_w", "W")
    if kind.uncore_ghz is not None:
        data["uncore"] = quantities(kind.uncore_ghz, "uncore_ghz", "GHz")
    return data


def platforms() -> list[str]:
    """Names of the bundled platforms, sorted."""
    return list(_hypermile.bundled_platforms(_folder))
