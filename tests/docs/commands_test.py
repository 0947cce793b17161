"""The command lines of hypermile on our pages: each is one that the command takes, and what can run here in
seconds is run.

    commands_test.py HYPERMILE PROGRAM    PROGRAM: one of ours that was built with smpicc"""

import copy
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import blocks
import command_lines
from command_lines import Line

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CALLS = "Allreduce 0.3\n"  # what --sensitivity reads, as soon as the command line is read
HYPERMILE = ""
PROGRAM = ""

# What is not run, by the begin of its arguments, and why.
NOT_RUN = {
    ("run",): "needs the program and the nodes of the reader; the tutorial runs some, and so does tests/cli/run",
    ("steer",): "steers a program for seconds to hours; tests/cli/steer does",
    ("calibrate-power",): "measures for minutes, on a node that does nothing else",
    ("collective",): "measures an MPI library for minutes; tests/cli/collective does",
    ("bcast",): "likewise",
    ("sweep",): "minutes",
    ("reproduce",): "minutes to hours",
    ("record",): "minutes, as the page has it; a smaller record makes what the lines below it read",
    ("simulate",): "needs the program of the reader; the tutorial and tests/cli/simulate simulate",
    ("simulate", "--model", "my.lua"): "is the model of the reader, for 100,000 ranks",
    ("simulate", "--model", "stencil", "--set"): "10 s, for 64 ranks and a plan; tests/cli/simulate has fewer",
    ("explain", "--model", "stencil", "--platform", "table-3.1", "-n", "64"): "likewise",
    ("select", "--model"): "10 s, for 64 ranks",
    ("simulate", "--replay", "app.hmr"): "needs a run that was recorded on real nodes",
    ("explain", "app.hmr", "--platform"): "needs a run that is from a trace",
    ("compare", "ref-*.json"): "needs the shell, and the results of two nights",
    ("fit",): "needs the model and the measurements of the reader",
    ("plan",): "needs what earlier jobs have taught; tests/cli/run has such",
    ("jobs",): "needs the jobs of a cluster; tests/cli/jobs has some",
    ("trace", "import"): "needs a trace of Score-P",
    ("restore",): "would restore what others have set on this machine",
}
# Of the commands above, what is run nevertheless.
RUN = {("simulate", "--replay"), ("simulate", "--model")}


def read(page):
    with open(os.path.join(SOURCE, page)) as file:
        return file.read()


def begins_with(arguments, words):
    return arguments[:len(words)] == words


def reason(arguments):
    """Why a line is not run; empty: it is. The longest begin of its arguments decides."""
    longest = max((words for words in [*NOT_RUN, *RUN] if begins_with(arguments, words)), key=len, default=())
    return NOT_RUN.get(longest, "")


class Prepared:
    """A folder in which the lines of the pages find what they read."""

    def __init__(self, folder):
        self.folder = folder
        os.mkdir(folder)
        for name in ("tests", "studies"):
            os.symlink(os.path.join(SOURCE, name), os.path.join(folder, name))
        self.write("cluster.yaml", self.block("docs/own-platform.md", "schema: hypermile/platform/1"))
        self.write("pipeline.lua", self.block("docs/models.md", "role(\"stage\""))
        self.write("W.yaml", read("tests/slurm/workload.yaml"))
        program = ["--", PROGRAM, "--class", "S"]
        for name in ("out", "sim"):
            self.must("simulate", "--platform", "table-3.1", "-n", "4", "--quiet", "--report", name, *program)
        for name in ("app.hmr", "cg.hmr"):
            self.must("record", "--platform", "table-3.1", "-n", "4", "--quiet", "-o", name, *program)
        for n in ("", "-1", "-2", "-3"):
            for name in ("before", "after"):
                shutil.copytree(os.path.join(folder, "sim"), os.path.join(folder, name + n))
        for n in "123":
            for name in "ab":
                shutil.copy(os.path.join(folder, "sim/simulation.json"), os.path.join(folder, f"{name}{n}.json"))
        self.write("plan.json", self.must("select", "app.hmr", "--json"))
        self.write("calls.txt", CALLS)

    def block(self, page, part):
        return next(block.text for block in blocks.blocks(read(page)) if part in block.text)

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w") as file:
            file.write(text)

    def copy(self, folder):
        """The same for one page, whose lines may leave something for each other."""
        shutil.copytree(self.folder, folder, symlinks=True)
        other = copy.copy(self)
        other.folder = folder
        return other

    def run(self, *arguments):
        return subprocess.run([HYPERMILE, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True)

    def must(self, *arguments):
        ended = self.run(*arguments)
        if ended.returncode:
            raise AssertionError(f"{arguments}: {ended.stderr}")
        return ended.stdout


class CommandLines(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.lines = command_lines.all_lines(SOURCE)

    def test_are_found(self):
        self.assertGreater(len(self.lines), 100)
        for page in ("README.md", "docs/run.md", "docs/slurm.md", "docs/tutorial.md"):
            self.assertIn(page, {line.page for line in self.lines})

    def test_are_taken_by_the_command(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "calls.txt"), "w") as file:
                file.write(CALLS)
            for line in self.lines:
                with self.subTest(str(line)):
                    ended = subprocess.run([HYPERMILE, "--check", *line.arguments], cwd=folder, capture_output=True, text=True)
                    self.assertEqual((ended.returncode, ended.stderr), (0, ""))
            self.assertEqual(os.listdir(folder), ["calls.txt"])  # nothing was run

    def test_that_are_wrong_would_be_told(self):
        for wrong in (("run", "--max-slowdon", "5%", "--", "./app"), ("run", "--max-slowdown", "2", "--", "./app"), ("bogus",),
                      ("simulate", "-n", "none", "--", "./app"), ("select", "a", "b"), ("steer", "--power", "90", "--", "./a"), ()):
            ended = subprocess.run([HYPERMILE, "--check", *wrong], capture_output=True, text=True)
            self.assertEqual(ended.returncode, 2, wrong)
            self.assertIn("hypermile: error: ", ended.stderr)

    def test_are_run_where_they_can_be(self):
        html = os.path.join(os.path.dirname(HYPERMILE), "../share/hypermile/report.html")
        ran = 0
        with tempfile.TemporaryDirectory() as folder:
            prepared = Prepared(os.path.join(folder, "prepared"))
            for page in command_lines.pages(SOURCE):
                here = prepared.copy(os.path.join(folder, page.replace("/", "-")))
                for line in (line for line in self.lines if line.page == page and not reason(line.arguments)):
                    if line.arguments[0] == "report" and not os.path.exists(html):
                        continue  # there was no Node
                    with self.subTest(str(line)):
                        ended = here.run(*line.arguments)
                        self.assertEqual(ended.returncode, 0, ended.stderr)
                        ran += 1
        self.assertGreater(ran, 25)

    def test_have_no_exceptions_that_nothing_needs(self):
        for words in NOT_RUN:
            self.assertTrue(any(begins_with(line.arguments, words) for line in self.lines), words)


class Options(unittest.TestCase):
    """Options that the text names are options of some command, or of others that it speaks of."""

    maxDiff = None
    OF_OTHERS = {"--nodelist", "--constraint",  # Slurm
                 "--cflags", "--variable",  # pkg-config
                 "--collective"}  # bench/broadcast_errors

    def test_of_the_text_exist(self):
        known = set()
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([HYPERMILE, "manual", "--all", "-o", folder], check=True)
            for name in os.listdir(folder):
                with open(os.path.join(folder, name)) as file:
                    known.update(re.findall(r"--[a-z][a-z0-9-]*", file.read().replace("\\-", "-")))
        unknown = []
        for page in command_lines.pages(SOURCE):
            if page == "apps/README.md":  # speaks of the options of our programs
                continue
            for code in re.findall(r"`([^`\n]+)`", read(page)):
                if code.startswith(("--", "hypermile ")):
                    unknown += [f"{page}: {option}" for option in re.findall(r"(?<!\S)--[a-z][a-z0-9-]*", code)
                                if option not in known | self.OF_OTHERS]
        self.assertEqual(unknown, [])


class TheReader(unittest.TestCase):
    def lines(self, text):
        return [line.arguments for line in command_lines.lines_of("page", text)]

    def test_finds_calls_in_blocks_and_nowhere_else(self):
        self.assertEqual(self.lines("hypermile run\n\n    hypermile run -- ./a\n\n`hypermile x`\n"), [("run", "--", "./a")])
        for fence in ("```console\n$ hypermile doctor\nhypermile on node\n```\n", "```\nhypermile doctor\n```\n",
                      "    a && build/bin/hypermile doctor | less\n", "    X=$(hypermile doctor) srun ./app\n",
                      "    srun -n 2 hypermile doctor # hypermile no\n", "    A=1 hypermile \\\n      doctor\n"):
            self.assertEqual(self.lines(fence), [("doctor",)], fence)
        for other in ("```text\nhypermile doctor\n```\n", "    module load hypermile\n", "    --bind /usr/lib/hypermile a\n",
                      "```yaml\nx: hypermile doctor\n```\n"):
            self.assertEqual(self.lines(other), [], other)

    def test_tells_the_line(self):
        (line,) = command_lines.lines_of("page", "a\n\n    b\n    hypermile 'c d'\n")
        self.assertEqual(line, Line("page", 4, ("c d",)))
        self.assertEqual(str(line), "page:4: hypermile 'c d'")


if __name__ == "__main__":
    HYPERMILE = os.path.abspath(sys.argv.pop(1))
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
