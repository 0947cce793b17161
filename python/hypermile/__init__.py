"""Choose CPU frequencies (gears) for the nodes of a parallel program, from Python.

    >>> import hypermile
    >>> platform = hypermile.Platform.load("table-3.1")
    >>> workload = hypermile.Workload(computation_s=[10, 8, 6, 9], communication_s=[1, 1, 1, 1])
    >>> plan = hypermile.select(platform, workload, objective="energy", max_slowdown=0.05)
    >>> plan.optimal
    True

Times are in seconds, energies in joules, powers in watts, frequencies in GHz. Gear 0 is the fastest.
Figures are those of the command `hypermile`, to the last digit: it uses the same libraries.

What hypermile refuses (a file that cannot be read, a power that is negative) is a `hypermile.Error`
with the text of the command line. An argument of a wrong type is a TypeError, one of a wrong value
a ValueError. numpy, pandas and matplotlib are needed only by the functions that say so.
"""

import sys as _sys

from .version import VERSION as __version__

try:
    from . import _hypermile
except ImportError as _error:
    raise ImportError(
        f"the extension of hypermile {__version__} cannot be loaded into Python "
        f"{_sys.version_info.major}.{_sys.version_info.minor}: {_error}; try: a wheel that was built with "
        "this Python (make wheel in a clone of hypermile)"
    ) from _error
if _hypermile.version != __version__:
    raise ImportError(
        f"the Python files of hypermile are of version {__version__}, its extension is of version "
        f"{_hypermile.version}; try: install hypermile again"
    )

from .errors import Error
from .fronts import Front, FrontPoint
from .plans import Plan
from .platforms import NodeType, Platform, platforms
from .problems import Prediction, Problem, Workload
from .results import Results, read
from .selection import front, methods, objectives, select
from .timelines import Forecast, Recording, Timeline

__all__ = [
    "Error",
    "Forecast",
    "Front",
    "FrontPoint",
    "NodeType",
    "Plan",
    "Platform",
    "Prediction",
    "Problem",
    "Recording",
    "Results",
    "Timeline",
    "Workload",
    "front",
    "methods",
    "objectives",
    "platforms",
    "read",
    "select",
]
