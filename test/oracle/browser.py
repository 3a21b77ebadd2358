"""A headless Chromium, driven through a pipe (DevTools protocol), with nothing beyond Python's standard library.

    with Browser(folder) as browser:
        page = browser.open("/path/of/a/page.html")
        value = page.call("(a, b) => a + b", 1, 2)      # in the page; promises are awaited

As a command it reads lines of JSON, {"page": path, "expression": evaluated in the page after loading, "before"?: a script
to run before the page's own, "width"?, "height"?, "scheme"?: "light" or "dark", "media"?: "print", "script"?: false to
disable scripts, "picture"?: a PNG file to write}, and prints {"value", "requests"} for each.
"""

import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
         "--disable-background-networking", "--disable-extensions", "--remote-debugging-pipe")


def command():
    """The path of a browser, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Failure(Exception):
    """An error of the browser or of the page's own code."""


class Browser:
    """A process of the browser and its pipe."""

    def __init__(self, folder, *flags):
        to_read, to_write = os.pipe()
        from_read, from_write = os.pipe()
        self.log = open(os.path.join(folder, "browser.log"), "wb")  # pylint: disable=consider-using-with

        def inherit():
            """The browser reads from 3 and writes to 4."""
            kept = [os.dup(to_read), os.dup(from_write)]
            os.dup2(kept[0], 3)
            os.dup2(kept[1], 4)

        self.process = subprocess.Popen(  # pylint: disable=subprocess-popen-preexec-fn,consider-using-with
            [command(), *FLAGS, *flags, "--user-data-dir=" + os.path.join(folder, "profile")], stdin=subprocess.DEVNULL,
            stdout=self.log, stderr=self.log, preexec_fn=inherit, pass_fds=(3, 4), env={**os.environ, "HOME": folder})
        os.close(to_read)
        os.close(from_write)
        self.output = os.fdopen(to_write, "wb")
        self.input = os.fdopen(from_read, "rb")
        self.rest, self.count, self.events = b"", 0, []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.send("Browser.close")
        except (Failure, OSError):
            pass
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self.output.close()
        self.input.close()
        self.log.close()

    def message(self):
        """The next message."""
        while b"\0" not in self.rest:
            piece = os.read(self.input.fileno(), 1 << 20)
            if not piece:
                raise Failure("the browser has ended; see %s" % self.log.name)
            self.rest += piece
        text, _, self.rest = self.rest.partition(b"\0")
        return json.loads(text)

    def send(self, method, session=None, **params):
        """Send a command; returns its result. Events that arrive meanwhile are kept."""
        self.count += 1
        message = {"id": self.count, "method": method, "params": params, **({"sessionId": session} if session else {})}
        self.output.write(json.dumps(message).encode() + b"\0")
        self.output.flush()
        while True:
            found = self.message()
            if found.get("id") != self.count:
                self.events.append(found)
            elif "error" in found:
                raise Failure("%s: %s" % (method, found["error"]["message"]))
            else:
                return found["result"]

    def wait(self, method, session):
        """Wait for the first event of a name, beginning with those kept."""
        while True:
            for i, event in enumerate(self.events):
                if event.get("method") == method and event.get("sessionId") == session:
                    return self.events.pop(i)
            self.events.append(self.message())

    def blank(self):
        """A new empty page."""
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        return Page(self, self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"], target)

    def open(self, path):
        """A new page, loaded from a file."""
        page = self.blank()
        page.load(path)
        return page


class Page:
    """A page in the browser."""

    def __init__(self, browser, session, target):
        self.browser, self.session, self.target = browser, session, target
        self.send("Page.enable")
        self.send("Runtime.enable")
        self.send("Network.enable")

    def send(self, method, **params):
        """Send a command to this page."""
        return self.browser.send(method, self.session, **params)

    def load(self, path):
        """Load a file."""
        self.send("Page.navigate", url="file://" + path)
        self.browser.wait("Page.loadEventFired", self.session)

    def evaluate(self, expression):
        """The value of an expression; a promise is awaited."""
        found = self.send("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in found:
            details = found["exceptionDetails"]
            raise Failure(details.get("exception", {}).get("description", details["text"]))
        return found["result"].get("value")

    def call(self, function, *arguments):
        """The result of a JavaScript function, called with values."""
        return self.evaluate("(%s)(%s)" % (function, ", ".join(map(json.dumps, arguments))))

    def requests(self):
        """The addresses that the page has requested, without its own."""
        self.evaluate("0")
        return [e["params"]["request"]["url"] for e in self.browser.events
                if e.get("method") == "Network.requestWillBeSent" and e.get("sessionId") == self.session
                and not e["params"]["request"]["url"].startswith(("file://", "data:"))]

    def look(self, width=1280, height=900, scheme="light", media=""):
        """Set the size, colours and medium of the page's screen."""
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.send("Emulation.setEmulatedMedia", media=media, features=[{"name": "prefers-color-scheme", "value": scheme}])

    def picture(self, path, width, height):
        """Write the upper left corner of the page as PNG."""
        found = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=True,
                          clip={"x": 0, "y": 0, "width": width, "height": height, "scale": 1})
        with open(path, "wb") as file:
            file.write(base64.b64decode(found["data"]))

    def close(self):
        """Close the page."""
        self.browser.send("Target.closeTarget", targetId=self.target)
        self.browser.events = []


def answer(browser, asked):
    """The answer to one line."""
    page = browser.blank()
    screen = {name: asked[name] for name in ("width", "height", "scheme", "media") if name in asked}
    page.look(**screen)
    if "before" in asked:
        page.send("Page.addScriptToEvaluateOnNewDocument", source=asked["before"])
    if asked.get("script") is False:
        page.send("Emulation.setScriptExecutionDisabled", value=True)
    page.load(asked["page"])
    found = {"value": page.evaluate(asked["expression"]), "requests": page.requests()}
    if "picture" in asked:
        page.picture(asked["picture"], screen.get("width", 1280), screen.get("height", 900))
    page.close()
    return found


def main():
    """Read lines, and print an answer for each."""
    with tempfile.TemporaryDirectory() as folder, Browser(folder) as browser:
        for line in sys.stdin:
            try:
                print(json.dumps(answer(browser, json.loads(line))), flush=True)
            except Failure as e:
                print(json.dumps({"failure": str(e), "value": None, "requests": []}), flush=True)


if __name__ == "__main__":
    main()
