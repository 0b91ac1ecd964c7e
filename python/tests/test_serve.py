import json
import sys
import time
import unittest

from support import GREET, PluginTestCase


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


if __name__ == "__main__":
    unittest.main()
