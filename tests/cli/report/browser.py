"""A headless Chromium that is driven over a pipe by its DevTools protocol."""

import fcntl
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def _take_as_3_and_4(to_browser, from_browser):
    """In the browser: the numbers where it reads commands and writes answers."""
    beyond = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in (to_browser, from_browser)]
    for number, end in zip((3, 4), beyond):
        os.dup2(end, number)


class Browser:
    """One page of a browser. `errors`: what its console complained of; `requests`: what it loaded."""

    TIMEOUT_S = 120

    def __init__(self):
        self.errors = []
        self.requests = []
        self._number = 0
        self._unread = b""
        self._profile = tempfile.mkdtemp(prefix="hypermile-browser-")
        to_browser, self._out = os.pipe()
        self._in, from_browser = os.pipe()
        self._process = subprocess.Popen(
            [PROGRAM, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run",
             "--disable-dev-shm-usage", "--force-color-profile=srgb", f"--user-data-dir={self._profile}", "about:blank"],
            close_fds=False, preexec_fn=lambda: _take_as_3_and_4(to_browser, from_browser),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.kill()
        self._process.wait()
        os.close(self._out)
        os.close(self._in)
        shutil.rmtree(self._profile, ignore_errors=True)

    def call(self, method, **parameters):
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if hasattr(self, "_session"):
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        wanted = self._number
        return self._until(lambda answer: answer.get("id") == wanted)

    def _until(self, is_wanted):
        end = time.monotonic() + self.TIMEOUT_S
        while True:
            while b"\0" not in self._unread:
                if not select.select([self._in], [], [], max(0, end - time.monotonic()))[0]:
                    raise TimeoutError("the browser does not answer")
                data = os.read(self._in, 1 << 20)
                if not data:
                    raise EOFError("the browser has ended")
                self._unread += data
            text, self._unread = self._unread.split(b"\0", 1)
            message = json.loads(text)
            self._note(message)
            if is_wanted(message):
                if "error" in message:
                    raise RuntimeError(message["error"]["message"])
                return message.get("result", message)

    def _note(self, message):
        method, parameters = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.errors.append(parameters["exceptionDetails"])
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
            self.errors.append(parameters["args"])
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            self.errors.append(parameters["entry"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])

    def open(self, path, width=1100, dark=False):
        """Opens a file. `width` and height of the window are in CSS pixels."""
        self.errors, self.requests = [], []
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        self.set_dark(dark)
        self.call("Page.navigate", url=f"file://{path}")
        self._until(lambda message: message.get("method") == "Page.loadEventFired")

    def set_dark(self, dark):
        feature = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[feature])

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"])
        return result["result"].get("value")

    def press(self, key):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key,
                      windowsVirtualKeyCode={"Tab": 9, "Enter": 13}[key])
