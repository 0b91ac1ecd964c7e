"""The examples of the documentation, run as they stand there."""

import json
import os
import re
import shutil
import subprocess
import sys
import unittest

from support import PYTHON_DIR, PluginTestCase, environment

DOCS = os.path.join(os.path.dirname(PYTHON_DIR), "docs")
PLUGINS = os.path.join(os.path.dirname(PYTHON_DIR), "plugins")


def blocks(page, language):
    with open(os.path.join(DOCS, page), encoding="utf-8") as file:
        return re.findall(rf"^```{language}\n(.*?)^```$", file.read(), re.MULTILINE | re.DOTALL)


def block_with(page, language, text):
    return next(block for block in blocks(page, language) if text in block)


class ExamplesTest(PluginTestCase):
    def write(self, name, text):
        path = os.path.join(self.directory, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def converse(self, command, *messages, cwd=None):
        text = "".join(f"{json.dumps(message, separators=(',', ':'))}\n" for message in messages)
        done = subprocess.run(
            command,
            input=text,
            cwd=cwd or self.directory,
            env=environment(),
            capture_output=True,
            encoding="utf-8",
            timeout=20,
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return [json.loads(line) for line in done.stdout.splitlines()]

    ACTIVATE = {"method": "activate", "params": {"protocolVersions": [1, 2]}}

    @staticmethod
    def execute(tool, arguments, **more):
        return {**more, "method": "execute_tool", "params": {"toolName": tool, "input": json.dumps(arguments)}}

    def test_python_tools(self):
        page = "write-a-tool-in-python.md"
        stats = self.write("word_stats.py", block_with(page, "python", "def word_stats"))
        call = self.execute("word_stats", {"text": "the quick brown fox", "longest": 1}, id="1")
        activation, answer = self.converse([sys.executable, stats], self.ACTIVATE, call)
        self.assertEqual(activation["tools"][0]["inputSchema"]["required"], ["text"])
        self.assertEqual(answer["result"]["structuredContent"], {"words": 4, "longest": ["brown"]})

        pages = self.write("check_pages.py", block_with(page, "python", "def check_pages"))
        call = self.execute("check_pages", {"pages": ["a"]}, id="1")
        answers = self.converse([sys.executable, pages], self.ACTIVATE, call)
        self.assertEqual(answers[-1], {"id": "1", "result": "1 pages are fine"})

        hook = self.write("hook.py", block_with(page, "python", "def no_force_push"))
        params = {"event": "PreToolUse", "toolName": "bash", "toolInput": '{"command":"git push --force"}'}
        answers = self.converse([sys.executable, hook], self.ACTIVATE, {"id": "1", "method": "hook", "params": params})
        self.assertEqual(answers[-1]["hook_result"]["decision"], "deny")

    def test_the_unit_test_passes(self):
        page = "write-a-tool-in-python.md"
        self.write("word_stats.py", block_with(page, "python", "def word_stats"))
        test = self.write("word_stats_test.py", block_with(page, "python", "class WordStatsTest"))
        done = subprocess.run(
            [sys.executable, test], cwd=self.directory, env=environment(), capture_output=True, timeout=20
        )
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_speaking_by_hand(self):
        page = "write-a-tool-in-python.md"
        os.mkdir(os.path.join(self.directory, "tools"))
        self.write("tools/word_stats.py", block_with(page, "python", "def word_stats"))
        command = block_with(page, "sh", "printf").replace("path/to/toolpost/python", f"'{PYTHON_DIR}'")
        command = command.replace("python3", f"'{sys.executable}'")
        done = subprocess.run(
            ["sh", "-c", command], cwd=self.directory, env=environment(), capture_output=True, text=True, timeout=20
        )
        self.assertEqual(json.loads(done.stdout.splitlines()[1])["id"], "1", done.stderr)

    @unittest.skipUnless(shutil.which("node"), "node is not installed")
    def test_the_node_plugin(self):
        path = self.write("main.mjs", block_with("write-a-tool-in-any-language.md", "js", "dice_roll"))
        call = self.execute("dice_roll", {"sides": 6})
        activation, roll, unknown = self.converse(["node", path], self.ACTIVATE, call, {"method": "dance"})
        self.assertEqual(activation["tools"][0]["name"], "dice_roll")
        self.assertIn(roll["result"], list("123456"))
        self.assertEqual(unknown, {"error": "unknown method: dance"})

    @unittest.skipUnless(shutil.which("sh") and shutil.which("uptime"), "needs sh and uptime")
    def test_the_shell_plugin(self):
        path = self.write("main.sh", block_with("write-a-tool-in-any-language.md", "sh", "while IFS"))
        call, end = self.execute("machine_uptime", {}), {"method": "deactivate"}
        activation, answer = self.converse(["sh", path], self.ACTIVATE, call, end)
        self.assertEqual(activation["tools"][0]["name"], "machine_uptime")
        self.assertIn("load", answer["result"])

    def test_json_examples_are_json(self):
        for page in ("write-a-tool-in-python.md", "write-a-tool-in-any-language.md"):
            for block in blocks(page, "json"):
                json.loads(block)

    def test_bundled_plugins_declare_what_they_offer(self):
        for plugin in ("python-greet", "python-sdk-demo"):
            folder = os.path.join(PLUGINS, plugin)
            with open(os.path.join(folder, "plugin.json"), encoding="utf-8") as file:
                manifest = json.load(file)
            (answer,) = self.converse([sys.executable, *manifest["args"]], self.ACTIVATE, cwd=folder)
            offered = [(tool["name"], tool["description"]) for tool in answer["tools"]]
            declared = [(tool["name"], tool["description"]) for tool in manifest["contributes"]["tools"]]
            self.assertEqual((manifest["id"], declared), (plugin, offered))

    def test_bundled_tools_answer(self):
        greet = self.execute("python_greet", {"name": "Zoë"})
        answers = self.converse(
            [sys.executable, "main.py"], self.ACTIVATE, greet, cwd=os.path.join(PLUGINS, "python-greet")
        )
        self.assertEqual(json.loads(answers[-1]["result"]), {"english": "Hello, Zoë!"})
        calls = [
            self.execute("demo_countdown", {"start": 2, "seconds_per_step": 0.01}, id="1"),
            self.execute("demo_word_count", {"text": "the cat, the dog"}, id="2"),
            self.execute("demo_days_between", {"first": "2024-02-01", "last": "2024-03-01"}, id="3"),
            self.execute("demo_countdown", {"start": 101}, id="4"),
        ]
        folder = os.path.join(PLUGINS, "python-sdk-demo")
        messages = self.converse([sys.executable, "main.py"], self.ACTIVATE, *calls, cwd=folder)
        results = {each.get("id"): each for each in messages if "result" in each or "error" in each}
        self.assertEqual(results["1"]["result"], "Liftoff!")
        self.assertEqual([each["output"]["text"] for each in messages if "output" in each], ["2\n", "1\n"])
        self.assertEqual(results["2"]["result"]["structuredContent"]["most_frequent"], {"the": 2, "cat": 1, "dog": 1})
        self.assertEqual(results["3"]["result"], "29")
        self.assertIn("start must be", results["4"]["error"])


if __name__ == "__main__":
    unittest.main()
