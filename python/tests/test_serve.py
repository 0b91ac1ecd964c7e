import json
import os
import signal
import subprocess
import sys
import time
import unittest

import support
from support import PluginTestCase

GREET = """
@toolpost.tool
def greet(name: str):
    "Greets."
    return f"Hello, {name}!"
"""


class Version1Test(PluginTestCase):
    def test_speaks_version_1_to_a_host_that_offers_nothing_else(self):
        plugin = self.start(GREET, versions=None)
        self.assertEqual(list(plugin.activation), ["tools"])
        self.assertEqual(plugin.activation["tools"][0]["name"], "greet")
        self.assertEqual(plugin.call("greet", {"name": "Zoë 😀"}, call_id=None), {"result": "Hello, Zoë 😀!"})

    def test_offers_of_other_versions_give_version_1(self):
        self.assertNotIn("protocolVersion", self.start(GREET, versions=(1, 3)).activation)

    def test_results_are_text_only(self):
        plugin = self.start(
            """
            @toolpost.tool
            def rich():
                return toolpost.tool_result([{"type": "text", "text": "a"}], {"n": 1}, {"m": 2})

            @toolpost.tool
            def poor():
                return toolpost.tool_error("no", {"n": 1}, {"m": 2})

            @toolpost.tool
            def silent():
                raise toolpost.ToolError("")
            """,
            versions=None,
        )
        self.assertEqual(plugin.call("rich", call_id=None), {"result": "a"})
        self.assertEqual(plugin.call("poor", call_id=None), {"error": "no"})
        self.assertEqual(plugin.call("silent", call_id=None), {"error": "the tool failed without a message"})

    def test_answers_come_in_the_order_of_asking(self):
        plugin = self.start(
            """
            import time

            @toolpost.tool
            def wait(ms: int):
                time.sleep(ms / 1000)
                return str(ms)

            @toolpost.tool
            async def wait_async(ms: int):
                return f"async {ms}"
            """,
            versions=None,
        )
        plugin.start_call(None, "wait", {"ms": 150})
        plugin.start_call(None, "wait_async", {"ms": 1})
        plugin.start_call(None, "nothing")
        plugin.send(method="enrich", params={"enricherName": "x"})
        plugin.send(method="dance")
        answers = [plugin.receive() for _ in range(5)]
        self.assertEqual(
            answers,
            [
                {"result": "150"},
                {"result": "async 1"},
                {"error": "Unknown tool: nothing"},
                {"error": "enrich not implemented"},
                {"error": "unknown method: dance"},
            ],
        )

    def test_output_and_requests_have_no_words_in_version_1(self):
        plugin = self.start(
            """
            @toolpost.tool
            def talk(ctx):
                ctx.output("to the log")
                ctx.progress(1)
                return ctx.storage.get("a")
            """,
            versions=None,
        )
        answer = plugin.call("talk", call_id=None)
        self.assertIn("version 1", answer["error"])
        self.assertIn("to the log", plugin.stderr())


class FramingTest(PluginTestCase):
    def test_bad_lines_are_answered_and_the_next_one_is_read(self):
        plugin = self.start(GREET)
        for line in (b"nonsense", b'{"method":', b"[1]", b"42", b'"\xff\xfe"', b"[" * 100_000):
            plugin.write(line + b"\n")
            self.assertRegex(plugin.receive()["error"], r"^invalid JSON: ")
        for line in (b'{"method":{}}', b"{}", b'{"id":"3","method":"execute_tool","params":[1]}'):
            plugin.write(line + b"\n")
            self.assertIn("error", plugin.receive())
        self.assertEqual(plugin.call("greet", {"name": "Bob"})["result"], "Hello, Bob!")

    def test_crlf_blank_lines_and_byte_order_mark(self):
        plugin = self.start(GREET, activate=False)
        plugin.write(b'\xef\xbb\xbf{"method":"activate","params":{"protocolVersions":[1,2]}}\r\n\r\n   \n\n')
        self.assertEqual(plugin.receive()["protocolVersion"], 2)
        self.assertEqual(plugin.call("greet", {"name": "Bob"})["result"], "Hello, Bob!")
        self.assertTrue(all(line.endswith(b"}\n") and not line.endswith(b"\r\n") for line in plugin.raw))

    def test_bytes_may_come_one_at_a_time(self):
        plugin = self.start(GREET)
        request = {
            "id": "1",
            "method": "execute_tool",
            "params": {"toolName": "greet", "input": json.dumps({"name": "👩‍👧"}, ensure_ascii=False)},
        }
        for byte in json.dumps(request, ensure_ascii=False).encode() + b"\n":
            plugin.write(bytes([byte]))
        self.assertEqual(plugin.receive(), {"id": "1", "result": "Hello, 👩‍👧!"})

    def test_many_messages_may_come_at_once(self):
        plugin = self.start(GREET)
        lines = []
        for number in range(200):
            params = {"toolName": "greet", "input": json.dumps({"name": str(number)})}
            lines.append(json.dumps({"id": number, "method": "execute_tool", "params": params}))
        plugin.write("\n".join(lines).encode() + b"\n")
        answers = {message["id"]: message["result"] for message in (plugin.receive() for _ in range(200))}
        self.assertEqual(answers, {number: f"Hello, {number}!" for number in range(200)})

    def test_a_line_of_5_mb_each_way(self):
        plugin = self.start(GREET)
        name = "ü" + "x" * 5_000_000
        self.assertEqual(plugin.call("greet", {"name": name})["result"], f"Hello, {name}!")

    def test_lone_surrogates_do_not_break_the_line(self):
        plugin = self.start(GREET)
        self.assertEqual(plugin.call("greet", {"name": "a\ud83d"})["result"], "Hello, a?!")

    def test_ids_are_given_back_as_they_came(self):
        plugin = self.start(GREET)
        for call_id in ("7", 7, "abc", ""):
            self.assertEqual(plugin.call("greet", {"name": "x"}, call_id=call_id)["id"], call_id)

    def test_input_may_be_empty_or_cut(self):
        plugin = self.start(GREET)
        cases = [
            ("", "missing argument name"),
            (None, "missing argument name"),
            ('{"na', "not valid JSON"),
            ("[]", "JSON object"),
        ]
        for text, expected in cases:
            plugin.send(id="1", method="execute_tool", params={"toolName": "greet", "input": text})
            self.assertIn(expected, plugin.receive()["error"])


class Version2Test(PluginTestCase):
    def test_results_keep_all_their_parts(self):
        plugin = self.start(
            """
            @toolpost.tool
            def give(kind: str):
                return {
                    "text": "plain",
                    "dict": {"temp": 21, "bad": float("nan")},
                    "blocks": toolpost.ToolResult([{"type": "text", "text": "one"}]),
                    "metadata": toolpost.tool_result("t", metadata={"kind": "k"}),
                    "error": toolpost.tool_error("no", {"code": 404}),
                }[kind]
            """
        )
        self.assertEqual(plugin.activation["protocolVersion"], 2)
        cases = {
            "text": {"result": "plain"},
            "dict": {
                "result": {"content": '{"temp": 21, "bad": null}', "structuredContent": {"temp": 21, "bad": None}}
            },
            "blocks": {"result": {"content": [{"type": "text", "text": "one"}]}},
            "metadata": {"result": {"content": "t", "metadata": {"kind": "k"}}},
            "error": {"result": {"content": "no", "structuredContent": {"code": 404}, "isError": True}},
        }
        for kind, answer in cases.items():
            self.assertEqual(plugin.call("give", {"kind": kind}), {"id": "1", **answer})

    def test_output_and_progress_come_before_the_answer(self):
        plugin = self.start(
            """
            @toolpost.tool
            def work(ctx):
                ctx.output("line\\n")
                ctx.output("oops", stream="stderr")
                ctx.progress(1, total=2, message="half")
                ctx.progress(2)
                return "done"
            """
        )
        plugin.start_call("w", "work")
        self.assertEqual(
            [plugin.receive() for _ in range(5)],
            [
                {"id": "w", "output": {"stream": "stdout", "text": "line\n"}},
                {"id": "w", "output": {"stream": "stderr", "text": "oops"}},
                {"id": "w", "progress": {"progress": 1, "total": 2, "message": "half"}},
                {"id": "w", "progress": {"progress": 2}},
                {"id": "w", "result": "done"},
            ],
        )

    def test_nothing_follows_the_answer(self):
        plugin = self.start(
            GREET
            + """
import threading
go = threading.Event()

@toolpost.tool
def leaves_a_thread(ctx):
    def late():
        go.wait()
        ctx.output("too late")
        ctx.progress(1)
        done.set()
    threading.Thread(target=late).start()

done = threading.Event()

@toolpost.tool
def release():
    go.set()
    done.wait()
"""
        )
        self.assertEqual(plugin.call("leaves_a_thread"), {"id": "1", "result": ""})
        plugin.start_call("2", "release")
        self.assertEqual(plugin.receive(), {"id": "2", "result": ""})

    def test_the_context_carries_the_session(self):
        plugin = self.start(
            """
            @toolpost.tool
            def tell(ctx: toolpost.Context):
                return [ctx.call_id, ctx.session.id, ctx.session.chat_id, ctx.session.user, ctx.roots, ctx.input]
            """
        )
        answer = plugin.call("tell", {}, sessionId="s", chatId="c", roots=["/r"], callId="call_1", user="")
        self.assertEqual(json.loads(answer["result"]), ["call_1", "s", "c", "", ["/r"], "{}"])

    def test_a_throw_is_an_error_with_its_traceback_in_the_log(self):
        plugin = self.start(
            """
            import sys

            @toolpost.tool
            def fails(how: str):
                if how == "exit":
                    sys.exit(2)
                raise ValueError("bad thing")
            """
        )
        self.assertEqual(plugin.call("fails", {"how": "throw"}), {"id": "1", "error": "ValueError: bad thing"})
        self.assertIn("sys.exit(2)", plugin.call("fails", {"how": "exit"})["error"])
        self.assertIn("Traceback", plugin.stderr())
        self.assertEqual(plugin.call("other"), {"id": "1", "error": "Unknown tool: other"})

    def test_what_cannot_be_written_is_an_error(self):
        plugin = self.start(
            """
            import functools

            class Mute(Exception):
                def __str__(self):
                    raise ValueError("no text")

            @toolpost.tool
            async def huge():
                if hasattr(__import__("sys"), "set_int_max_str_digits"):
                    return toolpost.tool_result("", {"n": 10 ** 5000})
                raise ValueError("too many digits")

            @toolpost.tool
            async def mute():
                raise Mute

            def hides(function):
                @functools.wraps(function)
                def wrapper(*args, **more):
                    return function(*args, **more)
                return wrapper

            @toolpost.tool
            @hides
            async def hidden(n: int):
                return n
            """
        )
        self.assertIn("ValueError", plugin.call("huge")["error"])
        self.assertEqual(plugin.call("mute")["error"], "Mute")
        self.assertEqual(plugin.call("hidden", {"n": 3})["result"], "3")

    def test_requests_to_the_host(self):
        plugin = self.start(
            """
            @toolpost.tool
            def remember(ctx):
                ctx.storage.set("n", [1])
                seen = ctx.storage.get("n")
                ctx.storage.delete("n")
                answer = ctx.ask("Go on?", {"type": "object", "properties": {"sure": {"type": "boolean"}}})
                units = [ctx.settings["unit"], ctx.settings["unit"]]
                return {"seen": seen, "units": units, "sure": answer.content["sure"]}

            @toolpost.tool
            def refused(ctx):
                ctx.storage.set("n", 1)
            """
        )
        plugin.start_call("7", "remember", callId="call_1")
        replies = {
            "storage_set": None,
            "storage_get": [1],
            "storage_delete": None,
            "ask": {"action": "accept", "content": {"sure": True}},
            "settings_get": {"unit": "C"},
        }
        asked = []
        while True:
            message = plugin.receive()
            if "method" not in message:
                break
            self.assertEqual(message["params"].pop("callId"), "7")
            asked.append((message["method"], message["params"]))
            plugin.send(id=message["id"], result=replies[message["method"]])
        self.assertEqual(message["result"]["structuredContent"], {"seen": [1], "units": ["C", "C"], "sure": True})
        schema = {"type": "object", "properties": {"sure": {"type": "boolean"}}}
        self.assertEqual(
            asked,
            [
                ("storage_set", {"key": "n", "value": [1]}),
                ("storage_get", {"key": "n"}),
                ("storage_delete", {"key": "n"}),
                ("ask", {"message": "Go on?", "schema": schema}),
                ("settings_get", {}),
            ],
        )
        plugin.start_call("8", "refused")
        plugin.send(id=plugin.receive()["id"], error="no permission storage.private")
        self.assertEqual(plugin.receive(), {"id": "8", "error": "storage_set: no permission storage.private"})


class ConcurrencyTest(PluginTestCase):
    MEETING = """
    import asyncio, threading
    barrier = threading.Barrier(8)
    waiting = []

    @toolpost.tool
    def meet():
        barrier.wait(timeout=15)
        return "met"

    @toolpost.tool
    async def meet_async():
        waiting.append(1)
        while len(waiting) < 8:
            await asyncio.sleep(0.005)
        return threading.current_thread().name

    inside, most = 0, 0
    @toolpost.tool(concurrency="serial")
    def alone(ctx):
        global inside, most
        inside += 1
        most = max(most, inside)
        ctx.wait_cancelled(0.01)
        inside -= 1
        return str(most)

    @toolpost.tool(concurrency="serial")
    async def alone_async():
        global inside, most
        inside += 1
        most = max(most, inside)
        await asyncio.sleep(0.01)
        inside -= 1
        return str(most)
    """

    def test_calls_run_at_once(self):
        plugin = self.start(self.MEETING)
        for tool in ("meet", "meet_async"):
            for number in range(8):
                plugin.start_call(f"{tool}{number}", tool)
            answers = [plugin.receive() for _ in range(8)]
            self.assertEqual({message["id"] for message in answers}, {f"{tool}{number}" for number in range(8)})
            self.assertEqual(len({message["result"] for message in answers}), 1)

    def test_a_serial_tool_runs_alone_and_in_order(self):
        plugin = self.start(self.MEETING)
        for tool in ("alone", "alone_async"):
            for number in range(6):
                plugin.start_call(f"{number}", tool)
            answers = [plugin.receive() for _ in range(6)]
            self.assertEqual([message["id"] for message in answers], [f"{number}" for number in range(6)])
            self.assertEqual({message["result"] for message in answers}, {"1"})

    def test_a_serial_tool_does_not_hold_up_others(self):
        plugin = self.start(
            GREET
            + """
@toolpost.tool(concurrency="serial")
def hold(ctx):
    ctx.wait_cancelled()
"""
        )
        plugin.start_call("a", "hold")
        plugin.start_call("b", "hold")
        self.assertEqual(plugin.call("greet", {"name": "x"}, call_id="c"), {"id": "c", "result": "Hello, x!"})

    def test_300_calls_in_flight(self):
        plugin = self.start("""
        @toolpost.tool
        def hold(ctx):
            ctx.wait_cancelled()
            return "released"
        """)
        for number in range(300):
            plugin.start_call(number, "hold")
        for number in range(300):
            plugin.send(method="cancel", params={"id": number})
        answers = [plugin.receive() for _ in range(300)]
        self.assertEqual(sorted(message["id"] for message in answers), list(range(300)))


class CancelTest(PluginTestCase):
    TOOLS = """
    import asyncio, time

    @toolpost.tool
    def wait(ctx):
        ctx.output("started")
        while not ctx.cancelled:
            time.sleep(0.005)
        return "saw it"

    @toolpost.tool
    def raises(ctx):
        ctx.output("started")
        ctx.wait_cancelled()
        ctx.raise_if_cancelled()

    @toolpost.tool
    async def sleeps(ctx):
        ctx.output("started")
        try:
            await asyncio.sleep(60)
        finally:
            print("cleaned up")

    @toolpost.tool
    def asks(ctx):
        ctx.output("started")
        return ctx.ask("Well?").action

    @toolpost.tool(concurrency="serial")
    def one_at_a_time(ctx):
        ctx.output("started")
        ctx.wait_cancelled()
        return "was first"
    """

    def cancel_when_started(self, plugin, tool, call_id="1"):
        plugin.start_call(call_id, tool)
        self.assertEqual(plugin.receive()["output"]["text"], "started")
        if tool == "asks":
            self.assertEqual(plugin.receive()["method"], "ask")
        plugin.send(method="cancel", params={"id": call_id})
        return plugin.receive()

    def test_running_calls_hear_of_it(self):
        plugin = self.start(self.TOOLS)
        self.assertEqual(self.cancel_when_started(plugin, "wait"), {"id": "1", "result": "saw it"})
        self.assertEqual(self.cancel_when_started(plugin, "raises"), {"id": "1", "error": "cancelled"})
        self.assertEqual(self.cancel_when_started(plugin, "sleeps"), {"id": "1", "error": "cancelled"})
        self.assertEqual(self.cancel_when_started(plugin, "asks"), {"id": "1", "error": "cancelled"})
        self.assertIn("cleaned up", plugin.stderr())
        self.assertNotIn("Traceback", plugin.stderr())

    def test_a_call_that_still_queues_never_runs(self):
        plugin = self.start(self.TOOLS)
        plugin.start_call("a", "one_at_a_time")
        self.assertEqual(plugin.receive()["output"]["text"], "started")
        plugin.start_call("b", "one_at_a_time")
        plugin.send(method="cancel", params={"id": "b"})
        self.assertEqual(plugin.receive(), {"id": "b", "error": "cancelled"})
        plugin.send(method="cancel", params={"id": "a"})
        self.assertEqual(plugin.receive(), {"id": "a", "result": "was first"})
        self.assertEqual(self.cancel_when_started(plugin, "one_at_a_time", "c"), {"id": "c", "result": "was first"})

    def test_a_number_cancels_its_text_and_strangers_are_ignored(self):
        plugin = self.start(self.TOOLS)
        plugin.start_call("5", "wait")
        plugin.receive()
        plugin.send(method="cancel", params={"id": "nobody"})
        plugin.send(method="cancel")
        plugin.send(method="cancel", params={"id": 5})
        self.assertEqual(plugin.receive(), {"id": "5", "result": "saw it"})


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
