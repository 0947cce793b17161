#!/usr/bin/python3
"""Real MPI programs of Debian, plainly and under `hypermile run`. `make test-programs` runs it.

  test_programs.py [--build FOLDER] [--rounds N] [--only TEXT] [--table FILE] [--keep FOLDER]

Asserted is what holds on every machine: the program's result and exit code, that nothing is left
behind, that gears are restored, that there is a report, and that it does not contradict itself.
Times are only told, in the table. Exit code 1: something was not so."""

import argparse
import os
import statistics
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from job import Outcome, run
from programs import AWKWARD, TIMED, Program
from report_checks import contradictions
from table import Row, document

TIMED_VARIANTS = ("plain", "watched", "gear0", "bounded")


@dataclass
class Trial:
    """All runs of one program."""

    program: Program
    outcomes: dict[str, list[Outcome]] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    others: float = 0.0  # share of the processors' time that other programs took

    def add(self, variant: str, outcome: Outcome) -> None:
        self.outcomes.setdefault(variant, []).append(outcome)
        self.wrong += [f"{variant}: {what}" for what in self.problems(variant, outcome)]

    def problems(self, variant: str, outcome: Outcome) -> list[str]:
        first = self.outcomes["plain"][0]
        if outcome.exit_code is None:
            return ["hangs"]
        wrong = list(outcome.wrong)
        if outcome.exit_code not in self.program.exit_codes:
            tail = outcome.err.strip().splitlines()[-1:] or [""]
            wrong.append(f"exit code {outcome.exit_code}, not {self.program.exit_codes[0]}: {tail[0]}")
        if outcome.result != first.result:
            wrong.append("another result: " + difference(first.result, outcome.result))
        if self.program in TIMED and not outcome.result:
            wrong.append("no result that could be compared")
        if variant != "plain":
            wrong += self.problems_of_report(outcome)
        return wrong

    def problems_of_report(self, outcome: Outcome) -> list[str]:
        if outcome.report is None:
            return ["no report"] if self.program.reported else []
        if not self.program.reported:
            return ["a report of a run that did not reach MPI_Finalize"]
        return contradictions(outcome.report, outcome.text, outcome.wall, outcome.exit_code,
                              self.program.loop, self.program.ranks)


def difference(expected: str, got: str) -> str:
    """The first line that differs."""
    ours, theirs = expected.splitlines(), got.splitlines()
    for index in range(max(len(ours), len(theirs))):
        a = ours[index] if index < len(ours) else "(end)"
        b = theirs[index] if index < len(theirs) else "(end)"
        if a != b:
            return f"line {index + 1} was '{a[:100]}' and is '{b[:100]}'"
    return "none"


def ratios(trial: Trial, variant: str, reference: str) -> list[float]:
    pairs = zip(trial.outcomes.get(variant, []), trial.outcomes.get(reference, []))
    return [100 * (a.wall / b.wall - 1) for a, b in pairs if a.exit_code == b.exit_code == 0]


def row(trial: Trial) -> Row:
    plain = [outcome.wall for outcome in trial.outcomes["plain"]]
    reports = [o.report for o in trial.outcomes.get("bounded", []) if o.report]
    return Row(trial.program, statistics.median(plain), (min(plain), max(plain)),
               ratios(trial, "watched", "plain"), ratios(trial, "bounded", "gear0"), reports,
               list(dict.fromkeys(trial.wrong)), trial.others)


def others_share(start: tuple[float, float, float]) -> float:
    """Share of this machine's processor time that others than this test took since `start`."""
    busy, own, at = processor_times()
    return max(0.0, (busy - start[0]) - (own - start[1])) / ((at - start[2]) * (os.cpu_count() or 1))


def processor_times() -> tuple[float, float, float]:
    """Seconds: all processors busy, used by this process and its ended children, the clock."""
    with open("/proc/stat") as file:
        user, nice, system, _, _, irq, softirq, *rest = map(int, file.readline().split()[1:])
    tick = os.sysconf("SC_CLK_TCK")
    own = os.times()
    return ((user + nice + system + irq + softirq) / tick,
            own.user + own.system + own.children_user + own.children_system, time.monotonic())


def try_program(program: Program, variants: tuple[str, ...], rounds: int,
                options: argparse.Namespace) -> Trial:
    trial = Trial(program)
    start = processor_times()
    label = f"{program.name} ({program.mpi})"
    print(f"{label}: ", end="", flush=True)
    for number in range(rounds):
        # The other way round every second time, so that a drift of the machine favours none.
        order = variants if number % 2 == 0 else (variants[0], *reversed(variants[1:]))
        for variant in order:
            keep = options.keep and options.keep / label.replace(" ", "_") / f"{variant}{number}"
            trial.add(variant, run(program, variant, options.build, keep))
            print(".", end="", flush=True)
    if variants == TIMED_VARIANTS:
        trial.add("cpufreq", run(program, "cpufreq", options.build,
                                 options.keep and options.keep / label.replace(" ", "_") / "cpufreq"))
    trial.others = others_share(start)
    print(" ok" if not trial.wrong else " FAILED")
    for problem in dict.fromkeys(trial.wrong):
        print(f"  {problem}")
    return trial


def arguments() -> argparse.Namespace:
    root = Path(__file__).resolve().parents[3]
    parser = argparse.ArgumentParser(description="Tests of real MPI programs under hypermile run")
    parser.add_argument("--build", type=absolute, default=root / "build/release")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each kind that are timed")
    parser.add_argument("--only", default="", help="programs whose name contains this")
    parser.add_argument("--table", type=absolute, help="write the table (Markdown) to this file")
    parser.add_argument("--keep", type=absolute, help="keep reports and output in this folder")
    return parser.parse_args()


def absolute(text: str) -> Path:
    """Programs run in folders of their own."""
    return Path(text).absolute()


def main() -> int:
    options = arguments()
    chosen = [p for p in (*TIMED, *AWKWARD) if options.only in f"{p.name} ({p.mpi})"]
    if not chosen:
        print(f"no program is called '{options.only}'", file=sys.stderr)
        return 2
    start, begin = processor_times(), time.monotonic()
    timed = [try_program(p, TIMED_VARIANTS, options.rounds, options) for p in chosen if p in TIMED]
    awkward = [try_program(p, ("plain", "bounded", "cpufreq"), 1, options)
               for p in chosen if p in AWKWARD]
    minutes = (time.monotonic() - begin) / 60
    text = document([row(trial) for trial in timed], [row(trial) for trial in awkward],
                    options.rounds, minutes, others_share(start))
    if options.table:
        options.table.write_text(text)
        print(f"The table is in {options.table}")
    failed = [trial for trial in timed + awkward if trial.wrong]
    print(f"{len(timed) + len(awkward) - len(failed)} of {len(timed) + len(awkward)} programs passed "
          f"after {minutes:.0f} minutes")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
