import unittest

import toolpost
from support import PluginTestCase

HOOKS = """
from toolpost import allow, ask, defer, deny, hook

@hook("PreToolUse", matcher="bash*")
def no_rm(event):
    if "rm" in event.tool_input.get("command", ""):
        return deny(f"no rm for {event.session.user} in {event.session.channel}")
    return None

@hook("PreToolUse", matcher="bash")
async def ask_first(event):
    return ask("really?") if event.tool_input.get("ask") else allow()

@hook("PreToolUse", matcher="*rewrite*")
def rewrite():
    return allow(updated_input={"command": "true"})

@hook("PreToolUse", matcher="closed", fail_closed=True)
def closed(event):
    raise ValueError("out of order")

@hook("PreToolUse", matcher="open")
def fails_open(event):
    return "yes"

@hook("UserPromptSubmit")
def prompt(event):
    return deny(f"{event.prompt} to {event.extra['model']}") if event.prompt else ask(event.reason)

@hook("PostToolUse")
def after(event):
    print("after", event.tool_name, event.tool_output, event.tool_elapsed_ms)
"""


class HooksTest(PluginTestCase):
    def hook(self, plugin, tool_name, tool_input="{}", call_id="h", event="PreToolUse", **more):
        params = {
            "event": event,
            "toolName": tool_name,
            "toolInput": tool_input,
            "channel": "cli",
            "user": "ann",
            **more,
        }
        plugin.send(**({"id": call_id} if call_id else {}), method="hook", params=params)
        message = plugin.receive()
        self.assertEqual(message.pop("id", None), call_id)
        return message["hook_result"]

    def test_declares_its_hooks(self):
        declared = self.start(HOOKS).activation["hooks"]
        self.assertEqual(declared[0], {"event": "PreToolUse", "matcher": "bash*", "failClosed": False})
        self.assertEqual(declared[3], {"event": "PreToolUse", "matcher": "closed", "failClosed": True})
        self.assertEqual(declared[6], {"event": "PostToolUse", "matcher": "*", "failClosed": False})

    def test_hears_what_the_user_said_and_for_which_model(self):
        plugin = self.start(HOOKS)
        given = {"event": "UserPromptSubmit", "prompt": "hello", "extra": {"model": "demo"}}
        self.assertEqual(self.hook(plugin, "", "", **given), {"decision": "deny", "message": "hello to demo"})
        odd = {"event": "UserPromptSubmit", "prompt": None, "extra": "no", "reason": "none"}
        self.assertEqual(self.hook(plugin, "", "", **odd), {"decision": "ask", "message": "none"})

    def test_the_strongest_decision_wins(self):
        plugin = self.start(HOOKS)
        cases = [
            ("bash_x", '{"command":"rm -r /"}', {"decision": "deny", "message": "no rm for ann in cli"}),
            ("bash", '{"command":"rm","ask":true}', {"decision": "deny", "message": "no rm for ann in cli"}),
            ("bash", '{"command":"ls","ask":true}', {"decision": "ask", "message": "really?"}),
            ("bash", '{"command":"ls"}', {"decision": "defer"}),
            ("bash", "not JSON", {"decision": "defer"}),
            ("bas", "{}", {"decision": "allow"}),
            ("a_rewrite_b", "{}", {"decision": "allow", "updatedInput": {"command": "true"}}),
        ]
        for tool_name, tool_input, expected in cases:
            with self.subTest(tool=tool_name, input=tool_input):
                self.assertEqual(self.hook(plugin, tool_name, tool_input), expected)

    def test_a_failing_hook_denies_only_when_it_fails_closed(self):
        plugin = self.start(HOOKS)
        answer = self.hook(plugin, "closed")
        self.assertEqual(answer["decision"], "deny")
        self.assertIn("out of order", answer["message"])
        self.assertEqual(self.hook(plugin, "open"), {"decision": "defer"})
        self.assertIn("a hook returns allow()", plugin.stderr())

    def test_other_events_reach_their_hooks_alone(self):
        plugin = self.start(HOOKS)
        self.assertEqual(
            self.hook(plugin, "bash", event="PostToolUse", toolOutput="ok", toolElapsedMs=12), {"decision": "defer"}
        )
        self.assertEqual(self.hook(plugin, "bash", event="SessionStart"), {"decision": "allow"})
        self.assertIn("after bash ok 12", plugin.stderr())

    def test_version_1_has_no_ids(self):
        plugin = self.start(HOOKS, versions=None)
        self.assertEqual(
            self.hook(plugin, "bash", '{"ask":true}', call_id=None), {"decision": "ask", "message": "really?"}
        )

    def test_a_plugin_without_hooks_allows(self):
        plugin = self.start("")
        self.assertEqual(plugin.activation, {"protocolVersion": 2, "tools": []})
        self.assertEqual(self.hook(plugin, "bash"), {"decision": "allow"})

    def test_matchers(self):
        cases = [
            ("", "any", True), ("*", "any", True), ("bash", "bash", True), ("bash", "bash2", False), ("p*", "pq", True),
            ("p*", "qp", False), ("*s", "ps", True), ("*s", "sp", False), ("*mid*", "a.mid.b", True),
            ("a.c", "abc", False),
        ]  # fmt: skip
        for matcher, name, expected in cases:
            with self.subTest(matcher=matcher, name=name):
                self.assertEqual(
                    toolpost._Hook("PreToolUse", matcher, False, len).matches("PreToolUse", name), expected
                )

    def test_an_unknown_event_is_refused_with_the_near_one(self):
        with self.assertRaisesRegex(ValueError, "did you mean PreToolUse"):
            toolpost.hook("PreTooluse")


if __name__ == "__main__":
    unittest.main()
