"""Runs tests one after the other; prints the name, the result and the duration of each."""

import time
import unittest


def name_of(test):
    kind = type(test).__name__
    return f"{kind}.{test.id().rsplit('.', 1)[-1].removeprefix('test_')}"


class Printed(unittest.TestResult):
    def startTest(self, test):
        super().startTest(test)
        self.begin = time.monotonic()
        print(f"{name_of(test):<78} ", end="", flush=True)

    def say(self, word, test, why=""):
        print(f"{word:<6} {time.monotonic() - self.begin:5.1f} s", flush=True)
        for line in why.splitlines():
            print(f"    {line}", flush=True)

    def addSuccess(self, test):
        super().addSuccess(test)
        self.say("ok", test)

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.say("FAILED", test, self.failures[-1][1])

    def addError(self, test, err):
        super().addError(test, err)
        if not isinstance(test, unittest.TestCase):
            print(self.errors[-1][1])
            return
        self.say("FAILED", test, self.errors[-1][1])

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.say("skip", test, reason)

    def addExpectedFailure(self, test, err):
        super().addExpectedFailure(test, err)
        self.say("known", test)  # a defect that is known, and not mended yet

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self.say("MENDED", test, "remove expectedFailure from this test")


def run(tests, begin, logs):
    """`begin`: monotonic time when all began. True if no test failed."""
    result = Printed()
    unittest.TestSuite(tests).run(result)
    failed = len(result.failures) + len(result.errors) + len(result.unexpectedSuccesses)
    print(f"rack: {result.testsRun} tests, {failed} failed, "
          f"{len(result.expectedFailures)} known to fail, "
          f"{time.monotonic() - begin:.0f} s in all", flush=True)
    if failed:
        print(f"rack: what the nodes printed is in {logs}", flush=True)
    return failed == 0
