#!/usr/bin/env python3
"""tests/schemas/validate.py FILE...: JSON that hypermile has printed against the schemas of schemas/.
Says what is wrong and exits with 1; with 77 where there is no python3-jsonschema."""

import json
import pathlib
import sys

try:
    import jsonschema
except ImportError:
    jsonschema = None

SCHEMAS = pathlib.Path(__file__).resolve().parents[2] / "schemas"


def file_of(name):
    """hypermile/run/1 -> schemas/run-1.json"""
    product, kind, version = name.split("/")
    return SCHEMAS / f"{kind}-{version}.json" if product == "hypermile" else None


def name_in(file):
    """schemas/run-1.json, with the id urn:hypermile:run:1 -> hypermile/run/1. An id that is no absolute URI stops
    the jsonschema of Debian 12 from finding what the schema refers to within itself."""
    return json.loads(file.read_text())["$id"].removeprefix("urn:").replace(":", "/")


def schema_of(document):
    """The name of the schema of a document, or of the elements of an array of such."""
    return (document[0] if isinstance(document, list) else document)["schema"]


def validator_of(name):
    return jsonschema.Draft202012Validator(json.loads(file_of(name).read_text()))


def complaints(document):
    """What is wrong with a document by its schema."""
    return [f"{error.json_path}: {error.message}"[:600] for error in validator_of(schema_of(document)).iter_errors(document)]


if __name__ == "__main__":
    if jsonschema is None:
        print("skipped: there is no python3-jsonschema")
        sys.exit(77)
    wrong = [f"{name}: {what}" for name in sys.argv[1:] for what in complaints(json.loads(pathlib.Path(name).read_text()))]
    print("\n".join(wrong))
    sys.exit(1 if wrong else 0)
