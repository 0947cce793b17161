"""docs/programs.md, from the figures of a run."""

import datetime
import os
import platform
import re
import statistics
from dataclasses import dataclass

from programs import Program


@dataclass(frozen=True)
class Row:
    program: Program
    plain: float  # s, median
    plain_range: tuple[float, float]
    overhead: list[float]  # percent, per round
    slowdown: list[float]  # percent, per round
    reports: list[dict]  # of the runs with a bound
    wrong: list[str]
    others: float  # share of the processors' time that other programs took


HEAD = """# Real programs under hypermile

`make test-programs` runs MPI programs that others wrote, plainly and under `hypermile run`, and
makes this page. It installs the programs from Debian 12. Their inputs are in
`tests/programs/packaged`. The mpi4py programs there are ours; so are the C++ and Fortran programs
among the awkward ones.

The test asserts what must hold on every machine:

- The program computes the same result, and ends with the same exit code.
- Frequencies are restored (on fake files of cpufreq). No process and no file is left behind.
- There is a report. It does not contradict itself, nor the clock that was started before the job.
- A loop is found where the program plainly iterates. Elsewhere the report says why there is none.

It asserts no times: they differ from run to run. The times below are those of one run of the test.

| | |
| --- | --- |
| when | {date}, {minutes:.0f} minutes |
| machine | {cores} cores ({processor}), Linux {linux} |
| ranks | 2, on one machine, one thread each |
| gears | emulated: computation is stretched as on two nodes of two kinds (platform `table-3.1-two-types`). Energy is that of the power tables |
| rounds | {rounds}: so often each program ran in each way |
| other programs | took {others:.0f} % of the processors' time meanwhile |
{judgement}"""

BUSY = """
**Times say little here.** Other programs took much of the processors' time. A figure is only as good
as its span is short, and a span with both signs says nothing.
"""

COLUMNS = """
| column | meaning |
| --- | --- |
| plain | wall time of the whole command without hypermile |
| overhead | wall time under hypermile that measures and chooses but sets no gear (`--backend none`), against the plain run of the same round |
| loop | iterations of the main loop that was found on rank 0, and their share of its time |
| slower, clock | wall time with the default bound of 5 %, against the same job in gear 0 (`--gears 0,0`) in the same round; gears are emulated in both |
| slower, told | the same, as the report says it, which knows nothing of the run in gear 0; where no gears were set, what hypermile itself cost |
| saved | energy, as the report says it |
| choices | of gears |
| others | share of the processors' time that other programs took while this one was tested |

Figures are medians, with the least and the most of all rounds in brackets.
"""


def spread(values: list[float], form: str = "+.1f", unit: str = " %") -> str:
    if not values:
        return "-"
    middle = f"{statistics.median(values):{form}}{unit}"
    if len(values) == 1:
        return middle
    return f"{middle} ({min(values):{form}} to {max(values):{form}})"


def loop(row: Row) -> str:
    ranks = [report["ranks_detail"][0] for report in row.reports]
    found = [rank for rank in ranks if rank["iterations"] > 0]
    if not found:
        return "none, reason given" if ranks else "-"
    iterations = statistics.median_low([rank["iterations"] for rank in found])
    share = statistics.median([100 * rank["loop_s"] / rank["time_s"] for rank in found])
    return f"{iterations}, {share:.0f} %" + ("" if len(found) == len(ranks) else
                                             f" ({len(found)} of {len(ranks)} runs)")


def told(row: Row, key: str) -> list[float]:
    values = []
    for report in row.reports:
        whole = report["whole_run"]
        if whole and whole[key] is not None:
            values.append(100 * (whole[key] - 1))
        elif not report["gears_in_effect"]:
            values.append(report["own_time_percent"] if key == "time_ratio" else 0.0)
    return values


def timed_line(row: Row) -> str:
    energy = told(row, "energy_ratio")
    plain = f"{row.plain:.1f} s ({row.plain_range[0]:.1f} to {row.plain_range[1]:.1f})"
    choices = [len(report["decisions"]) for report in row.reports]
    cells = [row.program.name, row.program.mpi, row.program.what, plain, spread(row.overhead),
             loop(row), spread(row.slowdown), spread(told(row, "time_ratio")),
             f"{-statistics.median(energy):.1f} %" if energy else "-",
             f"{statistics.median(choices):.0f}" if choices else "-",
             f"{100 * row.others:.0f} %", "passed" if not row.wrong else "failed"]
    return "| " + " | ".join(cells) + " |"


def awkward_line(row: Row) -> str:
    report = ("none: it does not reach MPI_Finalize" if not row.program.reported
              else "; ".join(re.split(r"[:.]", r["verdict"])[0] for r in row.reports))
    cells = [row.program.name, row.program.mpi, row.program.what,
             str(row.program.exit_codes[0]), report, "passed" if not row.wrong else "failed"]
    return "| " + " | ".join(cells) + " |"


def failures(rows: list[Row]) -> str:
    lines = [f"- {row.program.name} ({row.program.mpi}): {problem}"
             for row in rows for problem in row.wrong]
    return "\n## What failed\n\n" + "\n".join(lines) + "\n" if lines else ""


def processor() -> str:
    with open("/proc/cpuinfo") as file:
        names = re.findall(r"^model name\s*: (.*)$", file.read(), re.MULTILINE)
    return names[0].strip() if names else platform.machine()


def document(timed: list[Row], awkward: list[Row], rounds: int, minutes: float,
             others: float) -> str:
    judgement = "" if others < 0.1 else BUSY
    text = HEAD.format(date=datetime.date.today().isoformat(), minutes=minutes,
                       cores=os.cpu_count(), processor=processor(), linux=platform.release(),
                       rounds=rounds, others=100 * others, judgement=judgement)
    if timed:
        text += "\n## Programs\n\n| program | MPI | what it does | plain | overhead | loop | slower, " \
                "clock | slower, told | saved | choices | others | test |\n" + "| --- " * 12 + "|\n"
        text += "\n".join(map(timed_line, timed)) + "\n" + COLUMNS
    if awkward:
        text += "\n## Awkward programs\n\nEach ran once plainly, once with emulated gears, once on fake " \
                "cpufreq files.\n\n| program | MPI | what it does | exit code | verdict of the report | " \
                "test |\n" + "| --- " * 6 + "|\n" + "\n".join(map(awkward_line, awkward)) + "\n"
    return text + failures(timed + awkward)
