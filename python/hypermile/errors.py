"""Errors that a user can act on."""

import importlib
from types import ModuleType


class Error(Exception):
    """What hypermile refuses, with the text of the command line.

    str(error) says what is wrong, where, and often what to do about it.

    Attributes:
        message: that text.
        kind: "config" (a file or an option), "model" (data that no model can use), "unsupported" (this
            machine or build cannot do it) or "hardware" (a device or a system call failed).
    """

    def __init__(self, message: str, kind: str = "config") -> None:
        super().__init__(message, kind)
        self.message = message
        self.kind = kind

    def __str__(self) -> str:
        return self.message


def need(name: str, purpose: str) -> ModuleType:
    """The module of this name. Raises ImportError, which says how to install it."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        package = name.partition(".")[0]
        raise ImportError(
            f"{purpose} needs {package}, which cannot be imported: {error}; try: pip install {package}, or "
            f"apt-get install python3-{package}"
        ) from error
