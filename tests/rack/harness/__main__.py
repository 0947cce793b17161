"""Builds what the nodes need, starts them, runs the tests in them. Called by ../host/enter, in
namespaces and a root of its own: harness PROJECT [--list | --shell NODE | NAME...]."""

import pathlib
import signal
import sys
import time
import unittest

import image
import nodes
import results


def all_tests(suite):
    for one in suite:
        if isinstance(one, unittest.TestSuite):
            yield from all_tests(one)
        else:
            yield one


def find_tests(folder, names):
    sys.path.insert(0, str(folder))
    tests = list(all_tests(unittest.TestLoader().discover(str(folder), pattern="*.py")))
    return [t for t in tests if not names or any(name in results.name_of(t) for name in names)]


def main(project, arguments):
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # ../run ends all of this
    here = project / "tests/rack"
    state = project / "build/rack"
    shell = arguments[1:2] if arguments[:1] == ["--shell"] else []
    names = [] if shell else arguments
    tests = find_tests(here / "cases", [n for n in names if n != "--list"])
    if "--list" in names:
        print("\n".join(results.name_of(test) for test in tests))
        return 0
    if any(name.startswith("-") for name in names) or (arguments[:1] == ["--shell"] and not shell):
        print("rack: error: wrong usage; try: tests/rack/run --help", file=sys.stderr)
        return 2
    if not tests:
        print("rack: error: no test has such a name; try: --list", file=sys.stderr)
        return 2

    begin = time.monotonic()
    image.build(project, state)
    rack = nodes.Rack(state)
    print(f"rack: two nodes are up after {time.monotonic() - begin:.0f} s, with "
          f"{rack.accelerator}", flush=True)
    if shell:
        return rack.shell(shell[0])
    nodes.the_rack = rack
    return 0 if results.run(tests, begin, state / "logs") else 1


sys.exit(main(pathlib.Path(sys.argv[1]), sys.argv[2:]))
