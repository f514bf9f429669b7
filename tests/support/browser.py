"""Headless Chromium for tests: a small client of the WebDriver protocol, which chromedriver speaks over loopback."""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import subprocess
import tempfile
import urllib.request
from pathlib import Path
from typing import Any

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    "--hide-scrollbars",
)


def find_browser() -> tuple[str, str] | None:
    """Paths of Chromium and of its driver, or None where one of them is not installed."""
    chromium = next(filter(None, map(shutil.which, BROWSERS)), None)
    driver = shutil.which("chromedriver")
    return (chromium, driver) if chromium and driver else None


def find_axe() -> Path | None:
    """Where axe-core is, which judges whether all can use a page: FGAC_AXE names its file, or npm installed it."""
    named = [Path(os.environ["FGAC_AXE"])] if "FGAC_AXE" in os.environ else []
    installed = [folder / "node_modules/axe-core/axe.min.js" for folder in Path(__file__).parents]
    return next((path for path in named + installed if path.is_file()), None)


class Browser:
    """A browser window without a screen; use it in a ``with`` statement."""

    def __init__(self, chromium: str, driver: str) -> None:
        self._profile = tempfile.TemporaryDirectory(prefix="fgac-browser-", ignore_cleanup_errors=True)
        self._process = subprocess.Popen(
            [driver, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self._session = ""
        try:
            self._session = self._start(chromium)
            self._command(
                "url", {"url": "about:blank"}
            )  # away from the page for new tabs, which has scripts of its own
        except BaseException:
            self.close()
            raise

    def _start(self, chromium: str) -> str:
        """Open a session, and return its name."""
        ports = (re.search(r"started successfully on port (\d+)", line) for line in self._process.stdout)
        self._address = f"http://127.0.0.1:{next(filter(None, ports))[1]}"
        flags = [*FLAGS, f"--user-data-dir={self._profile.name}"]
        wanted = {
            "browserName": "chrome",
            "goog:chromeOptions": {"binary": chromium, "args": flags},
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
            "unhandledPromptBehavior": "ignore",
        }
        return self._call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the browser and its driver."""
        try:
            if self._session:
                self._call("DELETE", f"/session/{self._session}")
        finally:
            self._process.terminate()
            self._process.communicate(timeout=30)
            self._profile.cleanup()

    def _call(self, method: str, path: str, body: Any = None) -> Any:
        """Send a request to the driver, and return the value of its answer."""
        data = None if method in ("GET", "DELETE") else json.dumps(body or {}).encode()
        request = urllib.request.Request(
            self._address + path, data, {"Content-Type": "application/json"}, method=method
        )
        # No proxy that the environment names, and the driver's own message in place of an HTTP error.
        opener = urllib.request.OpenerDirector()
        opener.add_handler(urllib.request.HTTPHandler())
        with opener.open(request, timeout=120) as response:
            value = json.load(response)["value"]
        if isinstance(value, dict) and "error" in value:
            raise BrowserError(f"{value['error']}: {value['message']}")
        return value

    def _command(self, path: str, body: Any = None) -> Any:
        """Send a command about the open session."""
        return self._call("POST", f"/session/{self._session}/{path}", body)

    def open(self, page: Path) -> None:
        """Load a file, and forget what was logged before."""
        self.console(), self.requests()
        self._command("url", {"url": page.as_uri()})

    def run(self, script: str, *arguments: Any) -> Any:
        """Run the body of a function in the page and return what it returns."""
        return self._command("execute/sync", {"script": script, "args": list(arguments)})

    def text(self, selector: str) -> str:
        """The visible text of an element."""
        return self.run("return document.querySelector(arguments[0]).innerText", selector)

    def click(self, selector: str) -> None:
        """Click on an element as a user would; an error if something covers it."""
        self._command(f"element/{self._find(selector)}/click")

    def type(self, selector: str, keys: str) -> None:
        """Focus an element and type."""
        self._command(f"element/{self._find(selector)}/value", {"text": keys})

    def press(self, *keys: str) -> None:
        """Press keys wherever the focus is."""
        strokes = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self._command("actions", {"actions": [{"type": "key", "id": "keyboard", "actions": strokes}]})

    def _find(self, selector: str) -> str:
        """Return the name that the driver has for the first element that a selector matches."""
        return next(iter(self._command("element", {"using": "css selector", "value": selector}).values()))

    def has_alert(self) -> bool:
        """Whether a script has opened a dialogue."""
        try:
            self._call("GET", f"/session/{self._session}/alert/text")
        except BrowserError:
            return False
        return True

    def console(self) -> list[str]:
        """What the console has said since it was last asked."""
        return [entry["message"] for entry in self._command("se/log", {"type": "browser"})]

    def requests(self) -> list[str]:
        """Addresses that have been asked for since this was last called."""
        messages = [
            json.loads(entry["message"])["message"] for entry in self._command("se/log", {"type": "performance"})
        ]
        return [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]

    def devtools(self, command: str, **parameters: Any) -> Any:
        """Send a command of the Chrome DevTools Protocol."""
        return self._command("goog/cdp/execute", {"cmd": command, "params": parameters})

    def resize(self, width: int, height: int, *, is_phone: bool = False) -> None:
        """Give the page another size."""
        self.devtools(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=is_phone
        )

    def picture(self) -> bytes:
        """The whole page as a PNG."""
        shot = self.devtools("Page.captureScreenshot", format="png", captureBeyondViewport=True)
        return base64.b64decode(shot["data"])

    def paper(self) -> bytes:
        """The page as a PDF."""
        return base64.b64decode(self.devtools("Page.printToPDF", printBackground=False)["data"])


class BrowserError(Exception):
    """What the driver could not do."""
