import unittest

from support import PluginTestCase

MOVER = """
async def would_move(to: int, ctx):
    if to < 0:
        raise toolpost.ToolError("there is no such place")
    if to == 0:
        return None
    if to == 9:
        ctx.storage.get("key")
    return f"move to {to + 1} of {ctx.roots} for {ctx.session.user}"

@toolpost.tool(preview=would_move)
def move(to: int, fast: bool = False, ctx: toolpost.Context = None):
    "Moves."

@toolpost.tool
def plain():
    "Does nothing."
"""


class PreviewsTest(PluginTestCase):
    def preview(self, plugin, given, tool="move"):
        params = {"toolName": tool, "input": given, "roots": ["/r"], "sessionId": "s", "user": "ann"}
        plugin.send(id="p", method="preview_tool", params=params)
        message = plugin.receive()
        self.assertEqual(message.pop("id"), "p")
        return message

    def test_a_preview_gets_the_arguments_that_it_names(self):
        plugin = self.start(MOVER)
        self.assertEqual([tool.get("hasPreview") for tool in plugin.activation["tools"]], [True, None])
        self.assertEqual(self.preview(plugin, '{"to": 2, "fast": true}'), {"result": "move to 3 of ['/r'] for ann"})
        self.assertEqual(self.preview(plugin, '{"to": 0}'), {"result": None})

    def test_a_preview_that_fails_says_why_and_asks_nothing_of_the_host(self):
        plugin = self.start(MOVER)
        self.assertEqual(self.preview(plugin, '{"to": -1}'), {"error": "there is no such place"})
        self.assertIn("to must be of type integer", self.preview(plugin, '{"to": "x"}')["error"])
        self.assertIn("a preview asks nothing", self.preview(plugin, '{"to": 9}')["error"])
        self.assertIn("not implemented", self.preview(plugin, "{}", "plain")["error"])

    def test_a_preview_of_other_arguments_is_refused_where_it_stands(self):
        plugin = self.start("@toolpost.tool(preview=lambda place: '')\ndef move(to: int): pass", activate=False)
        self.assertNotEqual(plugin.end(), 0)
        self.assertIn("its preview takes place, which the tool does not", plugin.stderr())


if __name__ == "__main__":
    unittest.main()
