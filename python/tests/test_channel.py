import json
import unittest

from support import PluginTestCase

SOURCE = """
channel = toolpost.Channel("echo", config_schema=[{"key": "a"}], prompt={"p": "text"})
failures = [ValueError("not now")]

@channel.tool
def echo_status(ctx) -> str:
    "Tells where it is called."
    return ctx.session.channel

@channel.on_start
def start():
    if channel.config.get("fails"):
        raise ValueError("no token")

@channel.on_reply
def reply(reply):
    if reply.text == "fail once" and failures:
        raise failures.pop()
    if reply.text == "nothing":
        return
    receipt = channel.send_inbound(reply.chat_id, reply.text, sender_id="ann", request_id="r")
    channel.declare_prompt({"p": f"{receipt.message_id} {receipt.is_duplicate} {receipt.reply}"})

toolpost.serve_channel(channel)
"""


class ChannelTest(PluginTestCase):
    def start_channel(self, config=None):
        plugin = self.start(SOURCE)
        plugin.send(type="channel_config", metadata={"config": json.dumps(config or {}), "serving": "true"})
        return plugin, plugin.activation

    def test_tells_its_channel_and_declares_what_it_has(self):
        plugin, answer = self.start_channel()
        provider = {"name": "echo", "config_schema": [{"key": "a"}], "accepts_replies": True}
        self.assertEqual(answer["channel_provider"], provider)
        self.assertEqual(plugin.receive(), {"type": "channel_prompt", "system_parts": {"p": "text"}})
        declared = plugin.receive()
        self.assertEqual([tool["name"] for tool in declared["tools"]], ["echo_status"])

    def test_answers_calls_and_pings_after_its_start(self):
        plugin, _ = self.start_channel()
        plugin.send(type="rpc", id="srv-1", method="ping", params={})
        for _ in range(2):
            plugin.receive()
        self.assertEqual(plugin.receive(), {"id": "srv-1", "result": "pong"})
        params = {"name": "echo_status", "input": "{}", "context": {"channel": "echo"}}
        plugin.send(type="rpc", id="srv-2", method="execute_tool", params=params)
        self.assertEqual(plugin.receive(), {"id": "srv-2", "result": "echo"})
        plugin.send(type="rpc", id="srv-3", method="execute_tool", params={"name": "other"})
        self.assertEqual(plugin.receive(), {"id": "srv-3", "error": "Unknown tool: other"})

    def test_accepts_a_reply_once_it_is_handed_on(self):
        plugin, _ = self.start_channel()
        for _ in range(2):
            plugin.receive()
        for _ in range(2):  # a second delivery while the first is handed on is the same reply
            plugin.send(type="text", chat_id="c", content="hi", metadata={"reply_id": "5", "is_final": "true"})
        inbound = plugin.receive()
        self.assertEqual(inbound["method"], "send_inbound")
        self.assertEqual(inbound["params"]["request_id"], "r")
        result = {"accepted": True, "message_id": "9", "duplicate": True, "reply": {"text": "before"}}
        plugin.send(type="rpc_response", id=inbound["id"], result=result)
        self.assertEqual(plugin.receive(), {"type": "channel_prompt", "system_parts": {"p": "9 True before"}})
        accepted = plugin.receive()
        self.assertEqual((accepted["method"], accepted["params"]), ("accept_reply", {"reply_id": "5"}))

    def test_tries_a_reply_again_that_could_not_be_handed_on(self):
        plugin, _ = self.start_channel()
        for _ in range(2):
            plugin.receive()
        plugin.send(type="text", chat_id="c", content="fail once", metadata={"reply_id": "6"})
        self.assertEqual(plugin.receive()["method"], "send_inbound")

    def test_says_again_that_a_reply_has_arrived_where_the_host_could_not_note_it(self):
        plugin, _ = self.start_channel()
        for _ in range(2):
            plugin.receive()
        plugin.send(type="text", chat_id="c", content="nothing", metadata={"reply_id": "7"})
        first = plugin.receive()
        self.assertEqual((first["method"], first["params"]), ("accept_reply", {"reply_id": "7"}))
        plugin.send(type="rpc_response", id=first["id"], error="the disk is full")
        again = plugin.receive()
        self.assertEqual((again["method"], again["params"]), ("accept_reply", {"reply_id": "7"}))

    def test_never_gives_up_a_reply_and_tries_it_beside_others(self):
        source = """
            toolpost._REPLY_TRIES, toolpost._REPLY_RETRY_S, toolpost._REPLY_MAX_RETRY_S = 2, 0.01, 0.02
            channel = toolpost.Channel("echo")
            left = {"first": 9, "second": 5}

            @channel.on_reply
            def reply(reply):
                left[reply.text] -= 1
                if left[reply.text] >= 0:
                    raise ValueError("the service is down")

            toolpost.serve_channel(channel)
        """
        plugin = self.start(source)
        plugin.send(type="channel_config", metadata={"config": "{}", "serving": "true"})
        for name in ("first", "second"):
            plugin.send(type="text", chat_id="c", content=name, metadata={"reply_id": name})
        accepted = set()
        for _ in range(2):
            message = plugin.receive()
            accepted.add(message["params"]["reply_id"])
            plugin.send(type="rpc_response", id=message["id"], result={"accepted": True})
        self.assertEqual(accepted, {"first", "second"})

    def test_ends_when_it_cannot_start(self):
        plugin, _ = self.start_channel({"fails": True})
        self.assertEqual(plugin.process.wait(20), 1)


if __name__ == "__main__":
    unittest.main()
