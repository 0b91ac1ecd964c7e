import asyncio
import contextlib
import dataclasses
import datetime
import enum
import io
import pathlib
import typing
import unittest

import support  # noqa: F401  puts toolpost on the path
import toolpost


class Size(enum.Enum):
    SMALL = 1
    LARGE = 2


@dataclasses.dataclass
class Item:
    name: str
    size: Size = Size.SMALL
    parts: typing.List["Item"] = dataclasses.field(default_factory=list)

    def __post_init__(self):
        if not self.name:
            raise ValueError("a name is needed")


class Mute(Exception):
    def __str__(self):
        raise ValueError("no text")


class Options(typing.TypedDict, total=False):
    when: datetime.date


class CallToolTest(unittest.TestCase):
    def tool(self, function, **options):
        toolpost.tool(name=function.__qualname__, **options)(function)
        self.addCleanup(toolpost._tools.pop, function.__qualname__)
        return function

    def test_return_values(self):
        cases = [
            ("text", "text", None),
            (None, "", None),
            (21, "21", None),
            (True, "true", None),
            (1.5, "1.5", None),
            (float("nan"), "null", None),
            (["a", "ü"], '["a", "ü"]', None),
            ({"english": "Hello, Bob!"}, '{"english": "Hello, Bob!"}', {"english": "Hello, Bob!"}),
            (Item("x", Size.LARGE), '{"name": "x", "size": 2, "parts": []}', {"name": "x", "size": 2, "parts": []}),
            (
                {"at": datetime.date(2024, 2, 29), 1: {"b"}},
                '{"at": "2024-02-29", "1": ["b"]}',
                {"at": "2024-02-29", "1": ["b"]},
            ),
            (pathlib.PurePosixPath("/a/b"), "/a/b", None),
            (toolpost.tool_result("t", {"a": 1}, {"kind": "k"}), "t", {"a": 1}),
            (toolpost.tool_result({"a": [1]}), '{"a": [1]}', None),
            (toolpost.ToolResult([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]), "a\nb", None),
        ]
        given = []

        def returns():
            return given[-1]

        self.tool(returns)
        for value, text, structured in cases:
            with self.subTest(value=value):
                given.append(value)
                result = toolpost.call_tool(returns)
                self.assertEqual((result.text, result.structured_content, result.is_error), (text, structured, False))

    def test_values_that_are_no_json_are_errors(self):
        given = []

        def returns():
            return given[-1]

        self.tool(returns)
        loop = []
        loop.append(loop)
        for value in (
            b"bytes",
            object(),
            (n for n in []),
            loop,
            toolpost.ToolResult([{"text": "no type"}]),
            toolpost.ToolResult("", 5),
        ):
            given.append(value)
            with self.subTest(value=type(value)), contextlib.redirect_stderr(io.StringIO()):
                self.assertTrue(toolpost.call_tool(returns).is_error)

    def test_failures(self):
        def fails(kind: str):
            if kind == "expected":
                raise toolpost.ToolError("no such city: try Oslo", metadata={"code": 404})
            if kind == "returned":
                return toolpost.tool_error("not now")
            if kind == "exit":
                raise SystemExit(3)
            if kind == "bare":
                raise KeyError
            if kind == "mute":
                raise Mute
            if kind == "wrong parts":
                raise toolpost.ToolError("still read", metadata=object())
            if kind == "exception":
                return toolpost.tool_error(OSError("no such file"))
            raise ValueError("bad thing")

        self.tool(fails)
        cases = [
            ("expected", "no such city: try Oslo", ""),
            ("returned", "not now", ""),
            ("thrown", "ValueError: bad thing", "Traceback"),
            ("bare", "KeyError", "Traceback"),
            ("mute", "Mute", "Traceback"),
            ("wrong parts", "still read", ""),
            ("exception", "no such file", ""),
            ("exit", "sys.exit(3)", "SystemExit"),
        ]
        for kind, text, log in cases:
            with self.subTest(kind=kind), contextlib.redirect_stderr(io.StringIO()) as stderr:
                result = toolpost.call_tool(fails, {"kind": kind})
                self.assertTrue(result.is_error)
                self.assertIn(text, result.text)
                self.assertIn(log, stderr.getvalue()) if log else self.assertEqual(stderr.getvalue(), "")

    def test_arguments_become_the_hinted_types(self):
        def takes(
            item: Item,
            sizes: typing.Dict[str, Size],
            pair: typing.Tuple[int, str],
            names: typing.Set[str],
            options: Options,
            path: pathlib.Path,
            at: datetime.datetime,
            ratio: float,
            either: typing.Union[float, int, str],
            maybe: typing.Optional[typing.List[Item]] = None,
        ):
            seen.update(locals())

        seen = {}
        self.tool(takes)
        result = toolpost.call_tool(
            takes,
            {
                "item": {"name": "box", "size": 2, "parts": [{"name": "lid"}]},
                "sizes": {"a": 1},
                "pair": [1, "b"],
                "names": ["x", "x"],
                "options": {"when": "2024-02-29"},
                "path": "/tmp/x",
                "at": "2024-02-29T12:00:00Z",
                "ratio": 2,
                "either": 7,
                "maybe": None,
            },
        )
        self.assertEqual((result.text, result.is_error), ("", False))
        self.assertEqual(seen["item"], Item("box", Size.LARGE, [Item("lid")]))
        self.assertEqual(seen["sizes"], {"a": Size.SMALL})
        self.assertEqual(seen["pair"], (1, "b"))
        self.assertEqual(seen["names"], {"x"})
        self.assertEqual(seen["options"], {"when": datetime.date(2024, 2, 29)})
        self.assertEqual(seen["path"], pathlib.Path("/tmp/x"))
        self.assertEqual(seen["at"], datetime.datetime(2024, 2, 29, 12, tzinfo=datetime.timezone.utc))
        self.assertIsInstance(seen["ratio"], float)
        self.assertIsInstance(seen["either"], int)

    def test_wrong_arguments_are_named(self):
        def takes(count: int, item: Item = None, size: Size = Size.SMALL, pair: typing.Tuple[int, int] = (0, 0)):
            self.fail("it must not run")

        self.tool(takes)
        cases = [
            ({}, "missing argument count"),
            ({"count": "abc"}, 'count must be of type integer, not "abc"'),
            ({"count": True}, "count must be of type integer, not true"),
            ({"count": 1.5}, "count must be of type integer, not 1.5"),
            ({"count": 1, "cuont": 2}, "unknown argument cuont: did you mean count?"),
            ({"count": 1, "item": {"name": "a", "siz": 1}}, "unknown argument item.siz: did you mean size?"),
            ({"count": 1, "item": {}}, "missing argument item.name"),
            ({"count": 1, "item": {"name": ""}}, "item: a name is needed"),
            ({"count": 1, "item": {"name": "a", "parts": [{"name": 5}]}}, "item.parts[0].name must be of type string"),
            ({"count": 1, "size": 3}, "size must be one of [1, 2], not 3"),
            ({"count": 1, "pair": [1]}, "pair must have 2 items, not 1"),
            ("[1]", "must be a JSON object"),
            ('{"count": ', "not valid JSON"),
        ]
        for arguments, text in cases:
            with self.subTest(arguments=arguments):
                result = toolpost.call_tool(takes, arguments)
                self.assertTrue(result.is_error)
                self.assertIn(text, result.text)

    def test_no_arguments_in_every_form(self):
        def nothing():
            return "ran"

        self.tool(nothing)
        for arguments in (None, {}, "", "  ", "null", "{}"):
            with self.subTest(arguments=arguments):
                self.assertEqual(toolpost.call_tool(nothing, arguments).text, "ran")

    def test_keyword_arguments_take_the_rest(self):
        def free(a: int, **rest):
            return {"a": a, **rest}

        self.tool(free)
        self.assertEqual(toolpost.call_tool(free, {"a": 1, "b": [2]}).structured_content, {"a": 1, "b": [2]})

    def test_async_tools(self):
        async def later(ctx):
            await asyncio.sleep(0)
            ctx.output("working")
            return "done"

        self.tool(later)
        context = toolpost.RecordingContext()
        self.assertEqual(toolpost.call_tool(later, {}, context).text, "done")
        self.assertEqual(context.outputs, ["working"])

    def test_the_context_records(self):
        def works(ctx):
            ctx.progress(1, 2, "half")
            ctx.storage.set("seen", {"n": 1})
            answer = ctx.ask("Really?", {"type": "object", "properties": {}})
            return {
                "stored": ctx.storage.get("seen"), "none": ctx.storage.get("other", 7), "unit": ctx.settings["unit"],
                "answer": answer.accepted, "user": ctx.session.user, "roots": ctx.roots, "cancelled": ctx.cancelled,
            }  # fmt: skip

        self.tool(works)
        context = toolpost.RecordingContext(
            session=toolpost.Session(user="ann"),
            roots=["/w"],
            settings={"unit": "C"},
            answer={"action": "accept", "content": {}},
        )
        context.cancel()
        result = toolpost.call_tool("CallToolTest.test_the_context_records.<locals>.works", None, context)
        expected = {
            "stored": {"n": 1},
            "none": 7,
            "unit": "C",
            "answer": True,
            "user": "ann",
            "roots": ["/w"],
            "cancelled": True,
        }
        self.assertEqual(result.structured_content, expected)
        self.assertEqual(context.updates, [{"progress": 1, "total": 2, "message": "half"}])
        self.assertEqual(context.questions[0]["message"], "Really?")

    def test_progress_refuses_what_json_cannot_hold(self):
        context = toolpost.RecordingContext()
        for number in (float("nan"), float("inf"), "3", True):
            with self.subTest(number=number), self.assertRaises(ValueError):
                context.progress(number)

    def test_the_function_stays_callable(self):
        @toolpost.tool(name="stays_callable")
        def double(n: int):
            return n * 2

        self.addCleanup(toolpost._tools.pop, "stays_callable")
        self.assertEqual(double(4), 8)

    def test_a_function_that_is_no_tool_is_refused(self):
        with self.assertRaisesRegex(ValueError, "decorate it"):
            toolpost.call_tool(len, {})


class FormatTest(unittest.TestCase):
    def test_tool_result(self):
        self.assertEqual(
            toolpost.format_tool_result("Server Info", {"version": "2.0.1", "status": "running"}),
            "Server Info\nstatus: running\nversion: 2.0.1",
        )
        self.assertEqual(toolpost.format_tool_result("t", {}), "t")
        self.assertEqual(toolpost.format_tool_result("t"), "t")
        self.assertEqual(toolpost.format_tool_result("", {"a": "1"}), "\na: 1")
        self.assertEqual(toolpost.format_tool_result("t", {"é": "3", "z": "2", "B": "1"}), "t\nB: 1\nz: 2\né: 3")
        self.assertEqual(
            toolpost.format_tool_result("t", {"\U0001f600": "2", "\uffff": "1"}), "t\n\uffff: 1\n\U0001f600: 2"
        )
        self.assertEqual(toolpost.format_tool_result("t", {"on": True, "n": 21}), "t\nn: 21\non: true")

    def test_list_result(self):
        self.assertEqual(toolpost.format_list_result(["alpha", "beta"]), "1. alpha\n2. beta")
        self.assertEqual(toolpost.format_list_result([]), "(no items)")
        self.assertEqual(toolpost.format_list_result(None), "(no items)")

    def test_error_result(self):
        result = toolpost.format_error_result("read file", OSError("no such file"))
        self.assertEqual((result.text, result.is_error), ("read file failed: no such file", True))
        self.assertEqual(toolpost.format_error_result("sync").text, "sync failed: unknown error")
        self.assertEqual(toolpost.format_error_result("sync", "late").text, "sync failed: late")
        self.assertEqual(toolpost.format_error_result("sync", KeyError()).text, "sync failed: KeyError")


class Beyond(unittest.TestCase):
    """What a tool does beyond its own call, and what a test sees of it."""

    def test_calls_and_messages_and_stores_are_kept(self):
        context = toolpost.RecordingContext(called={"outcome": "completed", "content": "7 degrees"})
        called = context.call_tool("weather", {"city": "Oslo"})
        self.assertEqual((called.outcome, called.text, called.is_error), ("completed", "7 degrees", False))
        context.publish("weather/asked", {"city": "Oslo"})
        context.storage.set("b", 1)
        context.storage.set("a", 2)
        context.storage.shared.set("c", 3)
        self.assertEqual(context.storage.keys(), ["a", "b"])
        self.assertEqual(context.storage.shared.keys("c"), ["c"])
        self.assertEqual(context.called, [("weather", {"city": "Oslo"})])
        self.assertEqual(context.published, [("weather/asked", {"city": "Oslo"})])

    def test_a_tool_that_is_not_there_is_an_error_result(self):
        called = toolpost.RecordingContext().call_tool("nothing")
        self.assertEqual((called.outcome, called.is_error), ("not-found", True))

    def test_topics_are_checked(self):
        for topic in ("", "a b", "*a", "x" * 129, None):
            with self.assertRaises(ValueError):
                toolpost.subscribe(topic)
        with self.assertRaises(toolpost.ToolError):
            toolpost.publish("a")


if __name__ == "__main__":
    unittest.main()
