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


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


@dataclasses.dataclass
class Point:
    """A point.

    Attributes:
        x: To the right.
    """

    x: float
    y: float = 0.0
    label: typing.Optional[str] = None


@dataclasses.dataclass
class Node:
    name: str
    children: typing.List["Node"] = dataclasses.field(default_factory=list)


class Movie(typing.TypedDict):
    title: str
    year: int


class PartialMovie(Movie, total=False):
    rating: float


def schema_of(hint):
    return toolpost._schema(hint)


class HintsTest(unittest.TestCase):
    def test_scalars_and_containers(self):
        cases = [
            (str, {"type": "string"}),
            (int, {"type": "integer"}),
            (float, {"type": "number"}),
            (bool, {"type": "boolean"}),
            (type(None), {"type": "null"}),
            (list, {"type": "array", "items": {}}),
            (typing.List, {"type": "array", "items": {}}),
            (typing.List[int], {"type": "array", "items": {"type": "integer"}}),
            (typing.Sequence[str], {"type": "array", "items": {"type": "string"}}),
            (typing.Set[str], {"type": "array", "items": {"type": "string"}, "uniqueItems": True}),
            (dict, {"type": "object"}),
            (typing.Dict[str, int], {"type": "object", "additionalProperties": {"type": "integer"}}),
            (typing.Dict[str, typing.Any], {"type": "object"}),
            (typing.Mapping[str, bool], {"type": "object", "additionalProperties": {"type": "boolean"}}),
            (typing.Tuple[int, ...], {"type": "array", "items": {"type": "integer"}}),
            (typing.Tuple[int, int], {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2}),
            (
                typing.Tuple[int, str],
                {
                    "type": "array",
                    "items": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
                    "minItems": 2,
                    "maxItems": 2,
                },
            ),
            (pathlib.Path, {"type": "string"}),
            (datetime.date, {"type": "string", "format": "date"}),
            (datetime.datetime, {"type": "string", "format": "date-time"}),
            (typing.NewType("Metres", float), {"type": "number"}),
        ]
        for hint, expected in cases:
            with self.subTest(hint=hint):
                self.assertEqual(schema_of(hint), expected)

    def test_builtin_generics(self):
        self.assertEqual(schema_of(list[int]), {"type": "array", "items": {"type": "integer"}})
        self.assertEqual(schema_of(dict[str, str]), {"type": "object", "additionalProperties": {"type": "string"}})

    def test_optional_and_union(self):
        self.assertEqual(schema_of(typing.Optional[str]), {"type": ["string", "null"]})
        self.assertEqual(schema_of(typing.Optional[Color]), {"type": ["string", "null"], "enum": ["red", "blue", None]})
        self.assertEqual(schema_of(typing.Union[int, str]), {"anyOf": [{"type": "integer"}, {"type": "string"}]})
        self.assertEqual(
            schema_of(typing.Union[int, str, None]),
            {"anyOf": [{"type": "integer"}, {"type": "string"}, {"type": "null"}]},
        )
        self.assertEqual(schema_of(typing.Optional[typing.Any]), {})

    def test_literal_and_enum(self):
        self.assertEqual(schema_of(typing.Literal["a", "b"]), {"type": "string", "enum": ["a", "b"]})
        self.assertEqual(schema_of(typing.Literal["a", 1]), {"type": ["string", "integer"], "enum": ["a", 1]})
        self.assertEqual(schema_of(Color), {"type": "string", "enum": ["red", "blue"]})

    def test_enum_whose_values_are_no_json_goes_by_name(self):
        class Pair(enum.Enum):
            A = (1, 2)
            B = (3, 4)

        self.assertEqual(schema_of(Pair), {"type": "string", "enum": ["A", "B"]})

    def test_dataclass_and_typed_dict(self):
        self.assertEqual(
            schema_of(Point),
            {
                "type": "object",
                "properties": {
                    "x": {"type": "number", "description": "To the right."},
                    "y": {"type": "number", "default": 0.0},
                    "label": {"type": ["string", "null"]},
                },
                "required": ["x"],
            },
        )
        self.assertEqual(schema_of(PartialMovie)["required"], ["title", "year"])
        self.assertEqual(schema_of(PartialMovie)["properties"]["rating"], {"type": "number"})

    def test_a_type_inside_itself_ends(self):
        children = schema_of(Node)["properties"]["children"]
        self.assertEqual(children, {"type": "array", "items": {"type": "object"}})

    def test_unknown_hints_give_no_constraint(self):
        class Strange:
            pass

        for hint in (typing.Any, object, Strange, typing.Callable, typing.TypeVar("T"), "text", 5):
            with self.subTest(hint=hint):
                self.assertEqual(schema_of(hint), {})

    def test_annotated_gives_the_description(self):
        hint = typing.Annotated[str, "A city"]
        self.assertEqual(schema_of(hint), {"type": "string", "description": "A city"})


class ToolDefinitionTest(unittest.TestCase):
    def define(self, function, **options):
        toolpost.tool(name=f"schema_{function.__qualname__}", **options)(function)
        self.addCleanup(toolpost._tools.pop, f"schema_{function.__qualname__}")
        return toolpost.tool_definition(function)

    def test_required_defaults_and_descriptions(self):
        def search(query: str, limit: int = 10, color: Color = Color.RED, tags: typing.List[str] = ()):
            """Searches the
            catalogue.

            Slowly.

            Args:
                query: What to look for.
                limit (int, optional): How many,
                    at most.
            """

        definition = self.define(search)
        self.assertEqual(definition["description"], "Searches the catalogue.")
        self.assertEqual(
            definition["inputSchema"],
            {
                "type": "object",
                "properties": {
                    "query": {"type": "string", "description": "What to look for."},
                    "limit": {"type": "integer", "description": "How many, at most.", "default": 10},
                    "color": {"type": "string", "enum": ["red", "blue"], "default": "red"},
                    "tags": {"type": "array", "items": {"type": "string"}, "default": []},
                },
                "required": ["query"],
            },
        )

    def test_no_parameters_give_an_empty_object(self):
        def nothing():
            pass

        self.assertEqual(self.define(nothing)["inputSchema"], {"type": "object", "properties": {}})

    def test_context_is_no_argument(self):
        def by_name(ctx, a: int):
            pass

        def by_hint(a: int, call: toolpost.Context):
            pass

        def by_text(a: int, call: "toolpost.Context" = None):
            pass

        def own(context: str):
            pass

        for function in (by_name, by_hint, by_text):
            self.assertEqual(list(self.define(function)["inputSchema"]["properties"]), ["a"])
        self.assertEqual(list(self.define(own)["inputSchema"]["properties"]), ["context"])

    def test_default_none_admits_null(self):
        def find(name: str = None):
            pass

        self.assertEqual(self.define(find)["inputSchema"]["properties"]["name"], {"type": ["string", "null"]})

    def test_hints_as_text_are_resolved_and_unresolvable_ones_are_open(self):
        def mixed(a: "int", b: "typing.List[Point]", c: "Missing"):  # noqa: F821
            pass

        with contextlib.redirect_stderr(io.StringIO()) as stderr:
            properties = self.define(mixed)["inputSchema"]["properties"]
        self.assertIn("'Missing' gives no constraint", stderr.getvalue())
        self.assertEqual(properties["a"], {"type": "integer"})
        self.assertEqual(properties["b"]["items"]["required"], ["x"])
        self.assertEqual(properties["c"], {})

    def test_options_are_passed_on(self):
        def paint(color: Color, file: str):
            pass

        definition = self.define(
            paint, description="Paints.", primary_arg="file", timeout=1.5, concurrency="serial",
            annotations={"readOnlyHint": False}, output_schema=Point, channels=["web"], ui={"mode": "genui"},
        )  # fmt: skip
        expected = {
            "description": "Paints.", "primaryArg": "file", "timeout": "1.5s", "concurrency": "serial",
            "annotations": {"readOnlyHint": False}, "channels": ["web"], "ui": {"mode": "genui"},
        }  # fmt: skip
        self.assertEqual({key: definition[key] for key in expected}, expected)
        self.assertEqual(definition["outputSchema"]["required"], ["x"])

    def test_plain_definition_has_no_further_keys(self):
        def plain():
            pass

        self.assertEqual(list(self.define(plain)), ["name", "description", "inputSchema"])

    def test_wrong_declarations_say_what_is_wrong(self):
        def one(file: str):
            pass

        def positional(*names):
            pass

        cases = [
            (one, {"primary_arg": "fil"}, ValueError, "did you mean file"),
            (one, {"timeout": "soon"}, ValueError, "30s"),
            (one, {"timeout": 0}, ValueError, "30s"),
            (one, {"concurrency": "never"}, ValueError, "serial"),
            (positional, {}, TypeError, "by name"),
        ]
        for function, options, kind, words in cases:
            with self.subTest(options=options), self.assertRaisesRegex(kind, words):
                toolpost.tool(name="wrong", **options)(function)

    def test_two_tools_of_one_name_are_refused(self):
        def first():
            pass

        def second():
            pass

        self.define(first)
        with self.assertRaisesRegex(ValueError, "first.*second"):
            toolpost.tool(name=f"schema_{first.__qualname__}")(second)


class DocstringTest(unittest.TestCase):
    EXPECTED = ("Does it.", {"a": "The first one.", "b": "The second."})

    def check(self, text):
        self.assertEqual(toolpost._parse_docstring(text), self.EXPECTED)

    def test_google(self):
        self.check(
            """Does it.

            Args:
                a (Optional[List[int]], optional): The first
                    one.
                b: The second.

            Returns:
                c: Not a parameter.
            """
        )

    def test_rest(self):
        self.check(
            """Does it.

            :param int a: The first
                one.
            :param b: The second.
            :returns: Nothing.
            """
        )

    def test_numpy(self):
        self.check(
            """Does it.

            Parameters
            ----------
            a : int, optional
                The first
                one.
            b
                The second.

            Returns
            -------
            int
                Not a parameter.
            """
        )

    def test_sections_right_after_the_summary(self):
        self.check("Does it.\nArgs:\n    a: The first one.\n    b: The second.\n")

    def test_none_and_empty(self):
        self.assertEqual(toolpost._parse_docstring(None), ("", {}))
        self.assertEqual(toolpost._parse_docstring("  \n "), ("", {}))


if __name__ == "__main__":
    unittest.main()
