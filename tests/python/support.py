"""What the tests of the Python module share: the command line, and random problems."""

import json
import os
import subprocess
import tempfile
import unittest

SOURCE = os.environ["HYPERMILE_SOURCE_DIR"]
BUILD = os.environ["HYPERMILE_BINARY_DIR"]
COMMAND = os.environ["HYPERMILE_COMMAND"]
PROGRAM = os.environ.get("HYPERMILE_PROGRAM", "")  # one of ours that was built for SimGrid
INFEASIBLE = 3
scratch = ""  # a folder for the files of tests


def command(*arguments, text=None, cwd=None):
    """The ended process of the command line."""
    return subprocess.run([COMMAND, *arguments], input=text, capture_output=True, text=True, cwd=cwd)


def printed(*arguments, text=None, cwd=None):
    """The JSON that the command prints."""
    ended = command(*arguments, "--json", text=text, cwd=cwd)
    if ended.returncode not in (0, INFEASIBLE):
        raise AssertionError(f"{arguments}: {ended.stderr}")
    return json.loads(ended.stdout)


def without_its_source(plan):
    """A plan without how long it took and where its problem was read."""
    plan = {key: value for key, value in plan.items() if key != "microseconds"}
    plan["request"] = {
        key: value for key, value in plan["request"].items() if key not in ("problem", "platform", "workload")
    }
    return plan


def random_gears(draw, most=14):
    fastest = draw.choice([2.5, 2.66, 3.4])
    return [round(fastest - 0.1 * gear, 3) for gear in range(draw.randint(2, most))]


def random_problem(draw, model=None, nodes=None, most_gears=14):
    """A problem as json.loads makes it of a file."""
    model = model or draw.choice(["cluster", "grid", "hybrid", "async", "async_literal", "homogeneous", "rauber", "table"])
    nodes = nodes or draw.randint(1, 9)
    if model in ("homogeneous", "rauber"):
        return {"model": model, "homogeneous": {
            "gears_ghz": random_gears(draw, most_gears), "tcp_s": [draw.uniform(0.1, 10) for _ in range(nodes)],
            "tcm_s": [draw.uniform(0, 2) for _ in range(nodes)], "pd_w": draw.uniform(1, 90), "ps_w": draw.uniform(1, 40)}}
    return {"model": model, "nodes": [
        _table_node(draw, most_gears) if model == "table" else _node(draw, most_gears) for _ in range(nodes)]}


def _node(draw, most_gears):
    return {"gears_ghz": random_gears(draw, most_gears), "tcp_s": draw.uniform(0.1, 10), "tcm_s": draw.uniform(0, 2),
            "pd_w": draw.uniform(1, 90), "ps_w": draw.uniform(1, 40), "cluster": draw.randrange(3)}


def _table_node(draw, most_gears):
    gears = random_gears(draw, most_gears)
    seconds = draw.uniform(0.1, 10)
    return {"gears_ghz": gears, "tcm_s": draw.uniform(0, 2),
            "gear_time_s": [seconds * gears[0] / ghz * draw.uniform(0.9, 1.1) for ghz in gears],
            "gear_active_power_w": [draw.uniform(20, 90) for _ in gears],
            "idle_power_w": [draw.uniform(5, 20) for _ in gears]}


def main():
    """Runs the tests of the file that calls it."""
    global scratch
    with tempfile.TemporaryDirectory() as scratch:
        unittest.main()
