import time
import unittest

from support import GREET, PluginTestCase


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


if __name__ == "__main__":
    unittest.main()
