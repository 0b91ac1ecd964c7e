import unittest

import support  # noqa: F401  puts toolpost on the path
import toolpost


class BlocksTest(unittest.TestCase):
    def test_a_builder_carries_blocks_in_the_metadata_in_their_order(self):
        builder = toolpost.result_builder().content("two").metadata("kind", "k")
        builder.block(toolpost.table(["city", {"label": "°C", "align": "right"}], [["Oslo", 3], {"city": "Rome"}]))
        result = builder.block(toolpost.markdown("**b**", title="T")).build()
        self.assertEqual(result.text, "two")
        self.assertEqual(
            result.metadata,
            {
                "kind": "k",
                "blocks": [
                    {
                        "type": "table",
                        "columns": ["city", {"label": "°C", "align": "right"}],
                        "rows": [["Oslo", 3], {"city": "Rome"}],
                    },
                    {"type": "markdown", "title": "T", "text": "**b**"},
                ],
            },
        )

    def test_a_built_result_does_not_change_with_its_builder(self):
        builder = toolpost.result_builder().block(toolpost.markdown("a"))
        built = builder.build()
        builder.block(toolpost.markdown("b")).error("no")
        self.assertEqual(len(built.metadata["blocks"]), 1)
        self.assertFalse(built.is_error)
        self.assertTrue(builder.build().is_error)

    def test_each_block_leaves_out_what_is_not_given(self):
        self.assertEqual(toolpost.chart([1, None]), {"type": "chart", "kind": "bar", "values": [1, None]})
        self.assertEqual(toolpost.diff(before="a", after="b"), {"type": "diff", "before": "a", "after": "b"})
        self.assertEqual(toolpost.form("save", ["n"]), {"type": "form", "action": "save", "fields": ["n"]})
        self.assertEqual(toolpost.tree(["a"], summary=""), {"type": "tree", "summary": "", "nodes": ["a"]})

    def test_a_tool_sends_them(self):
        @toolpost.tool
        def cities() -> toolpost.ToolResult:
            """d"""
            return toolpost.result_builder().block(toolpost.table(["a"], [(1,)])).build()

        sent = toolpost.call_tool(cities, {})
        self.assertEqual(sent.metadata["blocks"][0]["rows"], [[1]])


if __name__ == "__main__":
    unittest.main()
