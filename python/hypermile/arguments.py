"""Arguments as the words of the command line, which are checked there."""

import os
from collections.abc import Iterable, Sequence
from typing import Any, Optional, Union

from . import _hypermile

Number = Union[int, float]
Path = Union[str, "os.PathLike[str]"]


def number(value: Any, name: str) -> float:
    """As a float. Raises TypeError for what is none; numbers of numpy are."""
    if isinstance(value, (bool, str, bytes)) or not hasattr(value, "__float__"):
        raise TypeError(f"{name}: a number is needed, and not {type(value).__name__}")
    return float(value)


def numbers(values: Iterable[Any], name: str) -> list[float]:
    """As floats. Raises TypeError."""
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise TypeError(f"{name}: a list of numbers is needed, and not {type(values).__name__}")
    return [number(value, f"{name}[{index}]") for index, value in enumerate(values)]


def whole_numbers(values: Iterable[Any], name: str) -> list[int]:
    """As integers from 0. Raises TypeError or ValueError."""
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise TypeError(f"{name}: a list of whole numbers is needed, and not {type(values).__name__}")
    whole = []
    for index, value in enumerate(values):
        if isinstance(value, bool) or not hasattr(value, "__index__"):
            raise TypeError(f"{name}[{index}]: a whole number is needed, and not {type(value).__name__}")
        if value.__index__() < 0:
            raise ValueError(f"{name}[{index}]: {value} is negative")
        whole.append(value.__index__())
    return whole


def words(value: Any, name: str, unit: str = "") -> Optional[str]:
    """A number with its unit, or a text that has one."""
    if value is None or isinstance(value, str):
        return value
    return f"{number(value, name)!r}{unit}"


def text(value: Any, name: str) -> str:
    """As it is. Raises TypeError for what is no text."""
    if not isinstance(value, str):
        raise TypeError(f"{name}: a text is needed, and not {type(value).__name__}")
    return value


def path(value: Path) -> str:
    """As a string. Raises TypeError."""
    return os.fsdecode(os.fspath(value))


def request(
    method: str,
    objective: str,
    weight: Optional[Number],
    max_slowdown: Union[Number, str, None],
    energy_budget: Union[Number, str, None],
    power_cap: Union[Number, str, Sequence[str], None],
) -> _hypermile.Request:
    """What is asked of a selection. Raises TypeError or ValueError for what the command line refuses."""
    caps = power_cap if isinstance(power_cap, (list, tuple)) else [power_cap]
    return _hypermile.Request(
        method=text(method, "method"),
        objective=text(objective, "objective"),
        weight=words(weight, "weight"),
        max_slowdown=words(max_slowdown, "max_slowdown"),
        energy_budget=words(energy_budget, "energy_budget", "J"),
        power_caps=[word for cap in caps if (word := words(cap, "power_cap", "W")) is not None],
    )
