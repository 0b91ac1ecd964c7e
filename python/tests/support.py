"""Starts plugins as a host does: real processes, JSON lines, real pipes."""

import contextlib
import json
import os
import queue
import subprocess
import sys
import tempfile
import textwrap
import threading
import unittest

PYTHON_DIR = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
if PYTHON_DIR not in sys.path:
    sys.path.insert(0, PYTHON_DIR)

LIMIT_S = 20  # only ever reached by a test that fails
_CACHE = tempfile.TemporaryDirectory(prefix="toolpost-tests-")

GREET = """
@toolpost.tool
def greet(name: str):
    "Greets."
    return f"Hello, {name}!"
"""


def environment():
    """What a host gives a plugin, and a place for compiled files outside the sources."""
    own = {"PYTHONPATH": PYTHON_DIR, "PYTHONPYCACHEPREFIX": _CACHE.name}
    unwanted = ("PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE")
    return {**{name: value for name, value in os.environ.items() if name not in unwanted}, **own}


class Plugin:
    """A plugin's process and the host's end of its wire."""

    def __init__(self, source, directory):
        self.path = os.path.join(directory, "plugin.py")
        self.stderr_path = os.path.join(directory, "stderr.log")
        with open(self.path, "w", encoding="utf-8") as file:
            file.write("import toolpost\n" + textwrap.dedent(source) + "\ntoolpost.serve()\n")
        with open(self.stderr_path, "wb") as stderr:
            self.process = subprocess.Popen(
                # Without `site`, which would take longer than the plugin itself.
                [sys.executable, "-S", self.path], cwd=directory, env=environment(),
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr,
            )  # fmt: skip
        self.raw = []
        self._messages = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in iter(self.process.stdout.readline, b"") if self.process.stdout else ():
            self.raw.append(line)
            self._messages.put(json.loads(line))

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, **message):
        self.write(json.dumps(message).encode() + b"\n")

    def receive(self):
        return self._messages.get(timeout=LIMIT_S)

    def activate(self, versions=(1, 2)):
        params = {"pluginId": "test", **({"protocolVersions": list(versions)} if versions else {})}
        self.send(method="activate", params=params)
        return self.receive()

    def start_call(self, call_id, tool, arguments=None, **context):
        params = {"toolName": tool, "input": json.dumps(arguments or {}), "context": context}
        self.send(**({} if call_id is None else {"id": call_id}), method="execute_tool", params=params)

    def call(self, tool, arguments=None, call_id="1", **context):
        """The last message of a call that runs alone."""
        self.start_call(call_id, tool, arguments, **context)
        while True:
            message = self.receive()
            if "output" not in message and "progress" not in message:
                return message

    def end(self):
        """Closes standard input and waits for the process. Returns its status."""
        self.process.stdin.close()
        return self.process.wait(LIMIT_S)

    def stderr(self):
        with open(self.stderr_path, encoding="utf-8", errors="replace") as file:
            return file.read()


class PluginTestCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.directory = folder.name

    def start(self, source, versions=(1, 2), activate=True):
        plugin = Plugin(source, self.directory)
        self.addCleanup(self._discard, plugin)
        if activate:
            plugin.activation = plugin.activate(versions)
        return plugin

    @staticmethod
    def _discard(plugin):
        plugin.process.kill()
        plugin.process.wait(LIMIT_S)
        plugin._reader.join(LIMIT_S)
        for stream in (plugin.process.stdin, plugin.process.stdout):
            with contextlib.suppress(OSError):  # bytes that were never taken
                stream.close()
