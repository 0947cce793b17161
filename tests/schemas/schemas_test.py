#!/usr/bin/env python3
"""tests/schemas/schemas_test.py BUILD: what the commands of this build print with --json, against the schemas of
schemas/; and the schemas against outputs that are wrong. Skipped (exit code 77) without python3-jsonschema."""

import copy
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import validate
from outputs import SOURCE, Outputs

BUILD = pathlib.Path(sys.argv[1]).resolve()

# What these commands print takes minutes to make. Their own tests validate it.
SLOW = {"hypermile/d13/1", "hypermile/m16/1", "hypermile/multisplitting/1"}
# A line of a file that jobs of Slurm write: tests/slurm. No command prints it.
NOT_PRINTED = {"hypermile/job-line/1"}
# Keys of these objects are names that users give.
OPEN = {"parameters", "ranks_of_role", "set"}
# Keys that outputs may lack, by the name of the schema.
OPTIONAL = {
    "plan": {"tasks", "request", "run"}, "front": {"gears"}, "job-plan": {"arguments", "computation_after_calls_s"},
    "collective-estimate": {"energy_j", "low", "high", "confidence", "extrapolated", "choice", "why_undecided",
                            "default_time_ratio", "default_energy_ratio"},
    "collective-calibration": {"switch_power_w", "copies", "threads", "inside_s", "powers_w"},
    "collective-rules": {"algorithm", "segment_b"}, "collective-verification": {"intended"}}

FOLDER = tempfile.TemporaryDirectory()
MADE = Outputs(BUILD, FOLDER.name)
OUTPUTS = []


def setUpModule():
    groups = [MADE.of_anywhere, MADE.of_steer]
    if MADE.simulates:
        groups.append(MADE.of_simulations)
    if MADE.mpi:
        groups += [MADE.of_jobs, MADE.of_collectives]
    for group in groups:
        OUTPUTS.extend(group())


def tearDownModule():
    FOLDER.cleanup()


def all_schemas():
    return sorted((SOURCE / "schemas").glob("*.json"))


def shortened(value):
    """With the first elements of each array only: others are alike."""
    if isinstance(value, list):
        return [shortened(one) for one in value[:2]]
    return {key: shortened(one) for key, one in value.items()} if isinstance(value, dict) else value


def places(value, path=()):
    """All values below this one, by what leads to them."""
    yield path, value
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in children:
        yield from places(child, (*path, key))


def at(value, path):
    for key in path:
        value = value[key]
    return value


def changed(document, path, change):
    """A copy in which `change` was made to what is there."""
    other = copy.deepcopy(document)
    change(at(other, path))
    return other


def mutants(document, optional):
    """Copies that no schema may take, and what is wrong with each."""
    for path, value in places(document):
        if isinstance(value, dict) and not (path and path[-1] in OPEN):
            yield f"{path}: an unknown key", changed(document, path, lambda there: there.update(unknown_key=1))
            for key in value:
                if key not in optional:
                    yield f"{path}: without {key}", changed(document, path, lambda there, key=key: there.pop(key))
                yield f"{path}: {key} renamed", changed(
                    document, path, lambda there, key=key: there.update({key + "x": there.pop(key)}))
        if path and not isinstance(value, (dict, list)):
            # No value is an array of objects where another one may be.
            yield f"{path}: of another type", changed(
                document, path[:-1], lambda there, key=path[-1]: there.__setitem__(key, [{"odd": 1}]))


class Schemas(unittest.TestCase):
    def test_are_schemas_that_are_named_after_their_files(self):
        for file in all_schemas():
            schema = json.loads(file.read_text())
            validate.jsonschema.Draft202012Validator.check_schema(schema)
            self.assertEqual(validate.file_of(validate.name_in(file)), file)
            self.assertTrue(schema["$id"].startswith("urn:"), file.name)
            self.assertIn("title", schema)

    def test_are_strict(self):
        for file in all_schemas():
            for path, part in places(json.loads(file.read_text())):
                if isinstance(part, dict) and "properties" in part and path[-1:] != ("properties",):
                    self.assertIs(part.get("additionalProperties"), False, f"{file.name}: {path}")
                    self.assertLessEqual(set(part["required"]), set(part["properties"]), f"{file.name}: {path}")

    def test_are_there_for_every_schema_that_help_names(self):
        named = set()
        waiting = [[]]
        while waiting:
            command = waiting.pop()
            text = subprocess.run([BUILD / "bin/hypermile", *command, "--help"], capture_output=True, text=True).stdout
            named |= set(re.findall(r"hypermile/[a-z0-9-]+/[0-9]+", text))
            words = re.search(r"\nCommands:\n((?:  .*\n)+)", text)
            waiting += [[*command, name] for name in re.findall(r"^  ([a-z-]+)", words[1] if words else "", re.M)]
        # These are files that users write, in YAML.
        named -= {"hypermile/platform/1", "hypermile/workload/1", "hypermile/study/1", "hypermile/component/1"}
        self.assertGreater(len(named), 15)
        for name in named:
            self.assertTrue(validate.file_of(name).exists(), name)

    def test_are_listed_in_the_documentation(self):
        page = (SOURCE / "docs/json.md").read_text()
        printed = page[page.index("## What commands print"):page.index("## What is kept in files")]
        listed = set(re.findall(r"`(hypermile/[a-z0-9-]+/[0-9]+)`", printed))
        self.assertEqual(listed, {validate.name_in(file) for file in all_schemas()})


class Printed(unittest.TestCase):
    def test_is_of_every_schema_that_this_build_can_print(self):
        seen = {validate.schema_of(document) for document in OUTPUTS}
        every = {validate.name_in(file) for file in all_schemas()} - SLOW - NOT_PRINTED
        if MADE.simulates and MADE.mpi:
            self.assertEqual(seen if MADE.otf2 else seen | {"hypermile/trace-import/1"}, every)

    def test_is_as_its_schema_says(self):
        for document in OUTPUTS:
            with self.subTest(schema=validate.schema_of(document)):
                self.assertEqual(validate.complaints(document), [])

    def test_is_refused_when_a_key_is_lost_renamed_added_or_of_another_type(self):
        count = 0
        for document in {json.dumps(shortened(one)) for one in OUTPUTS}:
            document = json.loads(document)
            name = validate.schema_of(document)
            validator = validate.validator_of(name)
            for what, mutant in mutants(document, OPTIONAL.get(name.split("/")[1], set())):
                count += 1
                self.assertFalse(validator.is_valid(mutant), f"{name}: {what}")
        self.assertGreater(count, 1000)


if __name__ == "__main__":
    if validate.jsonschema is None:
        print("skipped: there is no python3-jsonschema")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1], verbosity=2)
