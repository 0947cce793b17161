"""Runs one job, plainly or under hypermile, in a folder of its own, and says what became of it."""

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from programs import INPUTS, SCRIPTS, Program

TIME_LIMIT = 600  # seconds; a job that takes longer hangs
EMULATED = ("--backend", "emulated", "--platform", "table-3.1-two-types")
# How a job is started: None is without hypermile. The bound is that of the default, 5 %.
VARIANTS = {
    "plain": None,
    "watched": ("--backend", "none"),  # hypermile sets no gear
    "gear0": (*EMULATED, "--gears", "0,0"),
    "bounded": EMULATED,
    "cpufreq": ("--backend", "cpufreq", "--meter", "model"),  # on a tree of fake files
}


@dataclass
class Outcome:
    exit_code: int | None  # None: it was still running after TIME_LIMIT
    wall: float  # seconds
    result: str  # what it computed: output without times
    err: str
    report: dict | None  # run.json
    text: str  # run.txt
    wrong: list[str] = field(default_factory=list)  # what was left behind or is not as it was


def make_cpufreq(root: Path) -> None:
    """A policy for each CPU, as acpi-cpufreq has it."""
    frequencies = "2500000 2300000 2100000 1900000 1700000 1500000 1200000"
    for cpu in sorted(os.sched_getaffinity(0)):
        policy = root / f"devices/system/cpu/cpufreq/policy{cpu}"
        policy.mkdir(parents=True)
        files = {"scaling_driver": "acpi-cpufreq", "scaling_available_frequencies": frequencies,
                 "scaling_available_governors": "ondemand userspace performance",
                 "scaling_governor": "ondemand", "cpuinfo_max_freq": "2500000",
                 "cpuinfo_min_freq": "1200000", "scaling_max_freq": "2500000",
                 "scaling_min_freq": "1200000", "scaling_cur_freq": "2500000",
                 "scaling_setspeed": "<unsupported>", "related_cpus": str(cpu),
                 "affected_cpus": str(cpu)}
        for name, value in files.items():
            (policy / name).write_text(value + "\n")
        core = root / f"devices/system/cpu/cpu{cpu}"
        core.mkdir()
        (core / "cpufreq").symlink_to(f"../cpufreq/policy{cpu}")


def settings(root: Path) -> dict[str, str]:
    """What hypermile could have changed. With the governor ondemand a speed has no effect."""
    names = ("scaling_governor", "scaling_max_freq", "scaling_min_freq")
    return {str(file): file.read_text() for name in names for file in sorted(root.rglob(name))}


def environment(folder: Path, program: Program) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("HYPERMILE_")}
    return kept | {"OMP_NUM_THREADS": "1", "OMPI_ALLOW_RUN_AS_ROOT": "1",
                   "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
                   "OMPI_MCA_mpi_yield_when_idle": "1", "TMPDIR": str(folder / "tmp"),
                   "HYPERMILE_SYSFS": str(folder / "sys"), "HYPERMILE_STATE": str(folder / "state"),
                   **program.environment}


def command(program: Program, variant: str, build: Path, folder: Path) -> list[str]:
    words = list(program.command)
    if program.build:
        words[0] = str(build / "tests/programs" / program.mpi / words[0])
    words = [f"mpirun.{program.mpi}", "-n", str(program.ranks), *words]
    options = VARIANTS[variant]
    if options is None:
        return words
    return [str(build / "bin/hypermile"), "run", *options, "--quiet",
            "--report", str(folder / "report"), "--", *words]


def still_running(mark: str) -> list[int]:
    """Processes that were started with this in their environment."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (process / "environ").read_bytes():
                found.append(int(process.name))
        except OSError:
            pass  # it has ended, or is not ours
    return found


def leftovers(folder: Path) -> list[str]:
    wrong = [f"left behind: {file.name}" for file in (folder / "tmp").glob("hypermile*")]
    mark = f"TMPDIR={folder / 'tmp'}"
    for _ in range(100):  # what mpirun has told to end may be a little later than mpirun
        left = still_running(mark)
        if not left:
            return wrong
        time.sleep(0.1)
    for process in left:
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            pass
    return [*wrong, f"{len(left)} processes still running 10 s after the end"]


def filtered(text: str, volatile: tuple[str, ...]) -> str:
    for pattern in volatile:
        text = re.sub(pattern, "", text, flags=re.MULTILINE)
    lines = (re.sub(r"[ \t]+", " ", line).rstrip() for line in text.splitlines())
    return "\n".join(line for line in lines if line)


def result_of(program: Program, folder: Path, out: str, err: str) -> str:
    parts = [out]
    if program.stderr:
        parts.append(re.sub(r"^hypermile: .*\n", "", err, flags=re.MULTILINE))
    for name in program.files:
        file = folder / name
        parts.append(file.read_text(errors="replace") if file.exists() else f"{name} is missing")
    return filtered("\n".join(parts), program.volatile)


def end(process: subprocess.Popen) -> tuple[bytes, bytes]:
    """Ends a job and returns its output so far."""
    os.killpg(process.pid, signal.SIGTERM)
    try:
        return process.communicate(timeout=20)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return process.communicate()


def wait(process: subprocess.Popen, stdin: str) -> tuple[int | None, str, str]:
    """Exit code (none: the job hung), stdout, stderr."""
    code: int | None = None
    try:
        out, err = process.communicate(stdin.encode(), timeout=TIME_LIMIT)
        code = process.returncode
    except subprocess.TimeoutExpired:
        out, err = end(process)
    except BaseException:  # Ctrl-C: the job has a session of its own and would not hear of it
        end(process)
        raise
    if code is not None and code < 0:
        code = 128 - code  # a signal, as a shell tells it
    return code, out.decode(errors="replace"), err.decode(errors="replace")


def run(program: Program, variant: str, build: Path, keep: Path | None = None) -> Outcome:
    """`keep`: a folder to which the report and the output are copied."""
    with tempfile.TemporaryDirectory(prefix="programs.") as name:
        folder = Path(name)
        (folder / "tmp").mkdir()
        make_cpufreq(folder / "sys")
        before = settings(folder / "sys")
        for file in program.inputs:
            shutil.copy((SCRIPTS if file.endswith(".py") else INPUTS) / file, folder)
        start = time.monotonic()
        process = subprocess.Popen(command(program, variant, build, folder), cwd=folder,
                                   env=environment(folder, program), stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   start_new_session=True)
        code, out, err = wait(process, program.stdin)
        wall = time.monotonic() - start
        wrong = leftovers(folder)
        if settings(folder / "sys") != before:
            wrong.append("gears were not restored")
        report, text = folder / "report/run.json", folder / "report/run.txt"
        outcome = Outcome(code, wall, result_of(program, folder, out, err), err,
                          json.loads(report.read_text()) if report.exists() else None,
                          text.read_text() if text.exists() else "", wrong)
        if keep:
            keep.mkdir(parents=True, exist_ok=True)
            (keep / "stdout").write_text(out)
            (keep / "stderr").write_text(err)
            (keep / "result").write_text(outcome.result)
            if report.exists():
                shutil.copytree(report.parent, keep, dirs_exist_ok=True)
        return outcome
