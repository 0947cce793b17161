"""docs/tutorial.md: its program is compiled, its commands are executed, and they print what the page says.

    tutorial_test.py BUILD

Numbers may differ, and "..." in the page stands for anything. Exit code 77: there is no MPI; nothing was tested."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import blocks

SKIPPED = 77
SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = None
NEEDED = ("mpicc", "mpirun", "smpicc")
# Ranks that wait leave their core to others, which may be other tests.
ENVIRONMENT = {"OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMP_NUM_THREADS": "1"}


NUMBER = r"[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?"


def pattern_of(lines):
    """What is printed, whatever its numbers, and however blanks align them. A report breaks its lines elsewhere
    when a number is longer, so blanks stand for line ends, too."""
    text = " ".join(" ".join(lines).split())
    parts = re.split(rf"( ?\.\.\. ?)|({NUMBER})", text)
    return "".join(re.escape(plain) + (".*" if anything else NUMBER if number else "")
                   for plain, anything, number in zip(parts[::3], parts[1::3] + [None], parts[2::3] + [None]))


def is_as_said(lines, printed):
    return bool(re.fullmatch(pattern_of(lines), " ".join(printed.split()), re.DOTALL))


class Tutorial(unittest.TestCase):
    def setUp(self):
        with open(os.path.join(SOURCE, "docs/tutorial.md")) as page:
            self.blocks = blocks.blocks(page.read())

    def test_does_what_it_says(self):
        programs = [block for block in self.blocks if block.language == "c"]
        steps = [step for block in self.blocks if block.language == "console" for step in blocks.steps(block)]
        self.assertEqual(len(programs), 1)
        self.assertGreater(len(steps), 8)
        environment = {**os.environ, **ENVIRONMENT, "PATH": f"{BUILD}/bin:{os.environ['PATH']}"}
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "heat.c"), "w") as file:
                file.write(programs[0].text)
            for step in steps:
                with self.subTest(line=step.line, command=step.command):
                    ended = subprocess.run(["bash", "-c", step.command + " 2>&1"], cwd=folder, env=environment,
                                           stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
                    self.assertEqual(ended.returncode, 0, ended.stdout)
                    self.assertTrue(is_as_said(step.output, ended.stdout),
                                    f"{ended.stdout}\nis not as docs/tutorial.md:{step.line + 1} says")

    def test_has_outputs_that_say_something(self):
        """An output of nothing but "..." would be that of any command."""
        for block in self.blocks:
            if block.language == "console":
                for step in blocks.steps(block):
                    self.assertNotEqual([line.strip() for line in step.output], ["..."], step.command)


class TheComparison(unittest.TestCase):
    def test_lets_numbers_and_blanks_differ_and_nothing_else(self):
        said = ["time    1.5 s (-3 %)", "...", "end x4"]
        for printed in ("time 12 s (+0.25 %)\nend x4", "time 1e-3 s\n  (3 %)\nanything\nat all\nend x5\n"):
            self.assertTrue(is_as_said(said, printed), printed)
        for printed in ("time 12 s (3 %)", "time s (3 %)\nend x4", "times 1 s (3 %)\nend x4", "time 1 s (3 %)\nend x4 more"):
            self.assertFalse(is_as_said(said, printed), printed)

    def test_reads_blocks_and_steps_with_their_lines(self):
        page = "a\n\n    one\n\n    two\n\nb\n```console\n$ x --y\nout\n$ z\n```\n"
        indented, fenced = blocks.blocks(page)
        self.assertEqual((indented.line, indented.lines), (3, ["one", "", "two"]))
        self.assertEqual(blocks.steps(fenced), [blocks.Step(9, "x --y", ["out"]), blocks.Step(11, "z", [])])


if __name__ == "__main__":
    BUILD = os.path.abspath(sys.argv.pop(1))
    if missing := [program for program in NEEDED if not shutil.which(program)]:
        print(f"skipped: there is no {missing[0]}")
        sys.exit(SKIPPED)
    unittest.main(verbosity=2)
