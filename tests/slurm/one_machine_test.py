#!/usr/bin/env python3
"""tests/slurm/one_machine_test.py BUILD: the option --hypermile, on a Slurm of this machine alone.
Skipped (exit code 77) where that cannot be."""

import atexit
import json
import os
import pathlib
import pwd
import re
import shutil
import signal
import sys
import time
import unittest

import one_machine

try:
    import jsonschema
except ImportError:
    jsonschema = None

BUILD = pathlib.Path(sys.argv[1]).resolve()
SOURCE = pathlib.Path(__file__).resolve().parents[2]
HYPERMILE = BUILD / "bin/hypermile"
LAUNCH = {"openmpi": "--mpi=pmix", "mpich": "--mpi=pmi2"}
MPIS = [mpi for mpi in LAUNCH if (BUILD / "apps" / mpi / "cg").exists()]
SCHEMA = json.loads((SOURCE / "schemas/job-line-1.json").read_text())


def cg(mpi, size="S"):
    return [str(BUILD / "apps" / mpi / "cg"), "--class", size]


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


SLURM = None


def setUpModule():
    global SLURM
    SLURM = one_machine.OneMachine()
    atexit.register(SLURM.stop)  # unittest itself does not clean up after Ctrl-C
    SLURM.start()


class Slurm(unittest.TestCase):
    def setUp(self):
        self.slurm = SLURM
        self.folder = self.slurm.folder / self.id().rpartition(".")[2]
        self.folder.mkdir()
        self.jobs = self.folder / "jobs.jsonl"
        self.load(f"jobs={self.jobs}")

    def load(self, *arguments):
        plugin = next(BUILD.glob("lib*/**/hypermile-spank.so"))
        self.slurm.plugin(" ".join(["optional", str(plugin), *arguments]))

    def run_in_folder(self, *words, **more):
        return self.slurm.run(*words, folder=self.folder, **more)

    def srun(self, *words, code=0, **more):
        result = self.run_in_folder("srun", *words, **more)
        self.assertEqual(result.returncode, code, result)
        return result

    def lines(self):
        """Those of the file of jobs, each as its schema says."""
        lines = [json.loads(line) for line in self.jobs.read_text().splitlines()]
        for line in lines:
            if jsonschema is not None:
                jsonschema.Draft202012Validator(SCHEMA).validate(line)
            self.assertEqual(list(line), SCHEMA["required"])
        return lines

    def reports(self):
        return {f.parent.name: json.loads(f.read_text())
                for f in self.folder.glob("hypermile-*/run.json")}


class Steps(Slurm):
    def test_run_under_hypermile_and_fall_back_to_measuring_without_permission(self):
        for mpi in MPIS:
            with self.subTest(mpi):
                result = self.srun(LAUNCH[mpi], "--hypermile=maxdist", "-n", "2", *cg(mpi))
                self.assertIn("verification: successful", result.stdout)
                self.assertNotIn("hypermile", result.stdout)
                self.assertRegex(result.stderr, "hypermile: [A-Z][a-z ]+: no gears were set")
                self.assertRegex(result.stderr, "hypermile: no gear is set: .*")
                line = self.lines()[-1]
                self.assertEqual((line["step"], line["ranks"], line["program"]), ("0", 2, "cg"))
                self.assertEqual(line["user"], pwd.getpwuid(os.geteuid()).pw_name)
                self.assertEqual((line["gears_set"], line["saving_percent"]), (False, 0))
                report = self.reports()[f"hypermile-{line['sacct_id']}"]
                self.assertEqual((report["ranks"], report["objective"]), (2, "maxdist"))
                self.assertEqual(report["max_slowdown"], 0.05)
                self.assertIn(f"the report is in {self.folder}/hypermile-{line['sacct_id']}\n",
                              result.stderr)

    def test_save_energy_where_gears_can_be_set(self):
        mpi = MPIS[0]
        self.srun(LAUNCH[mpi], "-n", "2", "--hypermile=energy,backend=emulated,"
                  "platform=table-3.1-two-types,max-slowdown=20%,show=report,report=%u-%j.%s",
                  *cg(mpi, "W"))
        line = self.lines()[0]
        self.assertTrue(line["gears_set"] and line["emulated"])
        self.assertEqual((line["objective"], line["max_slowdown_percent"]), ("energy", 20))
        self.assertGreater(line["energy_j"], 0)
        self.assertEqual(line["energy_by"], "power tables")
        self.assertTrue((self.folder / f"{line['user']}-{line['sacct_id']}/run.txt").exists())

    def test_keep_the_exit_code_of_a_program_that_fails(self):
        for code, program in ((7, "exit 7"), (0, "exit 0")):
            self.srun("--hypermile", "-n", "2", "sh", "-c", program, code=code)
        killed = self.run_in_folder("srun", "--hypermile", "-n", "1", "sh", "-c", "kill -KILL $$")
        self.assertEqual(killed.returncode, 128 + signal.SIGKILL)

    def test_are_untouched_without_the_option(self):
        result = self.srun("-n", "2", "env")
        self.assertNotRegex(result.stdout, "HYPERMILE|LD_PRELOAD")
        self.assertEqual(result.stderr, "")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_with_settings_that_make_no_sense_do_not_start(self):
        for settings, complaint in (("maxdisk", "there is no setting 'maxdisk'"),
                                    ("max-slowdown=300", "'300' means 30000 %"),
                                    ("maxdist,max-slowdown", "max-slowdown has no value"),
                                    ("baseline", "of the command 'hypermile run' only"),
                                    ("platform=nowhere", "there is no platform 'nowhere'"),
                                    ("report=%x", "'%x' has a % that means nothing"),
                                    ("off,exact", "off goes with no other setting")):
            for command in (["srun"], ["sbatch", "--wrap"]):
                with self.subTest(settings=settings, command=command[0]):
                    result = self.run_in_folder(command[0], f"--hypermile={settings}",
                                                *command[1:], "touch started")
                    self.assertNotEqual(result.returncode, 0)
                    self.assertIn("hypermile: error: ", result.stderr)
                    self.assertIn(complaint, " ".join(result.stderr.split()))
        self.assertFalse((self.folder / "started").exists())

    def test_run_as_ever_where_hypermile_is_not_installed(self):
        self.load("hypermile=/nowhere/hypermile")
        mpi = MPIS[0]
        result = self.srun(LAUNCH[mpi], "--hypermile=maxdist", "-n", "2", *cg(mpi))
        self.assertIn("verification: successful", result.stdout)
        self.assertEqual(result.stderr.count("warning: /nowhere/hypermile does not run"), 2)

    def test_of_an_ordinary_user_leave_their_report(self):
        mpi = MPIS[0]
        if not os.access(BUILD, os.X_OK) or not self.can_be_read_by_all():
            self.skipTest("the build is not for others to read")
        self.folder.chmod(0o777)
        self.load(f"jobs={self.folder}/%u.jsonl")
        result = self.srun(LAUNCH[mpi], "--hypermile", "-n", "2", *cg(mpi), user="nobody",
                           group="nogroup", extra_groups=[])
        self.assertIn("verification: successful", result.stdout)
        self.jobs = self.folder / "nobody.jsonl"
        self.assertEqual(self.lines()[0]["user"], "nobody")
        self.assertEqual(len(self.reports()), 1)

    def can_be_read_by_all(self):
        return all(folder.stat().st_mode & 0o1 for folder in [BUILD, *BUILD.parents])

    def test_that_cannot_keep_their_report_print_it_and_succeed(self):
        mpi = MPIS[0]
        self.load(f"jobs={self.folder}/none/jobs.jsonl", "report=/dev/null/out")
        result = self.srun(LAUNCH[mpi], "--hypermile", "-n", "2", *cg(mpi))
        self.assertIn(f"warning: cannot add this job to {self.folder}/none/jobs.jsonl",
                      result.stderr)
        self.assertIn("2 ranks on 1 node", result.stderr)


class Scripts(Slurm):
    def batch(self, lines, *words):
        (self.folder / "job.sh").write_text("#!/bin/bash\n" + lines)
        result = self.run_in_folder("sbatch", "--wait", "--output=out", "--ntasks=2", *words,
                                    "job.sh")
        out = (self.folder / "out").read_text()
        self.assertEqual(result.returncode, 0, (result, out))
        return out

    def test_give_their_option_to_all_steps_which_may_change_it(self):
        mpi = MPIS[0]
        program = " ".join(cg(mpi))
        out = self.batch(f"""#SBATCH --hypermile=edp,report=none,dry-run
srun {LAUNCH[mpi]} {program}
srun {LAUNCH[mpi]} --hypermile=energy {program}
srun --hypermile=off env
""")
        lines = self.lines()
        self.assertEqual([line["step"] for line in lines], ["0", "1"], out)
        self.assertEqual([line["objective"] for line in lines], ["edp", "energy"])
        self.assertNotRegex(out, "(?m)^(HYPERMILE_|LD_PRELOAD)")
        self.assertEqual({f.name for f in self.folder.iterdir()}, {"job.sh", "jobs.jsonl", "out"})
        self.assertEqual(out.count("verification: successful"), 2)

    @unittest.skipUnless("openmpi" in MPIS, "needs Open MPI")
    def test_may_start_jobs_without_srun(self):
        mpirun = shutil.which("mpirun.openmpi") or "mpirun"
        self.slurm.environment |= {"OMPI_ALLOW_RUN_AS_ROOT": "1",
                                   "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        # Its own way to start ranks: this machine has none of the names of Slurm's nodes.
        isolated = "--mca ras ^slurm --mca plm isolated --oversubscribe"
        self.batch(f"{mpirun} {isolated} -n 2 {' '.join(cg('openmpi'))}\n", "--hypermile")
        line = self.lines()[0]
        self.assertEqual((line["step"], line["ranks"]), ("batch", 2))
        self.assertIn(f"hypermile-{line['job_id']}.batch", self.reports())


class Jobs(Slurm):
    def test_that_are_killed_with_all_that_belongs_to_hypermile_are_restored_by_the_epilog(self):
        state = self.folder / "state"
        gear, pids = self.folder / "gear", self.folder / "pids"
        settings = (f"gears=1,backend=command,command-gears=2GHz,1GHz,show=nothing,"
                    f"set-command=cp {self.folder}/{{gear}} {gear}")
        for name in "01":
            (self.folder / name).write_text(name)
        self.slurm.epilog(f"export HYPERMILE_STATE={state}\n{BUILD}/libexec/hypermile/slurm-restore")
        self.addCleanup(self.slurm.epilog, "")
        self.slurm.environment["HYPERMILE_STATE"] = str(state)
        self.addCleanup(self.slurm.environment.pop, "HYPERMILE_STATE")
        mpi = MPIS[0]
        job = self.slurm.begin("srun", LAUNCH[mpi], f"--hypermile={settings}", "-n", "1",
                               *cg(mpi, "B"), folder=self.folder)
        self.until(lambda: gear.exists() and gear.read_text() == "1", job)
        for program in ("hypermile-guard", "cg"):  # the guard first, else it restores
            for pid in one_machine.processes_of(program):
                os.kill(pid, signal.SIGKILL)
        job.communicate(timeout=20)
        self.until(lambda: gear.read_text() == "0", job)

    def until(self, holds, job):
        end = time.monotonic() + 15
        while not holds():
            if time.monotonic() > end:
                job.kill()
                self.fail(f"waited in vain: {job.communicate()}")
            time.sleep(0.02)

    def test_start_in_given_gears_by_the_command_that_select_prints(self):
        program = " ".join(cg("mpich", "W")) if "mpich" in MPIS else "sleep 3"
        printed = self.run_in_folder(str(HYPERMILE), "select", "--platform", "table-3.1-two-types",
                                     "--workload", str(SOURCE / "tests/slurm/workload.yaml"),
                                     "--objective", "energy", "--max-slowdown", "20%",
                                     "--print-srun", "--program", program)
        self.assertEqual(printed.returncode, 0, printed)
        wanted = re.findall("--cpu-freq=([0-9]+)", printed.stdout)
        self.assertEqual(len(set(wanted)), 2, printed.stdout)
        step = self.slurm.begin("env", "SLURM_MPI_TYPE=pmi2", "sh", "-c", printed.stdout,
                                folder=self.folder)
        seen = []
        self.until(lambda: self.frequencies(seen) or step.poll() is not None, step)
        out, err = step.communicate(timeout=30)
        self.assertEqual((seen, step.returncode), (wanted, 0), (out, err))
        if "mpich" in MPIS:
            self.assertIn("2 ranks", out)

    def frequencies(self, seen):
        """Of the components of the step that runs, in their order."""
        steps = self.slurm.run("scontrol", "show", "step").stdout
        seen[:] = re.findall("CPU_max_freq=([0-9]+)", steps)
        return len(seen) >= 2


def main():
    if why := one_machine.missing():
        skip(why)
    if not MPIS:
        skip("this build has no MPI")
    if not list(BUILD.glob("lib*/**/hypermile-spank.so")):
        skip("this build has no plugin for Slurm, as slurm/spank.h was missing")
    if why := one_machine.enter_own_processes():
        skip(why)
    if jsonschema is None:
        print("python3-jsonschema is not installed: lines are compared with the schema's keys only")
    for number in (signal.SIGTERM, signal.SIGHUP):  # as Ctrl-C, which no test takes for a failure
        signal.signal(number, signal.default_int_handler)
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)


if __name__ == "__main__":
    main()
