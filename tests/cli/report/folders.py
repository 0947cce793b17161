"""Folders as `hypermile run --report` leaves them, of as many nodes as one likes. Every number is made
up, and differs from all others, so that one in a wrong place is seen."""

import json
import os
import random

GEARS = 14


def _ranks(nodes, ranks_per_node, draw):
    rows = []
    for rank in range(nodes * ranks_per_node):
        computation = draw.uniform(40, 80)
        rows.append({
            "rank": rank, "node": f"node{rank // ranks_per_node:05}", "time_s": 100 + draw.random(),
            "computation_s": computation, "communication_s": 100 - computation, "mpi_calls": 12345,
            "iterations": 75, "loop_first_iteration_s": 1 + draw.random(), "loop_s": 98 + draw.random(),
            "overhead_s": draw.random() / 10, "estimated_call_overhead_s": draw.random() / 100,
            "unwatched_s": 0.0, "taken_by_others_s": draw.random() / 10})
    return rows


def _decision(index, names, draw):
    gears = [draw.randrange(GEARS) for _ in names]
    begin = 5.0 + 7 * index
    return {
        "nodes": names, "gears": gears, "before_loop": False, "phase": 0, "again": False,
        "time_model": "dependency", "iteration_time_s": 1 + draw.random(),
        "iteration_energy_j": 1000 * (1 + draw.random()), "predicted_iteration_time_s": 1.5 + draw.random(),
        "predicted_iteration_energy_j": 800 * (1 + draw.random()), "predicted_distance_points": 20 * draw.random(),
        "certificate": {"kind": "bound", "gap": draw.random() / 100}, "declined": "", "given_up": [],
        "measured_time_ratio": 1 + draw.random() / 20, "misfit": None, "stepped_back": "",
        "set": [{"node": name, "time_s": begin + draw.random(), "gear": gear, "in_effect": True,
                 "away_s": draw.random() / 10} for name, gear in zip(names, gears)]}


def _trade_offs(draw):
    rows, time, energy = [], 1.0, 1.0
    for bound in (0.0, 0.03, 0.05, 0.1, None):
        rows.append({"max_slowdown": bound, "time_ratio": time, "energy_ratio": energy, "this_run": bound == 0.05})
        time += draw.uniform(0.005, 0.02)
        energy -= draw.uniform(0.02, 0.08)
    return rows


def _nodes(names, gears, draw):
    return [{"name": name, "type": f"type{1 + i % 4}", "sets_gears_by": "cpufreq", "meter": "powercap",
             "energy_j": 10000 * (1 + draw.random()), "power_assumed": False, "assumed": None, "gear": gear,
             "frequency_ghz": 2.5 - 0.1 * gear, "setting": f"{2.5 - 0.1 * gear:.4g} GHz", "gears": GEARS,
             "wait_gear": None} for i, (name, gear) in enumerate(zip(names, gears))]


def _power(draw, steps=50):
    return [{"begin_s": 2.0 * i, "end_s": 2.0 * (i + 1), "power_w": draw.uniform(800, 1200)} for i in range(steps)]


def run_report(nodes, ranks_per_node=1, choices=8, seed=1):
    """The JSON of a run."""
    draw = random.Random(seed)
    names = [f"node{i:05}" for i in range(nodes)]
    decisions = [_decision(index, names, draw) for index in range(choices)]
    rows = _nodes(names, decisions[-1]["gears"], draw)
    energy = sum(row["energy_j"] for row in rows)
    return {
        "schema": "hypermile/run/1", "command": f"mpirun -n {nodes * ranks_per_node} ./app", "exit_code": 0,
        "method": "exact", "objective": "maxdist", "max_slowdown": 0.05, "platform": "cluster.yaml",
        "emulated": False, "dry_run": False, "collective_rules": None, "ranks": nodes * ranks_per_node,
        "time_s": 101.25 + draw.random(),
        "verdict": "Success: saved 21.3 % of the energy for 4.2 % more time (measured against the run in gear 0).",
        "power_caps": [{"kind": "average", "cap_w": 987.5, "reached_w": 912.25, "by": "measured", "kept": True}],
        "energy": {"measured_j": energy, "meters": [f"1 package on each of {nodes} nodes"],
                   "power_table_j": energy * 1.01, "power_assumed": False, "assumed": [], "external": None},
        "power_over_time": _power(draw), "gears_in_effect": True, "predicted": {"time_ratio": 1.031, "energy_ratio": 0.7761},
        "measured": {"time_ratio": 1.0333, "energy_ratio": 0.7812},
        "phases": [{"share": 0.9123, "times": 1, "iterations": 75, "one_iteration": "5 MPI calls",
                    "time_ratio": 1.0317, "energy_ratio": 0.7773, "gears": decisions[0]["gears"]}],
        "trade_offs": _trade_offs(draw),
        "sensitivities": [{"function": "Allreduce", "place": 2, "share": 0.35, "sensitivity": 0.61, "low": 0.55,
                           "high": 0.67, "phase": 0}],
        "learnt_power": [], "plan": None, "learnt": [], "whole_run": {"time_ratio": 1.0417, "energy_ratio": 0.7912},
        "baseline": {"time_s": 97.125, "energy_j": energy * 1.27, "energy_by": "meters",
                     "power_over_time": _power(draw), "against_it": {"time_ratio": 1.0425, "energy_ratio": 0.787}},
        "taken_by_others": 0.0123, "overhead_s": 0.0517, "start_and_end_s": 0.0211,
        "estimated_call_overhead_s": 0.0317, "own_time_percent": 0.13,
        "remarks": ["</script><b>no markup</b>: a remark"], "nodes": rows, "decisions": decisions,
        "ranks_detail": _ranks(nodes, ranks_per_node, draw)}


def _course(ranks, draw):
    per_row = -(-ranks // 128)
    rows = -(-ranks // per_row)
    computing = [[draw.randrange(101) for _ in range(200)] for _ in range(rows)]
    listed = min(16, ranks)
    return {
        "ranks": ranks, "ranks_per_row": per_row, "end_s": 2 + draw.random(), "computing_percent": computing,
        "waiting_percent": [[draw.randrange(101 - share) for share in row] for row in computing],
        "path": {
            "time_s": 2 + draw.random(), "computing_s": 1 + draw.random(), "inside_s": draw.random(),
            "handovers": draw.randrange(100, 1000),
            "ranks": [{"rank": rank, "computing_s": draw.random(), "inside_s": draw.random() / 10} for rank in range(listed)],
            "waits": [{"rank": rank, "waits_for": (rank + 1) % ranks, "times": draw.randrange(1, 99)} for rank in range(listed)],
            "rank_by_column": [draw.randrange(ranks) for _ in range(200)]}}


def loop_of(ranks, seed=2):
    """The timeline of some iterations."""
    draw = random.Random(seed)
    return {"schema": "hypermile/loop/1", "iterations": 2 + draw.random(), "recorded_in_gear0": True,
            "before": _course(ranks, draw), "after": _course(ranks, draw)}


def write_run(folder, report, loop=None):
    os.makedirs(folder, exist_ok=True)
    if loop:
        write_json(os.path.join(folder, "loop.json"), loop)
    with open(os.path.join(folder, "run.json"), "w", encoding="utf-8") as file:
        json.dump(report, file, indent=2)


def write_steer(folder, samples=200, gears=True, seed=1):
    """The folder of a program that was steered; returns its report."""
    draw = random.Random(seed)
    os.makedirs(folder, exist_ok=True)
    settings = [(cores, 2.4 - 0.2 * gear if gears else None) for cores in (1, 2, 4, 8) for gear in range(3)]
    field = [f"{cores},{'' if ghz is None else f'{ghz:.4f}'},,linear" for cores, ghz in settings]
    lines = ["time_s,length_s,mode,phase,cores,frequency_ghz,setting,placement,throughput_per_s,arrivals_per_s,capacity_per_s,"
             "load,power_w,keeps_bounds,next_cores,next_frequency_ghz,next_setting,next_placement,decision"]
    time, now = 0.0, 0
    for i in range(samples):
        calibrates = i < 20
        length, then = (0.1 if calibrates else 1.0), (draw.randrange(len(settings)) if calibrates else now)
        time += length
        lines.append(f"{time:.3f},{length:.3f},{'calibrating' if calibrates else 'steady'},0,{field[now]},"
                     f"{draw.uniform(100, 300):.6g},{draw.uniform(90, 250):.6g},{draw.uniform(200, 400):.6g},0.7000,"
                     f"{draw.uniform(40, 95):.3f},{draw.randrange(2)},{field[then]},{'<i>more</i> power' if calibrates else ''}")
        now = then
    with open(os.path.join(folder, "timeline.csv"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    report = {
        "schema": "hypermile/steer/1", "program": "./server </script> --port 80", "exit_code": 0,
        "reported_progress": True,
        "bounds": {"power_w": 90.5, "throughput_per_s": 120.4, "utilisation": None, "deadline_s": None,
                   "energy_j": None, "items": None},
        "backend": "cpufreq" if gears else "cores", "power_measured": True,
        "power_source": "measured: 2 packages, 2 DRAM", "time_s": time, "items": 24680, "energy_j": 60 * time,
        "steady_s": 180.5, "bounds_kept_s": 179.25, "calibrating_s": 2.0, "calibrations": 1, "phases": 1,
        "phase_changes": 3, "arrival_changes": 4, "keeps_bounds": True, "configuration": "4 cores, 2.20 GHz"}
    write_json(os.path.join(folder, "steer.json"), report)
    return report


def write_json(path, document):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(document, file)
