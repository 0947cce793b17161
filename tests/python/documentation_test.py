"""docs/python.md and the notebooks say what the module does: their code is run."""

import ast
import doctest
import glob
import inspect
import json
import os
import unittest

import hypermile
import reference
import support


def missing(*names):
    for name in names:
        try:
            __import__(name)
        except ImportError:
            return name
    return ""


class Docstrings(unittest.TestCase):
    def test_are_there_for_every_public_name(self):
        for name in hypermile.__all__:
            thing = getattr(hypermile, name)
            with self.subTest(name):
                self.assertTrue(thing.__doc__)
            for member_name, member in reference.public_members(thing) if inspect.isclass(thing) else ():
                with self.subTest(f"{name}.{member_name}"):
                    self.assertTrue(reference.function_of(member).__doc__)

    def test_name_every_argument(self):
        """In words of their own, as arguments are named in docstrings."""
        for thing in (hypermile.select, hypermile.front, hypermile.Workload):
            for argument in inspect.signature(thing).parameters:
                with self.subTest(thing=thing, argument=argument):
                    self.assertRegex(thing.__doc__, rf"\b{argument}\b")

    def test_have_examples_that_are_true(self):
        self.assertEqual(doctest.testmod(hypermile).failed, 0)


class Page(unittest.TestCase):
    def test_has_the_reference_that_the_docstrings_make(self):
        _, _, there = reference.split_page()
        self.assertEqual(there, reference.reference(), "tests/python/reference.py --write makes it")

    @unittest.skipIf(missing("pandas"), "pandas is not there")
    @unittest.skipUnless(support.PROGRAM, "this build has no SimGrid, and simulates nothing")
    def test_has_examples_that_are_true(self):
        os.chdir(support.scratch)
        ended = support.command("simulate", "--platform", "table-3.1", "-n", "4", "--quiet", "--report", "out", "--",
                                support.PROGRAM, "--class", "S")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        _, by_hand, _ = reference.split_page()
        examples = doctest.DocTestParser().get_doctest(by_hand, {}, "docs/python.md", "docs/python.md", 0)
        self.assertGreater(len(examples.examples), 10)
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
        self.assertEqual(runner.run(examples).failed, 0)


class Notebooks(unittest.TestCase):
    @unittest.skipIf(missing("pandas", "matplotlib"), "pandas or matplotlib is not there")
    def test_run_from_their_first_cell_to_their_last(self):
        import matplotlib
        matplotlib.use("Agg")
        notebooks = glob.glob(os.path.join(support.SOURCE, "docs/notebooks/*.ipynb"))
        self.assertTrue(notebooks)
        for notebook in notebooks:
            with open(notebook) as file:
                cells = json.load(file)["cells"]
            names = {}
            for number, cell in enumerate(cells):
                if cell["cell_type"] == "code":
                    with self.subTest(notebook=notebook, cell=number):
                        self.run_cell("".join(cell["source"]), names)

    def run_cell(self, source, names):
        """As a notebook does: what the last line is worth is shown."""
        tree = ast.parse(source)
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, "cell", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
            if hasattr(value, "_repr_html_"):
                self.assertIn("<table", value._repr_html_())


if __name__ == "__main__":
    support.main()
