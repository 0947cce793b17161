"""JSON, and tables for people (HTML) and for pandas."""

import html
import json
from collections.abc import Iterable, Sequence
from typing import Any

from .errors import Error, need

most_rows = 40  # of a table in a notebook


def frame(rows: Any, columns: Any = None) -> Any:
    """A pandas.DataFrame. Raises ImportError where there is no pandas."""
    return need("pandas", "a data frame").DataFrame(rows, columns=columns)


def text_of(value: Any) -> str:
    """A value for a reader: 6 digits, and nothing for None."""
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def html_table(caption: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table for a notebook."""
    head = "".join(f"<th>{html.escape(column)}</th>" for column in columns)
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(text_of(value))}</td>" for value in row) + "</tr>" for row in rows
    )
    return (
        f"<table><caption>{html.escape(caption)}</caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def object_of(text: str, schema: str, file: str) -> dict[str, Any]:
    """The JSON of this schema. `file` is used in messages only. Raises Error for anything else."""
    try:
        data = json.loads(text)
    except ValueError as error:
        raise Error(f"{file}: this is no JSON: {error}") from error
    if not isinstance(data, dict) or data.get("schema") != schema:
        raise Error(f"{file}: this is not of the schema '{schema}'")
    return data
