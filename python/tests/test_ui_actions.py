import unittest

from support import PluginTestCase

BOARD = """
@toolpost.tool(ui={"mode": "html", "param": "code"})
def sketch(code: str):
    "Sketches a board."
    return toolpost.tool_result("sketched", ui_code=f"<b>{code}</b>")

@toolpost.web_ui_action
async def act(action):
    if action.action == "count":
        return toolpost.tool_result(f"counted for {action.session.user}", ui_code=f"<b>{action.data['n']}</b>")
    if action.action == "where":
        return f"{action.tool_name} {action.tool_call_id}"
    if action.action == "fail":
        raise toolpost.ToolError("no such square")
    return False
"""


class UiActionsTest(PluginTestCase):
    def act(self, plugin, action, data=None, **more):
        params = {"widgetId": "sketch", "toolCallId": "c1", "action": action, "data": data or {}, "user": "ann", **more}
        plugin.send(id="a", method="web_ui_action", params=params)
        message = plugin.receive()
        self.assertEqual(message.pop("id"), "a")
        return message

    def test_a_call_gives_what_it_draws_beside_its_text(self):
        plugin = self.start(BOARD)
        self.assertEqual(plugin.activation["tools"][0]["ui"], {"mode": "html", "param": "code"})
        plugin.send(id="1", method="execute_tool", params={"toolName": "sketch", "input": '{"code": "x"}'})
        self.assertEqual(plugin.receive()["result"], {"content": "sketched", "metadata": {"ui_code": "<b>x</b>"}})

    def test_version_1_has_it_beside_the_text_too(self):
        plugin = self.start(BOARD, versions=None)
        plugin.send(method="execute_tool", params={"toolName": "sketch", "input": '{"code": "x"}'})
        self.assertEqual(plugin.receive(), {"result": "sketched", "ui_code": "<b>x</b>"})

    def test_an_action_is_answered_as_a_call_is(self):
        plugin = self.start(BOARD)
        drawn = {"content": "counted for ann", "metadata": {"ui_code": "<b>3</b>"}}
        self.assertEqual(self.act(plugin, "count", {"n": 3}), {"result": drawn})
        self.assertEqual(self.act(plugin, "count", '{"n": 3}'), {"result": drawn})
        self.assertEqual(self.act(plugin, "where"), {"result": "sketch c1"})
        self.assertEqual(self.act(plugin, "fail"), {"error": "no such square"})
        self.assertIn("KeyError", self.act(plugin, "count", {})["error"])

    def test_one_that_is_not_handled_is_the_users(self):
        not_handled = {"error": "web_ui_action not implemented"}
        self.assertEqual(self.act(self.start(BOARD), "other"), not_handled)
        self.assertEqual(self.act(self.start("@toolpost.tool\ndef t(): pass"), "other"), not_handled)

    def test_two_handlers_are_refused(self):
        twice = "@toolpost.web_ui_action\ndef a(action): pass\n@toolpost.web_ui_action\ndef b(action): pass"
        plugin = self.start(twice, activate=False)
        self.assertNotEqual(plugin.end(), 0)
        self.assertIn("two functions handle actions: a and b", plugin.stderr())

    def test_a_handler_of_another_form_is_refused_where_it_is_declared(self):
        for parameters in ("action, data", "", "*, event"):
            plugin = self.start(f"@toolpost.tool\ndef t(): pass\n@toolpost.web_ui_action\ndef vote({parameters}): pass", activate=False)
            self.assertNotEqual(plugin.end(), 0)
            self.assertIn(f"TypeError: vote({parameters}) takes one argument", plugin.stderr())
            self.assertNotIn("never calls toolpost.serve()", plugin.stderr())
        self.assertEqual(self.act(self.start("@toolpost.web_ui_action\ndef act(*given): return False"), "x"), {
            "error": "web_ui_action not implemented"
        })

    def test_that_there_is_a_handler_is_told_at_the_start(self):
        self.assertIs(self.start(BOARD).activation["handlesUiActions"], True)
        self.assertNotIn("handlesUiActions", self.start("@toolpost.tool\ndef t(): pass").activation)


if __name__ == "__main__":
    unittest.main()
