"""What every command prints with --json, of inputs as small as they can be."""

import json
import os
import pathlib
import subprocess

SOURCE = pathlib.Path(__file__).resolve().parents[2]
PROBLEM = SOURCE / "tests/golden/public-08-cluster.json"
SPEED = ["--reference-speed", "110Gf"]

MODEL = """local work = param('work', 1e10, 'operations in all')
role('all', function(p)
  steps(100, 12, function(i)
    compute(work / p.ranks) allreduce(8)
  end)
end)
"""
STUDY = """schema: hypermile/study/1
study: two
programs: [{{name: cg, command: "{program} --class S", ranks: [2, 4]}}]
platforms: [table-3.1]
methods: [exact]
options: {{reference-speed: 110Gf}}
"""
JOB = {
    "schema": "hypermile/job-line/1", "job_id": 1, "step": "0", "sacct_id": "1.0", "cluster": None, "user": "anna",
    "ended_unix_s": 1763726580, "program": "cg", "ranks": 4, "nodes": ["n0"], "emulated": False, "time_s": 10.0,
    "gear0_time_s": 9.5, "energy_j": 100.0, "gear0_energy_j": 130.0, "energy_by": "meters", "gears_set": True,
    "saving_percent": 23.0, "slowdown_percent": 5.0, "possible_saving_percent": None,
    "possible_slowdown_percent": None, "method": "exact", "objective": "maxdist", "max_slowdown_percent": 5.0,
    "verdict": "Success"}


class Outputs:
    """Runs commands of the build in a folder of its own."""

    def __init__(self, build, folder):
        self.build = pathlib.Path(build).resolve()
        self.folder = pathlib.Path(folder)
        self.simulates = (self.build / "apps/smpi/cg").exists()
        self.otf2 = False  # becomes true where this build can write such traces
        self.mpi = next((m for m in ("openmpi", "mpich") if (self.build / "apps" / m / "cg").exists()), None)

    def path(self, name):
        return str(self.folder / name)

    def written(self, name, text):
        (self.folder / name).write_text(text)
        return self.path(name)

    def program(self, name="cg"):
        return [str(self.build / "apps/smpi" / name), "--class", "S"]

    def job(self, ranks=2, name="cg"):
        launcher = f"mpirun.{self.mpi}"
        return ["--", launcher, "-n", str(ranks), str(self.build / "apps" / self.mpi / name), "--class", "S"]

    def hypermile(self, *words, codes=(0,), **environment):
        """Runs it to its end; its output."""
        result = subprocess.run(
            [str(self.build / "bin/hypermile"), *words], cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True,
            text=True, timeout=200, env={**os.environ, **self.settings(), **environment})
        if result.returncode not in codes:
            raise AssertionError(f"hypermile {' '.join(words)}: {result.returncode}\n{result.stderr}")
        return result.stdout

    def settings(self):
        return {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMP_NUM_THREADS": "1",
                "HYPERMILE_STATE": self.path("state")}

    def printed(self, *words, **options):
        return json.loads(self.hypermile(*words, **options))

    def kept(self, name, document):
        self.written(name, json.dumps(document))
        return document

    # One function for each group of commands, in an order in which later ones use what earlier ones left.

    def of_anywhere(self):
        yield self.kept("plan.json", self.printed("select", str(PROBLEM), "--json"))
        yield self.printed("select", str(PROBLEM), "--compare", "exact,alg5", "--json")
        yield self.printed("select", str(SOURCE / "tests/golden/public-01-homogeneous.json"), "--method", "rauber-e",
                           "--json")
        yield self.printed("select", str(PROBLEM), "--energy-budget", "1J", "--json", codes=(0, 3))
        yield self.printed("select", str(PROBLEM), "--pareto", "--json")
        yield self.printed("explain", self.path("plan.json"), "--problem", str(PROBLEM), "--json")
        for platform in ("table-3.1", "galera-plus", "epyc-9354-ndr"):
            yield self.printed("platform", "show", platform, "--json")
        yield self.printed("platform", "components", "--json")
        yield self.printed("doctor", "--json")
        yield self.printed("restore", "--json")
        line = json.dumps(JOB)
        yield self.printed("jobs", self.written("jobs.jsonl", f"{line}\n{line}\n"), "--json")
        yield self.printed("calibrate-power", "--backend", "none", "--assume", "100W,80W,50W", "--seconds", "0.01", "--json",
                           "-q", "-o", self.path("node.yaml"))

    def of_steer(self):
        table = str(SOURCE / "data/parsec/blackscholes.csv")
        yield self.printed("steer", "--power", "60W", "--replay", table, "--json")
        lines = "i=0; while [ $i -lt 40 ]; do i=$((i + 1)); echo done $i; sleep 0.03; done"
        self.hypermile("steer", "--power", "60W", "--backend", "emulated", "--progress-regex", "done ([0-9]+)",
                       "--timeline", "timeline.json", "--json", "-o", "steer.json", "--", "sh", "-c", lines)
        for name in ("steer.json", "timeline.json"):
            yield json.loads((self.folder / name).read_text())
        yield self.printed("compare", "steer.json", "steer.json", "--json")
        yield self.printed("steer", "evaluate", table, "--methods", "adaptive", "--json")

    def of_simulations(self):
        on = ["--platform", "table-3.1", *SPEED, "-q"]
        cg = ["-n", "4", "--", *self.program()]
        simulation = self.printed("simulate", *on, "--compare", "exact,planned", "--power-cap", "300W", "--report",
                                  self.path("out"), "--json", *cg)
        yield simulation
        faster = json.loads(json.dumps(simulation))
        for run in faster["runs"]:
            run["time_s"] *= 0.9
        self.kept("faster.json", faster)
        yield self.printed("compare", "out", "faster.json", "--max-slowdown", "2%", "--json")
        yield self.printed("compare", "out", "--with", "faster.json", "--json", "--method", "exact")
        yield self.printed("explain", "out", "--json")
        yield self.printed("trace", "export", "out", "-q", "-o", self.path("trace.json"), "--json")
        self.hypermile("trace", "export", "out", "-q", "--format", "otf2", "-o", "otf2", codes=(0, 1))
        self.otf2 = (self.folder / "otf2/traces.otf2").exists()
        if self.otf2:
            yield self.printed("trace", "import", "otf2/traces.otf2", "--platform", "table-3.1", "-q", "-o", "read.hmr",
                               "--json")
        yield self.printed("record", *on, "-o", self.path("cg.hmr"), "--json", *cg)
        yield self.printed("explain", "cg.hmr", "-q", "--gears", "type1=1", "--json")
        model = self.written("model.lua", MODEL)
        yield self.printed("simulate", "--model", model, "-n", "3", "--platform", "table-3.1", "-q", "--fast", "--json")
        yield self.printed("select", "--model", model, "-n", "3", "--platform", "table-3.1", "--json")
        runs = self.written("runs.csv", "ranks,time_s\n1,10\n2,6\n4,3\n8,1.4\n")
        yield self.printed("fit", model, runs, "--platform", "galera-plus", "--parameter", "work", "-q", "--json")
        yield self.printed("reproduce", "--json")
        programs = ["--program", f"EP={self.program('ep')[0]} --class S"]
        for name in ("CG", "MG", "FT", "BT"):
            programs += ["--program", f"{name}=/bin/false"]  # fails at once
        yield self.printed("reproduce", "f16-2.3", "--class", "S", "-o", self.path("tables"), "-q", *SPEED, "--json",
                           *programs, codes=(0, 1))
        study = self.written("study.yaml", STUDY.format(program=self.program()[0]))
        yield self.kept("sweep.json", self.printed("sweep", study, "-q", "--json"))
        yield self.printed("compare", "study.results", "sweep.json", "--json")

    def of_jobs(self):
        on = ["--backend", "emulated", "--platform", "table-3.1", "--json", "-q", "-o"]
        for number in (1, 2):
            name = f"run-{number}.json"
            self.hypermile("run", "--baseline", "--learn", self.path("memory"), "--wait-gear", "--waiting", "spinning",
                           *on, name, *self.job())
            yield json.loads((self.folder / name).read_text())
        self.hypermile("run", "--dry-run", "--report", self.path("report"), "-q", *self.job(name="ring"))
        yield json.loads((self.folder / "report/loop.json").read_text())
        yield self.printed("compare", "run-1.json", "run-2.json", "--json")
        yield self.printed("plan", "memory", "--json")

    def of_collectives(self):
        calibration = self.path("bcast.json")
        self.hypermile("bcast", "calibrate", "--sizes", "64KiB:128KiB", "--segments", "128KiB", "--passes", "2",
                       "--seconds", "0.001", "--platform", "table-3.1", "-o", calibration, "--", f"mpirun.{self.mpi}",
                       "-n", "2")
        yield json.loads(pathlib.Path(calibration).read_text())
        yield self.printed("bcast", "estimate", calibration, "--size", "100kB", "--json")
        yield self.printed("bcast", "choose", calibration, "--json")
        yield self.printed("bcast", "apply", calibration, "--least", "time", "--confidence", "0", "-o",
                           self.path("rules"), "--json")
        yield self.printed("bcast", "verify", "rules", "--json", "--", f"mpirun.{self.mpi}", "-n", "2", codes=(0, 1))
