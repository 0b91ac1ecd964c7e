import os
import signal
import subprocess
import sys
import time
import unittest

import support
from support import GREET, PluginTestCase


class NoiseTest(PluginTestCase):
    def test_whatever_is_printed_goes_to_the_log(self):
        plugin = self.start(
            """
            import logging, os, subprocess, sys, multiprocessing
            logging.basicConfig(stream=sys.stdout)
            kept = sys.stdout
            print("at import", end="")

            @toolpost.tool
            def shout():
                print("printed")
                sys.stdout.write("written\\n")
                kept.write("kept\\n")
                sys.__stdout__.write("dunder\\n")
                logging.warning("logged")
                os.write(1, b"from C\\n")
                subprocess.run([sys.executable, "-c", "import sys; print('child', repr(sys.stdin.read()))"])
                os.system("echo shell")
                return "quiet"
            """
        )
        self.assertEqual(plugin.call("shout"), {"id": "1", "result": "quiet"})
        self.assertEqual(plugin.end(), 0)
        log = plugin.stderr()
        for word in ("at import", "printed", "written", "kept", "dunder", "logged", "from C", "child ''", "shell"):
            self.assertIn(word, log)

    @unittest.skipUnless(hasattr(os, "fork"), "this system cannot fork")
    def test_a_forked_child_does_not_hold_the_wire(self):
        plugin = self.start(
            """
            import os, time

            @toolpost.tool
            def fork():
                child = os.fork()
                if child == 0:
                    time.sleep(30)
                    os._exit(0)
                return str(child)
            """
        )
        child = int(plugin.call("fork")["result"])
        self.addCleanup(os.kill, child, signal.SIGKILL)
        self.assertEqual(plugin.end(), 0)
        plugin._reader.join(support.LIMIT_S)  # ends at the end of the pipe, which the child would keep open
        self.assertFalse(plugin._reader.is_alive())

    def test_child_processes_are_not_spoken_to(self):
        plugin = self.start(
            GREET
            + """
import subprocess, sys

@toolpost.tool
def child():
    code = "import sys; sys.exit(len(sys.stdin.readline()))"
    return str(subprocess.run([sys.executable, "-c", code]).returncode)
"""
        )
        plugin.start_call("1", "child")
        plugin.start_call("2", "greet", {"name": "x"})
        answers = {message["id"]: message["result"] for message in (plugin.receive(), plugin.receive())}
        self.assertEqual(answers, {"1": "0", "2": "Hello, x!"})


class EndTest(PluginTestCase):
    ALIVE = """
    import asyncio, atexit, threading, time
    threading.Thread(target=time.sleep, args=(60,)).start()
    atexit.register(lambda: print("said goodbye"))

    @toolpost.tool
    def hang():
        time.sleep(60)

    @toolpost.tool
    async def hang_async():
        await asyncio.sleep(60)

    @toolpost.tool
    def polite(ctx):
        ctx.output("started")
        ctx.wait_cancelled()
        print("put away")
    """

    def test_ends_at_once_with_its_input_although_threads_live(self):
        plugin = self.start(self.ALIVE)
        started = time.monotonic()
        self.assertEqual(plugin.end(), 0)
        self.assertLess(time.monotonic() - started, 5)
        self.assertIn("said goodbye", plugin.stderr())

    def test_ends_with_its_input_although_calls_hang(self):
        plugin = self.start(self.ALIVE)
        for tool in ("hang", "hang_async", "polite"):
            plugin.start_call(tool, tool)
        plugin.receive()
        self.assertEqual(plugin.end(), 0)
        self.assertIn("put away", plugin.stderr())

    def test_an_exit_handler_that_hangs_does_not_keep_it(self):
        plugin = self.start("import atexit, time\natexit.register(time.sleep, 60)")
        self.assertEqual(plugin.end(), 0)

    def test_deactivate_ends_it(self):
        plugin = self.start(self.ALIVE)
        plugin.send(method="deactivate")
        self.assertEqual(plugin.process.wait(support.LIMIT_S), 0)

    def test_lines_that_came_before_the_end_are_answered(self):
        plugin = self.start(GREET)
        plugin.start_call("1", "greet", {"name": "Bob"})
        self.assertEqual(plugin.end(), 0)
        self.assertEqual(plugin.receive(), {"id": "1", "result": "Hello, Bob!"})

    def test_ends_quietly_when_nobody_reads(self):
        path = os.path.join(self.directory, "flood.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(
                "import toolpost\n@toolpost.tool\ndef flood(ctx):\n    while True:\n        ctx.output('x' * 10000)\n"
                "toolpost.serve()\n"
            )
        process = subprocess.Popen(
            [sys.executable, path], env=support.environment(),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        self.addCleanup(process.kill)
        with process.stdin, process.stderr:
            process.stdin.write(b'{"method":"activate","params":{"protocolVersions":[2]}}\n')
            process.stdin.write(b'{"id":"1","method":"execute_tool","params":{"toolName":"flood"}}\n')
            process.stdin.flush()
            for _ in range(3):
                process.stdout.readline()
            process.stdout.close()
            self.assertEqual(process.wait(support.LIMIT_S), 0)
            self.assertEqual(process.stderr.read(), b"")

    @unittest.skipUnless(os.name == "posix", "signals of POSIX")
    def test_ignores_interrupts_and_its_children_do_not(self):
        plugin = self.start(
            GREET
            + """
import subprocess, sys

@toolpost.tool
def child_heeds():
    code = "import signal; print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip()
"""
        )
        plugin.process.send_signal(signal.SIGINT)
        self.assertEqual(plugin.call("greet", {"name": "x"})["result"], "Hello, x!")
        self.assertEqual(plugin.call("child_heeds")["result"], "True")

    @unittest.skipUnless(os.name == "posix", "elsewhere a process keeps its parent's number")
    def test_ends_when_its_parent_is_gone_although_its_input_is_open(self):
        with open(os.path.join(self.directory, "plugin.py"), "w", encoding="utf-8") as file:
            file.write("import toolpost\ntoolpost.serve()\n")
        script = (
            "import os, subprocess, sys\n"
            "plugin = subprocess.Popen([sys.executable, 'plugin.py'], stdin=0, stdout=subprocess.PIPE)\n"
            "plugin.stdin, line = None, plugin.stdout.readline()\n"
            "print(plugin.pid, flush=True)\n"
        )
        parent = subprocess.Popen(
            [sys.executable, "-c", script], cwd=self.directory, env=support.environment(),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        with parent.stdout, parent.stdin:
            parent.stdin.write(b'{"method":"activate"}\n')
            parent.stdin.flush()
            pid = int(parent.stdout.readline())
            self.assertEqual(parent.wait(support.LIMIT_S), 0)
            deadline = time.monotonic() + support.LIMIT_S
            while self.is_running(pid) and time.monotonic() < deadline:
                time.sleep(0.05)
            self.assertFalse(self.is_running(pid))

    @staticmethod
    def is_running(pid):
        try:
            with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
                return file.read().rsplit(")", 1)[1].split()[0] != "Z"
        except OSError:
            pass
        if os.path.isdir("/proc/self"):
            return False
        try:
            os.kill(pid, 0)
        except OSError:
            return False
        return True


class ForgottenServeTest(PluginTestCase):
    def test_a_script_that_never_serves_says_so(self):
        path = os.path.join(self.directory, "forgot.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write("import toolpost\n@toolpost.tool\ndef a():\n    pass\n")
        done = subprocess.run(
            [sys.executable, path],
            env=support.environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=20,
        )
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.assertIn("toolpost.serve()", done.stderr)


if __name__ == "__main__":
    unittest.main()
