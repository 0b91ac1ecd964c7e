import unittest

from support import PluginTestCase

CONTENT = """
@toolpost.resource("notes://today", mime_type="text/plain")
def today():
    'What is to do today.'
    return "milk"

@toolpost.resource("notes://{day}", "by day", complete={"day": lambda value: [d for d in ("monday", "tuesday") if d.startswith(value)]})
async def by_day(day):
    return f"the notes of {day}"

@toolpost.resource("notes://image")
def image():
    return b"\\x00\\x01"

@toolpost.prompt(description="Greets.", complete={"name": lambda value: [value + "!"]})
def greet(name, style="short"):
    return f"Greet {name}, {style}."

@toolpost.prompt()
def broken():
    raise toolpost.ToolError("the ink is out")
"""


class ContentTest(PluginTestCase):
    def ask(self, plugin, **request):
        plugin.send(id="c", method="content", params={"request": request, "sessionId": "s"})
        message = plugin.receive()
        self.assertEqual(message.pop("id"), "c")
        return message

    def test_is_declared(self):
        activation = self.start(CONTENT).activation
        today = {"uri": "notes://today", "name": "today", "description": "What is to do today.", "mimeType": "text/plain"}
        self.assertEqual(activation["resources"], [today, {"uri": "notes://image", "name": "image"}])
        self.assertEqual(activation["resourceTemplates"], [{"uriTemplate": "notes://{day}", "name": "by day"}])
        arguments = [{"name": "name", "required": True}, {"name": "style"}]
        greet = {"name": "greet", "description": "Greets.", "arguments": arguments}
        self.assertEqual(activation["prompts"], [greet, {"name": "broken"}])

    def test_is_read(self):
        plugin = self.start(CONTENT)
        self.assertEqual(self.ask(plugin, kind="resource", uri="notes://today"), {"result": "milk"})
        by_day = {"kind": "resource", "uri": "notes://monday", "uriTemplate": "notes://{day}", "variables": {"day": "monday"}}
        self.assertEqual(self.ask(plugin, **by_day), {"result": "the notes of monday"})
        self.assertEqual(self.ask(plugin, kind="resource", uri="notes://image"), {"result": {"blob": "AAE="}})
        greet = {"kind": "prompt", "name": "greet", "arguments": {"name": "Bob"}}
        self.assertEqual(self.ask(plugin, **greet), {"result": "Greet Bob, short."})

    def test_completes(self):
        plugin = self.start(CONTENT)
        day = {"kind": "completion", "uriTemplate": "notes://{day}", "argument": "day", "value": "t", "given": {}}
        self.assertEqual(self.ask(plugin, **day), {"result": ["tuesday"]})
        other = {"kind": "completion", "prompt": "greet", "argument": "style", "value": "", "given": {}}
        self.assertEqual(self.ask(plugin, **other), {"result": []})

    def test_failures_are_answered_with_their_reason(self):
        plugin = self.start(CONTENT)
        self.assertEqual(self.ask(plugin, kind="prompt", name="broken"), {"error": "the ink is out"})
        self.assertEqual(self.ask(plugin, kind="resource", uri="notes://?"), {"error": "Unknown resource: notes://?"})
        self.assertIn("name", self.ask(plugin, kind="prompt", name="greet", arguments={})["error"])

    def test_is_not_told_to_hosts_of_version_1(self):
        self.assertNotIn("resources", self.start(CONTENT, versions=None).activation)


if __name__ == "__main__":
    unittest.main()
