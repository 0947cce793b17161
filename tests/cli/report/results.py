"""Results of commands as JSON. Every number is made up, and differs from all others, so that one in a wrong
place is seen."""

import random


def _line(method, published, draw, is_known=True):
    return {"method": method, "published": published,
            **{key: draw.uniform(-9, 30) if is_known else None
               for key in ("slowdown_percent", "saving_percent", "distance_points")}}


def _errors(draw):
    return [{"model": model, **{f"{which}_{what}_error_percent": draw.uniform(0, 5) for what in ("time", "energy")
                                for which in ("largest", "mean")}} for model in ("cluster", "dependency")]


def _program(name, status, draw, checks):
    done = status == "done"
    lines = [_line("Algorithm 5", True, draw), _line("alg5", False, draw, done), _line("exact", False, draw, done)]
    return {"program": name, "ranks": 8, "status": status, "reason": "it fell <i>over</i>" if status == "failed" else None,
            "published_time_s": draw.uniform(10, 90), "published_energy_j": None,
            "time_s": draw.uniform(10, 90) if done else None, "energy_j": draw.uniform(1e3, 9e3) if done else None,
            "lines": [] if checks else lines, "errors": _errors(draw) if checks and done else []}


def reproduction(seed=1):
    draw = random.Random(seed)
    tables = []
    for name, checks in (("f16-3.4", False), ("f16-2.7.1", True)):
        tables.append({
            "table": name, "title": "a table", "source": "[F16] Table", "published_class": "C", "class": "A",
            "platform": "table-3.1", "compared": 1,
            "programs": [_program("CG", "done", draw, checks), _program("MG", "failed", draw, checks),
                         _program("LU", "no program", draw, checks)],
            "means": [] if checks else [_line("Algorithm 5", True, draw), _line("alg5", False, draw)],
            "errors": _errors(draw) if checks else [],
            "published_time_error_percent": 3.14 if checks else None, "differences": ["one </script>", "two"]})
    return {"schema": "hypermile/reproduction/1", "tables": tables}


def multisplitting(seed=2):
    draw = random.Random(seed)
    grids = []
    for name, ranks in (("4x4", 16), ("8x8", 64), ("mean", None)):
        lines = [{"program": program, "apply": apply, "published": published, "method": method,
                  **{key: draw.uniform(-9, 30) for key in ("slowdown_percent", "saving_percent", "distance_points")},
                  "iterations_standard_deviation": None if published else draw.random()}
                 for program, apply in (("sync", None), ("async", "at-end")) for method, published in
                 (("alg8", True), ("alg8", False), ("exact", False))]
        grids.append({"grid": name, "ranks": ranks, "platform": None, "failure": None, "lines": lines})
    grids.append({"grid": "8x4", "ranks": 32, "platform": "p", "failure": "it fell over", "lines": []})
    return {"schema": "hypermile/multisplitting/1", "tables": [
        {"table": "f16-4.3", "title": "grids", "source": "[F16] Table 4.3", "reference_speed": "50Gf",
         "differences": ["one"], "grids": grids}]}


def fit(seed=3):
    draw = random.Random(seed)
    return {"schema": "hypermile/fit/1", "model": "my.lua", "platform": "my.yaml", "fitted_to": "energy",
            "with_idle_nodes": True,
            "estimates": [{"parameter": name, "start": draw.random(), "value": draw.random() * 1e-7, "at_bound": name == "b",
                           "low": draw.random(), "high": None} for name in ("a", "b")],
            "observations": [{"ranks": ranks, "set": {"size": 2.0 * ranks}, "measured": draw.uniform(100, 200),
                              "fitted": draw.uniform(100, 200), "left_out": draw.uniform(100, 200)}
                             for ranks in (1, 2, 4, 8)]}


def m16(seed=4):
    draw = random.Random(seed)
    keys = ("published_j", "merpsys_j", "here_j", "left_out_j", "error_percent", "less_with_48_w_idle_percent")
    return {"schema": "hypermile/m16/1", "tables": [
        {"title": title, "estimates": [{"parameter": "work", "value": draw.uniform(1e8, 1e9), "low": draw.uniform(1e8, 1e9),
                                        "high": draw.uniform(1e8, 1e9)}],
         "rows": [{"ranks": ranks, **{key: draw.uniform(1, 30) for key in keys}} for ranks in (2, 4, 8)]}
        for title in ("Table III", "Table IV")]}


def d13(seed=5):
    draw = random.Random(seed)

    def cost():
        return {"time_s": draw.uniform(1, 9), "energy_j": draw.uniform(1e3, 9e3)}

    return {"schema": "hypermile/d13/1", "platform": "d13", "simgrid_options": ["a:b"],
            "largest_error_percent": 3.5, "largest_error_by_paper_percent": 12.25, "largest_error_published_percent": 5.5,
            "applications": [{
                "application": name, "messages": 2000, "size": "1MiB", "nodes": 32, "processes_per_node": 4,
                "calibrated_nodes": [2], "calibrated_sizes": ["1MiB"], "simulated_messages": 5, "least_estimated": "SAG",
                "least_simulated": "SAG", "least_by_paper": "Pipeline", "least_published": "SAG", "copying_time_s": 1.0,
                "copying_power_w": 2.0, "algorithms": [
                    {"algorithm": algorithm, "estimated": cost(), "by_paper": cost(), "simulated": cost(),
                     "error_percent": draw.uniform(-5, 5), "error_by_paper_percent": draw.uniform(-9, 9)}
                    for algorithm in ("SAG", "Pipeline", "Hybrid/SAG")]} for name in ("one", "two")]}


def _within(value, draw):
    return {"value": value, "low": value * draw.uniform(0.8, 0.95), "high": value * draw.uniform(1.05, 1.2), "confidence": 0.96}


def estimate(sizes=(1024, 65536, 1 << 20), seed=6):
    draw = random.Random(seed)
    answers = []
    for size in sizes:
        estimates = [{"algorithm": algorithm, "segment_b": segment, "hybrid": threads > 1, "threads": threads,
                      "time_s": _within(1e-6 * size * draw.uniform(1, 2), draw),
                      "energy_j": _within(1e-3 * size * draw.uniform(1, 2), draw)}
                     for algorithm, segment, threads in (("binomial", 0, 1), ("pipeline", 131072, 1), ("binomial", 0, 8))]
        del estimates[1]["time_s"]["low"], estimates[1]["time_s"]["high"], estimates[1]["time_s"]["confidence"]
        estimates[2]["extrapolated"] = ["nodes"]
        answers.append({"nodes": 4, "processes_per_node": 2, "size_b": size, "messages": 100, "estimates": estimates,
                        "choice": {"decided": size > 1024, "algorithm": "binomial", "segment_b": 0, "hybrid": False,
                                   "threads": 1, "probability": draw.uniform(0.5, 0.99),
                                   "probability_less_than_default": draw.random(),
                                   "default_time_ratio": draw.uniform(1, 2)}})
    answers[0]["choice"]["why_undecided"] = "all are alike"
    return {"schema": "hypermile/collective-estimate/1", "collective": "bcast", "library": "openmpi",
            "version": "Open MPI 4.1", "power_source": "", "arrival": "together", "answers": answers}


def calibration(seed=7):
    draw = random.Random(seed)
    measured = [{"nodes": nodes, "processes_per_node": 2, "cells": [
        {"algorithm": algorithm, "segment_b": 0, "size_b": size, "times_s": [1e-9 * size * draw.uniform(1, 2) for _ in range(5)],
         "powers_w": [draw.uniform(100, 200) for _ in range(5)]}
        for algorithm in ("binomial", "chain", "linear") for size in (1024, 65536, 1 << 20)]} for nodes in (1, 2)]
    return {"schema": "hypermile/collective-calibration/1", "collective": "bcast", "library": "openmpi", "version": "4.1",
            "machine": "a processor, 8 cores", "power": "measured", "power_source": "2 packages", "seconds_per_cell_s": 0.1,
            "arrival": "together", "seed": 1, "passes": 5, "measured": measured}


ALL = {result["schema"].split("/")[1]: result for result in
       (reproduction(), multisplitting(), fit(), m16(), d13(), estimate(), calibration())}
