"""The Python SDK of Toolpost: write a tool as a function.

    import toolpost

    @toolpost.tool
    def add(a: int, b: int = 1) -> str:
        '''Adds two numbers.

        Args:
            a: The first number.
            b: The second number.
        '''
        return str(a + b)

    if __name__ == "__main__":
        toolpost.serve()

The JSON schema comes from the type hints, the descriptions from the docstring. A parameter named `ctx` gets the
call's context: streamed output, progress, cancel, storage, settings, questions to the user. One file, standard library
only, Python 3.9 or later; copy it beside your plugin if you like.
"""

from __future__ import annotations

import atexit
import collections
import collections.abc
import contextlib
import dataclasses
import enum
import functools
import inspect
import itertools
import json
import math
import os
import re
import select
import signal
import sys
import threading
import traceback
import types
import typing

# asyncio, difflib and the like are imported where they are used: a plugin's start is part of its first call.

__version__ = "0.1.0"
__all__ = [
    "AskAnswer", "BusContext", "BusMessage", "CalledTool", "Cancelled", "Channel", "ChannelAsk", "ChannelReply",
    "ChannelUpdate", "Context", "HookDecision", "HookEvent", "InvalidArguments", "Receipt", "RecordingContext",
    "ResultBuilder", "Session", "Storage", "Store", "ToolError", "ToolResult", "UiAction", "allow", "ask", "call_tool",
    "chart", "defer", "deny", "diff", "enricher", "form", "format_error_result", "format_list_result",
    "format_tool_result", "hook", "markdown", "prompt", "publish", "resource", "result_builder", "serve",
    "serve_channel", "subscribe", "table", "tool", "tool_definition", "tool_error", "tool_result", "tree",
    "web_ui_action",
]  # fmt: skip


# ---------------------------------------------------------------------------------------------------------------------
# Results
# ---------------------------------------------------------------------------------------------------------------------


class ToolError(Exception):
    """An expected failure. The model reads the message, so it should say what to do next. No traceback is logged."""

    def __init__(self, message, structured_content=None, metadata=None):
        super().__init__(message)
        self.structured_content = structured_content
        self.metadata = metadata


class InvalidArguments(ToolError):
    """The arguments do not fit the function's type hints; the message names the argument."""


class Cancelled(Exception):
    """The call was cancelled. A tool may let it pass, or raise it, to end the call."""


@dataclasses.dataclass
class ToolResult:
    """What a tool gives back: `content` is text or a list of MCP content blocks; only clients see `metadata`."""

    content: typing.Union[str, typing.List[dict]] = ""
    structured_content: typing.Optional[dict] = None
    metadata: typing.Optional[dict] = None
    is_error: bool = False

    @property
    def text(self) -> str:
        """The text blocks joined by line feeds: what a model without block support reads."""
        if isinstance(self.content, str):
            return self.content
        return "\n".join(block.get("text", "") for block in self.content if block.get("type") == "text")


@dataclasses.dataclass
class CalledTool(ToolResult):
    """How a tool that another one called has ended. `outcome` is `completed`, `failed`, `denied`, `not-found`, ..."""

    outcome: str = "completed"


def tool_result(content="", structured_content=None, metadata=None, ui_code=None) -> ToolResult:
    """A result of text or content blocks. `ui_code` is what a tool with a `ui` block draws; the model never reads it."""
    drawn = None if ui_code is None else {**(metadata or {}), "ui_code": ui_code}
    return ToolResult(content, structured_content, drawn or metadata)


def tool_error(message, structured_content=None, metadata=None) -> ToolResult:
    """An error result: an expected failure, returned instead of raised. The text says what to do next."""
    return ToolResult(message, structured_content, metadata, is_error=True)


class ResultBuilder:
    """A result made step by step: `result_builder().content("two cities").block(table(["city"], [["Oslo"]])).build()`."""

    def __init__(self):
        self._result = ToolResult()

    def content(self, content) -> "ResultBuilder":
        """The text, or content blocks, that the model reads."""
        self._result.content = content
        return self

    def error(self, message) -> "ResultBuilder":
        """The text and the error flag."""
        self._result.is_error = True
        return self.content(message)

    def metadata(self, key, value) -> "ResultBuilder":
        """One value for clients and renderers; the same key again overwrites."""
        self._result.metadata = {**(self._result.metadata or {}), key: value}
        return self

    def structured_content(self, value) -> "ResultBuilder":
        self._result.structured_content = value
        return self

    def block(self, block) -> "ResultBuilder":
        """A part that clients draw: `table`, `chart`, `diff`, `form`, `tree` or `markdown`. The model gets its text."""
        return self.metadata("blocks", [*(self._result.metadata or {}).get("blocks", []), block])

    def build(self) -> ToolResult:
        """A copy of what was set so far; the builder can go on."""
        return dataclasses.replace(self._result)


def result_builder() -> ResultBuilder:
    """Builds a result step by step; untouched it is empty text."""
    return ResultBuilder()


def table(columns, rows, *, title=None, summary=None) -> dict:
    """A block: `columns` are labels or `{"label", "align"}`, a row is a list of cells or a dict by the labels."""
    return _block("table", title=title, summary=summary, columns=columns, rows=rows)


def chart(values=None, *, labels=None, series=None, kind="bar", unit=None, title=None, summary=None) -> dict:
    """A block: `values` of one series, or `series` of `{"name", "values"}`. `kind`: bar, line, area, pie or spark."""
    options = {"values": values, "labels": labels, "series": series, "unit": unit}
    return _block("chart", title=title, summary=summary, kind=kind, **options)


def diff(patch=None, *, before=None, after=None, path=None, title=None, summary=None) -> dict:
    """A block: a unified diff, or the texts `before` and `after`, which the host compares."""
    return _block("diff", title=title, summary=summary, patch=patch, before=before, after=after, path=path)


def form(action, fields, *, submit=None, title=None, summary=None) -> dict:
    """A block: `fields` are names or `{"name", "label", "kind", "options", "value", "placeholder", "required"}`."""
    return _block("form", title=title, summary=summary, action=action, fields=fields, submit=submit)


def tree(nodes, *, title=None, summary=None) -> dict:
    """A block: nodes are labels or `{"label", "detail", "children"}`."""
    return _block("tree", title=title, summary=summary, nodes=nodes)


def markdown(text, *, title=None, summary=None) -> dict:
    """A block of Markdown."""
    return _block("markdown", title=title, summary=summary, text=text)


def _block(block_type, **parts) -> dict:
    return {"type": block_type, **{key: value for key, value in parts.items() if value is not None}}


def format_tool_result(title, values=None) -> str:
    """`title`, then one `key: value` line for each entry, sorted by key."""
    if not values:
        return title
    keys = sorted(values, key=lambda key: str(key).encode("utf-8", "replace"))
    return "\n".join([title, *(f"{key}: {_text_of(values[key])}" for key in keys)])


def format_list_result(items=None) -> str:
    """A numbered list, or `(no items)`."""
    return "\n".join(f"{number}. {_text_of(item)}" for number, item in enumerate(items or [], 1)) or "(no items)"


def format_error_result(operation, error=None) -> ToolResult:
    """An error result that reads `<operation> failed: <message>`."""
    return tool_error(f"{operation} failed: {'unknown error' if error is None else _message_of(error)}")


def _message_of(error) -> str:
    try:
        return str(error) or type(error).__name__
    except Exception:  # an exception whose own text fails must not take the answer with it
        return type(error).__name__


def _text_of(value) -> str:
    return value if isinstance(value, str) else _to_json(value)


def _to_json(value) -> str:
    return json.dumps(_plain(value), ensure_ascii=False, allow_nan=False)


def _plain(value):
    """`value` as JSON can hold it. Numbers that JSON lacks (NaN, infinity) become null, as in JavaScript."""
    if isinstance(value, enum.Enum):
        return _plain(value.value)
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, collections.abc.Mapping):
        return {key if isinstance(key, str) else _text_of(key): _plain(item) for key, item in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_plain(item) for item in value]
    if hasattr(value, "isoformat"):
        return value.isoformat()
    if isinstance(value, os.PathLike) or type(value).__module__ in ("uuid", "decimal", "ipaddress"):
        return str(value)
    raise TypeError(
        f"a value of type {type(value).__name__} cannot be sent as JSON: return text, a number, a list, a dict, "
        "a dataclass or a ToolResult"
    )


def _to_result(value) -> ToolResult:
    """Any return value of a tool as a ToolResult whose parts can be sent."""
    if isinstance(value, ToolResult):
        content = "" if value.content is None else value.content
        if isinstance(content, BaseException):
            content = _message_of(content)
        elif not isinstance(content, (str, list, tuple)):
            content = _to_json(content)
        elif not isinstance(content, str):
            content = _plain(content)
            if not all(isinstance(block, dict) and isinstance(block.get("type"), str) for block in content):
                raise TypeError(
                    'the content of a ToolResult is text or a list of blocks like {"type": "text", "text": ""}'
                )
        structured, metadata = value.structured_content, value.metadata
        return ToolResult(content, _plain_object(structured), _plain_object(metadata), bool(value.is_error))
    if value is None:
        return ToolResult("")
    if isinstance(value, str):
        return ToolResult(str(value.value) if isinstance(value, enum.Enum) else value)
    plain = _plain(value)
    text = plain if isinstance(plain, str) else json.dumps(plain, ensure_ascii=False, allow_nan=False)
    return ToolResult(text, plain if isinstance(plain, dict) else None)


def _plain_object(value):
    plain = _plain(value)
    if plain is not None and not isinstance(plain, dict):
        raise TypeError(f"structured_content and metadata are dicts, not {type(value).__name__}")
    return plain


def _failure(error) -> ToolResult:
    """An exception of a tool as an error result. What is not expected leaves a traceback on stderr."""
    if isinstance(error, ToolError):
        with contextlib.suppress(TypeError, RecursionError):
            return _to_result(tool_error(str(error), error.structured_content, error.metadata))
        return tool_error(_message_of(error))
    if isinstance(error, Cancelled) or type(error).__name__ == "CancelledError":
        return tool_error("cancelled")
    _log("".join(traceback.format_exception(type(error), error, error.__traceback__)).rstrip())
    if isinstance(error, SystemExit):
        return tool_error(f"the tool called sys.exit({error.code!r}): return a result or raise ToolError instead")
    name, message = type(error).__name__, _message_of(error)
    return tool_error(name if message == name else f"{name}: {message}")


def _log(text):
    """Writes a line to stderr, the plugin's log. A log that nobody reads any more must not end a call."""
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()


# ---------------------------------------------------------------------------------------------------------------------
# Type hints -> JSON Schema, and arguments -> the hinted types
# ---------------------------------------------------------------------------------------------------------------------

_NONE = type(None)
_CONTEXT_NAMES = ("ctx", "context")
_UNIONS = (typing.Union, getattr(types, "UnionType", typing.Union))
_SCALARS = {str: "string", bool: "boolean", int: "integer", float: "number", _NONE: "null"}
_FORMATS = {"datetime.datetime": "date-time", "datetime.date": "date", "datetime.time": "time", "uuid.UUID": "uuid"}
_ABC = collections.abc
_LISTS = (list, _ABC.Sequence, _ABC.MutableSequence, _ABC.Iterable, _ABC.Collection)
_SETS = (set, frozenset, _ABC.Set, _ABC.MutableSet)
_MAPS = (dict, _ABC.Mapping, _ABC.MutableMapping)


@dataclasses.dataclass(frozen=True)
class _Field:
    """A named value: a parameter of a function, a field of a dataclass, a key of a TypedDict."""

    name: str
    hint: typing.Any
    required: bool
    default: typing.Any = None
    description: str = ""


def _unwrap(hint):
    """Takes off Annotated, NewType, Required and the like: the hint, its description, and whether it is required."""
    description, required = "", None
    while True:
        if hasattr(hint, "__metadata__"):
            description = description or next((text for text in hint.__metadata__ if isinstance(text, str)), "")
            hint = hint.__origin__
        elif hasattr(hint, "__supertype__"):
            hint = hint.__supertype__
        elif isinstance(hint, typing.TypeVar):
            hint = hint.__bound__ or typing.Any
        elif getattr(typing.get_origin(hint), "_name", None) in ("Required", "NotRequired", "Final", "ReadOnly"):
            name = typing.get_origin(hint)._name
            required = {"Required": True, "NotRequired": False}.get(name, required)
            hint = typing.get_args(hint)[0]
        else:
            return hint, description, required


def _schema(hint, seen=()) -> dict:
    """The JSON Schema of a type hint. A hint that JSON Schema cannot express gives no constraint."""
    hint, description, _ = _unwrap(hint)
    schema = _bare_schema(hint, seen)
    return {**schema, "description": description} if description else schema


def _bare_schema(hint, seen) -> dict:
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin in _UNIONS:
        return _union_schema(args, seen)
    choices = _choices(hint)
    if choices is not None:
        return _choice_schema([value for value, _ in choices])
    kind = origin or hint
    if not isinstance(kind, type):
        return {}
    if kind in _SCALARS:
        return {"type": _SCALARS[kind]}
    if _is_record(kind):
        # A type inside itself is open there: `$ref` is not understood by every model API.
        return {"type": "object"} if kind in seen else _object_schema(_record_fields(kind), (*seen, kind))
    if kind in _LISTS:
        return {"type": "array", "items": _schema(args[0], seen) if args else {}}
    if kind in _SETS:
        return {"type": "array", "items": _schema(args[0], seen) if args else {}, "uniqueItems": True}
    if issubclass(kind, tuple):
        return _tuple_schema(args, seen)
    if kind in _MAPS:
        values = _schema(args[1], seen) if len(args) == 2 else {}
        return {"type": "object", **({"additionalProperties": values} if values else {})}
    if f"{kind.__module__}.{kind.__qualname__}" in _FORMATS:
        return {"type": "string", "format": _FORMATS[f"{kind.__module__}.{kind.__qualname__}"]}
    return {"type": "string"} if issubclass(kind, os.PathLike) else {}


def _union_schema(members, seen) -> dict:
    schemas = []
    for member in members:
        schema = _schema(member, seen)
        if not schema:
            return {}
        if member is not _NONE and schema not in schemas:
            schemas.append(schema)
    if _NONE not in members:
        return schemas[0] if len(schemas) == 1 else {"anyOf": schemas}
    if len(schemas) == 1 and isinstance(schemas[0].get("type"), str):
        more = {"enum": [*schemas[0]["enum"], None]} if "enum" in schemas[0] else {}
        return {**schemas[0], "type": [schemas[0]["type"], "null"], **more}
    return {"anyOf": [*schemas, {"type": "null"}]}


def _tuple_schema(args, seen) -> dict:
    """`prefixItems` and the older `items: [...]` each fail somewhere; a length and one item type never do."""
    if not args:
        return {"type": "array", "items": {}}
    if len(args) == 2 and args[1] is Ellipsis:
        return {"type": "array", "items": _schema(args[0], seen)}
    members = [] if args == ((),) else list(args)
    items = _union_schema([member for member in members if member is not _NONE] or [typing.Any], seen)
    return {"type": "array", "items": items, "minItems": len(members), "maxItems": len(members)}


def _choices(hint):
    """The pairs (JSON value, Python value) of a Literal or an Enum, else None."""
    if typing.get_origin(hint) is typing.Literal:
        return [(_plain(value), value) for value in typing.get_args(hint)]
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        is_plain = all(isinstance(member.value, (str, int, float)) for member in hint)
        return [(member.value if is_plain else member.name, member) for member in hint]
    return None


def _choice_schema(values) -> dict:
    names = list(dict.fromkeys(_SCALARS[type(value)] for value in values if type(value) in _SCALARS))
    return {**({"type": names[0] if len(names) == 1 else names} if names else {}), "enum": values}


def _object_schema(fields, seen=()) -> dict:
    properties = {}
    for field in fields:
        schema = _schema(field.hint, seen)
        if field.description:
            schema["description"] = field.description
        if field.default is not None:
            with contextlib.suppress(TypeError, RecursionError):
                schema["default"] = _plain(field.default)
        properties[field.name] = schema
    required = [field.name for field in fields if field.required]
    return {"type": "object", "properties": properties, **({"required": required} if required else {})}


def _is_typed_dict(kind) -> bool:
    return isinstance(kind, type) and issubclass(kind, dict) and hasattr(kind, "__total__")


def _is_record(kind) -> bool:
    return dataclasses.is_dataclass(kind) or _is_typed_dict(kind)


@functools.lru_cache(maxsize=None)
def _record_fields(kind) -> tuple:
    hints, described = _hints(kind), _parse_docstring(kind.__doc__)[1]
    if _is_typed_dict(kind):
        return tuple(_typed_dict_field(kind, name, hint, described) for name, hint in hints.items())
    fields = []
    for field in dataclasses.fields(kind):
        if field.init:
            default = None if field.default is dataclasses.MISSING else field.default
            required = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
            text = field.metadata.get("description") or described.get(field.name, "")
            fields.append(_Field(field.name, hints.get(field.name, typing.Any), required, default, text))
    return tuple(fields)


def _typed_dict_field(kind, name, hint, described) -> _Field:
    marked = _unwrap(hint)[2]
    return _Field(
        name, hint, name in kind.__required_keys__ if marked is None else marked, None, described.get(name, "")
    )


def _hints(owner) -> dict:
    """The type hints of a function or class. One that cannot be resolved is left without constraint."""
    try:
        return typing.get_type_hints(owner, include_extras=True)
    except Exception:
        annotations = {}
        with contextlib.suppress(Exception):  # Python 3.14 evaluates them here
            annotations = owner.__annotations__
        return {name: _resolve(owner, name, annotation) for name, annotation in annotations.items()}


def _resolve(owner, name, annotation):
    if not isinstance(annotation, str):
        return annotation
    names = dict(getattr(owner, "__globals__", None) or vars(sys.modules.get(owner.__module__, types)))
    try:
        if inspect.isfunction(owner):
            names.update(inspect.getclosurevars(owner).nonlocals)
        return eval(annotation, names)  # the author's own annotation, which Python would evaluate too
    except Exception as error:
        if name not in _CONTEXT_NAMES:
            place = f"{owner.__qualname__}, {name}"
            _log(f"toolpost: {place}: the type hint {annotation!r} gives no constraint: {_message_of(error)}")
        return typing.Any


def _convert(hint, value, path):
    """`value`, as it came from JSON, in the hinted type. Raises InvalidArguments that names `path`."""
    hint, _, _ = _unwrap(hint)
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin in _UNIONS:
        return _convert_union(args, value, path)
    choices = _choices(hint)
    if choices is not None:
        for plain, member in choices:
            if plain == value and type(plain) is type(value):
                return member
        raise InvalidArguments(f"{path} must be one of {_to_json([plain for plain, _ in choices])}, not {_show(value)}")
    kind = origin or hint
    if not isinstance(kind, type):
        return value
    if kind in _SCALARS:
        return _convert_scalar(kind, value, path)
    if _is_record(kind):
        values = _convert_fields(_record_fields(kind), _expect(dict, value, path), f"{path}.")
        return values if _is_typed_dict(kind) else _build(kind, path, **values)
    if kind in _LISTS or kind in _SETS or issubclass(kind, tuple):
        return _convert_items(kind, args, _expect(list, value, path), path)
    if kind in _MAPS:
        _expect(dict, value, path)
        return (
            {key: _convert(args[1], item, f"{path}.{key}") for key, item in value.items()} if len(args) == 2 else value
        )
    if f"{kind.__module__}.{kind.__qualname__}" in _FORMATS or issubclass(kind, os.PathLike):
        return _convert_text(kind, _expect(str, value, path), path)
    return value


def _convert_scalar(kind, value, path):
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if kind is int and isinstance(value, float) and value.is_integer():
        return int(value)
    return _expect(kind, value, path)


def _convert_union(members, value, path):
    """The member whose JSON type is the value's own goes first, so that 1 stays 1 in Union[float, int]."""
    errors = []
    for member in sorted(members, key=lambda member: member is not type(value)):
        try:
            return _convert(member, value, path)
        except InvalidArguments as error:
            if member is not _NONE:
                errors.append(error)
    if len(errors) == 1:
        raise errors[0]
    raise InvalidArguments(f"{path} is of none of the types it may have: {_show(value)}")


def _convert_items(kind, args, items, path):
    if issubclass(kind, tuple):
        is_open = not args or (len(args) == 2 and args[1] is Ellipsis)
        hints = itertools.repeat(args[0] if args else typing.Any) if is_open else (() if args == ((),) else args)
        if not is_open and len(items) != len(hints):
            raise InvalidArguments(f"{path} must have {len(hints)} items, not {len(items)}")
        values = tuple(_convert(hint, item, f"{path}[{at}]") for at, (hint, item) in enumerate(zip(hints, items)))
        return kind(*values) if hasattr(kind, "_fields") else values
    hint = args[0] if args else typing.Any
    values = [_convert(hint, item, f"{path}[{at}]") for at, item in enumerate(items)]
    if kind in _SETS:
        return frozenset(values) if kind is frozenset else set(values)
    return values


def _convert_text(kind, text, path):
    try:
        if hasattr(kind, "fromisoformat"):
            return kind.fromisoformat(text[:-1] + "+00:00" if text.endswith(("Z", "z")) else text)
        return kind(text)
    except ValueError as error:
        raise InvalidArguments(f"{path}: {error}") from None


def _convert_fields(fields, values, prefix, keeps_unknown=False) -> dict:
    names = [field.name for field in fields]
    unknown = [name for name in values if name not in names]
    if unknown and not keeps_unknown:
        raise InvalidArguments(f"unknown argument {prefix}{unknown[0]}{_nearest(unknown[0], names)}")
    missing = [field.name for field in fields if field.required and field.name not in values]
    if missing:
        raise InvalidArguments(f"missing argument {prefix}{missing[0]}")
    hints = {field.name: field.hint for field in fields}
    return {
        name: _convert(hints[name], value, prefix + name) if name in hints else value for name, value in values.items()
    }


def _nearest(name, names) -> str:
    import difflib

    near = difflib.get_close_matches(name, names, 1)
    if near:
        return f": did you mean {near[0]}?"
    return f": it takes {', '.join(names)}" if names else ": it takes no arguments"


def _build(kind, path, **values):
    """A dataclass may refuse values in `__post_init__`: that is the model's fault, not a bug."""
    try:
        return kind(**values)
    except (TypeError, ValueError) as error:
        raise InvalidArguments(f"{path}: {error}") from error


def _expect(kind, value, path):
    is_kind = isinstance(value, kind) and not (isinstance(value, bool) and kind in (int, float))
    if is_kind:
        return value
    name = _SCALARS.get(kind) or {list: "array", dict: "object"}[kind]
    raise InvalidArguments(f"{path} must be of type {name}, not {_show(value)}")


def _show(value) -> str:
    text = _to_json(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


# ---------------------------------------------------------------------------------------------------------------------
# Docstrings
# ---------------------------------------------------------------------------------------------------------------------

_SECTION = re.compile(r"(Args|Arguments|Parameters|Params|Attributes|Keyword Args|Keyword Arguments):\s*$")
_OTHER_SECTION = re.compile(r"(Returns?|Raises|Yields?|Examples?|Notes?|See Also|Warnings?):\s*$")
_GOOGLE_ENTRY = re.compile(r"(\s+)\*{0,2}(\w+)\s*(?:\(.*?\))?\s*:\s*(.*)$")
_REST_FIELD = re.compile(r"\s*:(?:param|parameter|arg|argument|key|keyword)\s+(?:[^:]*\s)?\*{0,2}(\w+)\s*:\s*(.*)$")
_NUMPY_ENTRY = re.compile(r"\*{0,2}(\w+(?:\s*,\s*\*{0,2}\w+)*)\s*(?::.*)?$")


def _parse_docstring(text):
    """The first paragraph, and the parameters' descriptions, of a docstring in Google, reST or numpy style."""
    lines = inspect.cleandoc(text or "").split("\n")
    summary = []
    for number, line in enumerate(lines):
        is_section = _SECTION.match(line) or _OTHER_SECTION.match(line) or _is_underlined(lines, number)
        if not line.strip() or is_section or line.startswith(":"):
            break
        summary.append(line.strip())
    entries = [*_google_entries(lines), *_rest_entries(lines), *_numpy_entries(lines)]
    return " ".join(summary), {name: " ".join(" ".join(parts).split()) for name, parts in entries}


def _indent(line) -> int:
    return len(line) - len(line.lstrip())


def _is_underlined(lines, number) -> bool:
    return number + 1 < len(lines) and bool(re.match(r"-{3,}\s*$", lines[number + 1])) and bool(lines[number].strip())


def _google_entries(lines):
    inside, level, entries = False, None, []
    for line in lines:
        if _SECTION.match(line):
            inside, level = True, None
        elif inside and line.strip():
            if _indent(line) == 0:
                inside = False
                continue
            entry = _GOOGLE_ENTRY.match(line)
            if entry and (level is None or _indent(line) <= level):
                level = _indent(line)
                entries.append((entry.group(2), [entry.group(3)]))
            elif entries and level is not None and _indent(line) > level:
                entries[-1][1].append(line)
    return entries


def _rest_entries(lines):
    current, entries = None, []
    for line in lines:
        field = _REST_FIELD.match(line)
        if field:
            current = (field.group(1), [field.group(2)])
            entries.append(current)
        elif not line.strip() or line.lstrip().startswith(":"):
            current = None
        elif current:
            current[1].append(line)
    return entries


def _numpy_entries(lines):
    inside, entries = False, []
    for number, line in enumerate(lines):
        if _is_underlined(lines, number):
            inside = line.strip() in ("Parameters", "Other Parameters", "Attributes")
        elif inside and line.strip() and not re.match(r"-{3,}\s*$", line):
            entry = _NUMPY_ENTRY.match(line)
            if _indent(line) == 0 and entry:
                entries.extend((name.strip(" *"), []) for name in entry.group(1).split(","))
            elif entries and _indent(line) > 0:
                entries[-1][1].append(line)
    return entries


# ---------------------------------------------------------------------------------------------------------------------
# Tools and hooks
# ---------------------------------------------------------------------------------------------------------------------

_DURATION = re.compile(r"(\d+(\.\d*)?(ns|us|µs|ms|s|m|h))+$")
_HOOK_EVENTS = (
    "PreToolUse", "PostToolUse", "PostToolUseFailure", "UserPromptSubmit", "AgentStop", "SessionStart", "SessionEnd",
    "SubAgentStart", "SubAgentStop", "PreCompact", "PostCompact", "CronFired", "WebhookReceived",
)  # fmt: skip
_Function = typing.TypeVar("_Function", bound=typing.Callable[..., typing.Any])
_tools: typing.Dict[str, "_Tool"] = {}
_hooks: typing.List["_Hook"] = []
_enrichers: typing.Dict[str, "_Enricher"] = {}
_subscriptions: typing.List[typing.Tuple[str, typing.Callable]] = []
_bus_server: typing.Optional["_Server"] = None
_resources: typing.Dict[str, "_Content"] = {}
_prompts: typing.Dict[str, "_Content"] = {}
_was_used = False


class _Tool:
    """A function with what a host and a model know of it."""

    def __init__(self, function, options):
        summary, described = _parse_docstring(function.__doc__)
        self.function = function
        self.name = options.pop("name", None) or getattr(function, "__name__", "")
        if not isinstance(self.name, str) or not self.name:
            raise ValueError("a tool needs a name: @tool(name=...)")
        self.description = options.pop("description", None) or summary
        self.is_async = inspect.iscoroutinefunction(function)
        self.preview = options.pop("preview", None)
        self.context_parameter, self.keeps_unknown = None, False
        self.fields = self._fields(described)
        self.more = self._definition_options(options)
        self.is_serial = options["concurrency"] == "serial"
        self._preview_names = None if self.preview is None else self._names_of_preview()

    def _names_of_preview(self) -> list:
        if not callable(self.preview):
            raise TypeError(f"tool {self.name}: preview is a function, not {self.preview!r}")
        known = [field.name for field in self.fields] + ([self.context_parameter] if self.context_parameter else [])
        names = []
        for parameter in inspect.signature(self.preview).parameters.values():
            if parameter.kind is parameter.VAR_KEYWORD:
                return known
            if parameter.name not in known and parameter.default is parameter.empty:
                where = _nearest(parameter.name, known)
                raise TypeError(f"tool {self.name}: its preview takes {parameter.name}, which the tool does not{where}")
            names.append(parameter.name)
        return names

    def _fields(self, described) -> list:
        hints, fields = _hints(self.function), []
        for parameter in inspect.signature(self.function).parameters.values():
            hint = hints.get(parameter.name, typing.Any)
            if parameter.kind is parameter.VAR_KEYWORD:
                self.keeps_unknown = True
            elif parameter.kind in (parameter.VAR_POSITIONAL, parameter.POSITIONAL_ONLY):
                raise TypeError(
                    f"tool {self.name}: a model passes arguments by name, so {parameter} must be a plain parameter"
                )
            elif _takes_context(parameter.name, hint):
                self.context_parameter = parameter.name
            else:
                required = parameter.default is parameter.empty
                default = None if required else parameter.default
                if not required and default is None and hint is not typing.Any:
                    hint = typing.Optional[hint]
                fields.append(_Field(parameter.name, hint, required, default, described.get(parameter.name, "")))
        return fields

    def _definition_options(self, options) -> dict:
        primary, timeout, concurrency = options["primary_arg"], options["timeout"], options["concurrency"]
        names = [field.name for field in self.fields]
        if primary is not None and primary not in names:
            raise ValueError(f"tool {self.name}: primary_arg {primary!r} is not a parameter{_nearest(primary, names)}")
        if isinstance(timeout, (int, float)) and not isinstance(timeout, bool):
            timeout = f"{timeout}s"
        if timeout is not None and not (_DURATION.match(str(timeout)) and re.search("[1-9]", str(timeout))):
            raise ValueError(f"tool {self.name}: timeout {timeout!r} is not a time: write it like 500ms, 30s or 1m30s")
        if concurrency not in ("parallel", "serial"):
            raise ValueError(f'tool {self.name}: concurrency is "parallel" or "serial", not {concurrency!r}')
        output = options["output_schema"]
        more = {
            "outputSchema": output if output is None or isinstance(output, dict) else _schema(output),
            "annotations": options["annotations"],
            "primaryArg": primary,
            "timeout": timeout,
            "concurrency": "serial" if concurrency == "serial" else None,
            "channels": options["channels"],
            "ui": options["ui"],
        }
        return {key: value for key, value in more.items() if value is not None}

    def definition(self) -> dict:
        schema = _object_schema(self.fields)
        previewed = {} if self.preview is None else {"hasPreview": True}
        return {"name": self.name, "description": self.description, "inputSchema": schema, **self.more, **previewed}

    def bind(self, arguments, context) -> dict:
        """The keyword arguments of the function. Raises InvalidArguments."""
        values = _convert_fields(self.fields, arguments, "", self.keeps_unknown)
        if self.context_parameter:
            values[self.context_parameter] = context
        return values

    def bind_preview(self, arguments, context) -> dict:
        """Those of the keyword arguments that its preview names. Raises InvalidArguments."""
        return {name: value for name, value in self.bind(arguments, context).items() if name in self._preview_names}


def _takes_context(name, hint) -> bool:
    members = typing.get_args(hint) if typing.get_origin(hint) in _UNIONS else (hint,)
    if any(isinstance(member, type) and issubclass(member, Context) for member in members):
        return True
    return name in _CONTEXT_NAMES and hint is typing.Any


@typing.overload
def tool(function: _Function) -> _Function: ...


@typing.overload
def tool(
    *,
    name: typing.Optional[str] = None,
    description: typing.Optional[str] = None,
    primary_arg: typing.Optional[str] = None,
    timeout: typing.Union[str, float, None] = None,
    concurrency: str = "parallel",
    annotations: typing.Optional[dict] = None,
    output_schema: typing.Any = None,
    channels: typing.Optional[typing.Sequence[str]] = None,
    ui: typing.Optional[dict] = None,
    preview: typing.Optional[typing.Callable] = None,
) -> typing.Callable[[_Function], _Function]: ...


def tool(
    function=None, *, name=None, description=None, primary_arg=None, timeout=None, concurrency="parallel",
    annotations=None, output_schema=None, channels=None, ui=None, preview=None,
):  # fmt: skip
    """Declares a function as a tool; used as `@tool` or `@tool(...)`. The function stays callable as it is.

    Args:
        name: Its name for the model; by default the function's. Letters, digits, `_` and `-`, at most 64.
        description: What the model reads; by default the first paragraph of the docstring.
        primary_arg: The parameter whose value clients show beside the name.
        timeout: At most this long for a call: `500ms`, `30s`, or a number of seconds. Only shortens the plugin's.
        concurrency: `serial` when two calls of it must never run at once.
        annotations: MCP's hints, such as `{"readOnlyHint": True}`.
        output_schema: JSON Schema of the structured result, or a dataclass or TypedDict.
        channels: The channels that see it; by default all.
        ui: How a client shows its result: `{"mode", "param", "libs", "surface"}`.
        preview: A function of the same arguments, or of some of them, which says in a text what the call would do, a diff
            for example. It runs before a person has allowed the call, within two seconds, and must change nothing.
    """
    options = {
        "name": name, "description": description, "primary_arg": primary_arg, "timeout": timeout,
        "concurrency": concurrency, "annotations": annotations, "output_schema": output_schema, "channels": channels,
        "ui": ui, "preview": preview,
    }  # fmt: skip
    if function is None:
        return lambda decorated: _declare(decorated, options)
    return _declare(function, options)


def _declare(function, options):
    declared = _Tool(function, dict(options))
    known = _tools.get(declared.name)
    if known and _place(known.function) != _place(function):
        raise ValueError(f"two tools are named {declared.name}: {_place(known.function)} and {_place(function)}")
    if not _tools:
        atexit.register(_remind_of_serve)
    _tools[declared.name] = declared
    return function


def _place(function) -> str:
    return f"{getattr(function, '__module__', '?')}.{getattr(function, '__qualname__', repr(function))}"


def _find_tool(function) -> _Tool:
    for declared in _tools.values():
        if function in (declared.function, declared.name):
            return declared
    raise ValueError(f"{function!r} is not a tool: decorate it with @toolpost.tool")


def tool_definition(function) -> dict:
    """What a host is told of a tool, given the decorated function or the tool's name."""
    return _find_tool(function).definition()


def _remind_of_serve():
    """A script that ends before it served anything is the most likely mistake of a newcomer."""
    if getattr(sys, "last_type", None):
        return  # The error that ended it is the last word.
    if not _was_used and any(declared.function.__module__ == "__main__" for declared in _tools.values()):
        _log('toolpost: this script declares tools but never calls toolpost.serve(); end it with\n'
             'if __name__ == "__main__":\n    toolpost.serve()')  # fmt: skip


@dataclasses.dataclass(frozen=True)
class HookDecision:
    """A hook's answer; see `allow`, `deny`, `ask` and `defer`."""

    decision: str
    message: typing.Optional[str] = None
    updated_input: typing.Optional[dict] = None


def allow(message=None, updated_input=None) -> HookDecision:
    """Lets the call pass; `updated_input` replaces its arguments, which are then validated again."""
    return HookDecision("allow", message, updated_input)


def deny(message) -> HookDecision:
    """Stops the call; the model reads the message."""
    return HookDecision("deny", message)


def ask(message) -> HookDecision:
    """Asks the session's user; where nobody can answer, the call is denied."""
    return HookDecision("ask", message)


def defer() -> HookDecision:
    """No opinion: the other hooks and the permissions decide."""
    return HookDecision("defer")


@dataclasses.dataclass(frozen=True)
class Session:
    """The conversation that a call belongs to. What is not set is ""."""

    id: str = ""
    channel: str = ""
    chat_id: str = ""
    tenant: str = ""
    user: str = ""


_NO_SESSION = Session()


@dataclasses.dataclass(frozen=True)
class HookEvent:
    """What a hook hears. `tool_input` are the parsed arguments; `params` is the message as the host sent it.

    Beside calls: `prompt` is what the user said, `reason` what brought the event about, `extra` holds `model`,
    `maxContext`, `promptTokens` and `compTokens`, as far as they are known.
    """

    event: str
    tool_name: str
    tool_input: dict
    tool_output: str
    tool_elapsed_ms: typing.Optional[float]
    session: Session
    params: dict
    prompt: str = ""
    reason: str = ""
    extra: dict = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True)
class _Hook:
    event: str
    matcher: str
    fail_closed: bool
    function: typing.Callable

    def matches(self, event, tool_name) -> bool:
        if self.event != event:
            return False
        pattern = ".*".join(re.escape(part) for part in (self.matcher or "*").split("*"))
        return not tool_name or bool(re.fullmatch(pattern, tool_name, re.DOTALL))


def hook(event: str, matcher: str = "*", fail_closed: bool = False) -> typing.Callable[[_Function], _Function]:
    """Declares a function as a hook: `@hook("PreToolUse", matcher="bash*")`.

    The function takes a HookEvent, or nothing, and returns `allow()`, `deny(message)`, `ask(message)`, `defer()` or
    None (no opinion). When it fails, `fail_closed` denies the call; otherwise it counts as no opinion.

    Args:
        event: `PreToolUse`, `PostToolUse`, `PostToolUseFailure`, ...
        matcher: The tools it is for: `*`, an exact name, `p*`, `*s` or `*mid*`.
        fail_closed: Whether a failure of the hook denies the call.
    """
    if event not in _HOOK_EVENTS:
        raise ValueError(f"{event!r} is not a hook event{_nearest(str(event), _HOOK_EVENTS)}")

    def declare(function):
        _hooks.append(_Hook(event, matcher, fail_closed, function))
        return function

    return declare


_STRENGTH = ("allow", "defer", "ask", "deny")


def _run_hooks(params) -> dict:
    """The answer to one `hook` request: the strongest decision of all hooks that match."""
    event = _hook_event(params)
    matching = [each for each in _hooks if each.matches(event.event, event.tool_name)]
    decisions = [_run_hook(each, event) for each in matching]
    if not decisions:
        return {"decision": "allow"}
    strongest = max(decisions, key=lambda each: _STRENGTH.index(each.decision)).decision
    messages = [each.message for each in decisions if each.decision == strongest and each.message]
    updated = next((each.updated_input for each in decisions if each.updated_input is not None), None)
    answer = {"decision": strongest, "message": "; ".join(messages), "updatedInput": _plain(updated)}
    return {key: value for key, value in answer.items() if value not in (None, "")}


def _run_hook(each, event) -> HookDecision:
    try:
        takes_event = bool(inspect.signature(each.function).parameters)
        decision = each.function(*((event,) if takes_event else ()))
        if inspect.isawaitable(decision):
            decision = _event_loop.submit(decision).result()
        if not isinstance(decision or defer(), HookDecision):
            raise TypeError(f"a hook returns allow(), deny(), ask(), defer() or None, not {type(decision).__name__}")
        return decision or defer()
    except BaseException as error:
        reason = _failure(error).text
        return deny(f"the hook {each.function.__name__} failed: {reason}") if each.fail_closed else defer()


@dataclasses.dataclass(frozen=True)
class _Enricher:
    priority: typing.Optional[int]
    function: typing.Callable


def enricher(name: str, priority: typing.Optional[int] = None) -> typing.Callable[[_Function], _Function]:
    """Declares a function whose text goes into the system prompt of each turn: `@enricher("clock")`.

    The function takes the Session, or nothing, and returns text within two seconds; None and "" leave it out. When it
    fails it is left out too, with a warning. The plugin's `plugin.json` needs the permission `context.enrich`.

    Args:
        name: The heading of the text, unique in the plugin.
        priority: Its place among all: the lowest comes first, 150 when absent.
    """
    if not isinstance(name, str) or not name.strip():
        raise ValueError("an enricher needs a name: @enricher(\"clock\")")
    if name in _enrichers:
        raise ValueError(f"two enrichers are named {name!r}")

    def declare(function):
        _enrichers[name] = _Enricher(priority, function)
        return function

    return declare


_TOPICS = re.compile(r"\*|[a-zA-Z0-9][a-zA-Z0-9._/-]{0,126}\*?")
_BUS_S = 30.0


@dataclasses.dataclass(frozen=True)
class BusMessage:
    """What another plugin of the tenant has published. `sender` (its id) and `tenant` are the host's word."""

    topic: str
    data: typing.Any
    sender: str
    tenant: str


class BusContext:
    """What the handler of a message may use: `storage` and `publish`, as in a call's Context, for the message's tenant."""

    def __init__(self, request):
        self._request = request
        self.storage = Storage(request)

    def publish(self, topic: str, data: typing.Any = None) -> None:
        """Tells the tenant's other plugins something."""
        self._request("bus_publish", {"topic": topic, "data": _plain(data)})


def subscribe(topic: str) -> typing.Callable[[_Function], _Function]:
    """Declares a function that hears what the tenant's other plugins publish: `@subscribe("orders/*")`.

    The function takes a BusMessage, or a BusMessage and a BusContext, and has ten seconds for each; what it raises is
    logged. The plugin's `plugin.json` needs the permissions `bus.plugin` and `bus.read`.

    Args:
        topic: A topic, the beginning of some with `*` behind it, or `*`.
    """
    if not isinstance(topic, str) or not _TOPICS.fullmatch(topic):
        raise ValueError(f"{topic!r} is no topic: letters, digits, dots, -, _ and /, with * at the end for all that follow")

    def declare(function):
        _subscriptions.append((topic, function))
        return function

    return declare


def publish(topic: str, data: typing.Any = None) -> None:
    """Publishes outside of a call, as from a thread of the plugin's own: to the tenant that the process serves."""
    if _bus_server is None:
        raise ToolError("nothing was published: the plugin is not being served")
    _bus_server.ask_host("bus_publish", {"topic": topic, "data": _plain(data)}, _BUS_S)


def _hears(pattern, topic) -> bool:
    return topic.startswith(pattern[:-1]) if pattern.endswith("*") else pattern == topic


def _handle_message(params, request) -> dict:
    """The answer to one `bus_message`: every handler of the topic runs, also after one that fails."""
    message = BusMessage(
        str(params.get("topic")), params.get("data"), str(params.get("from")), str(params.get("tenant") or "")
    )
    errors = []
    for function in [function for pattern, function in _subscriptions if _hears(pattern, message.topic)]:
        try:
            takes_context = len(inspect.signature(function).parameters) > 1
            result = function(message, *((BusContext(request),) if takes_context else ()))
            if inspect.isawaitable(result):
                _event_loop.submit(result).result()
        except BaseException as error:
            errors.append(_failure(error).text)
    return {"error": errors[0]} if errors else {"result": None}


@dataclasses.dataclass(frozen=True)
class UiAction:
    """What somebody did in an interface that a tool of the plugin has drawn. Nothing of it is the user's own word."""

    tool_name: str
    tool_call_id: str
    action: str
    data: dict
    session: "Session"


_ui_action_handlers: typing.List[typing.Callable] = []


def web_ui_action(function: _Function) -> _Function:
    """Declares the function that handles what is done in the plugin's interfaces: it takes a UiAction.

    What it gives is a result as of a tool, within 30 seconds: its text is shown there, and `tool_result(ui_code=...)` takes
    the place of the interface. `False` leaves the action to the user, who may send it on to the model. The plugin's
    `plugin.json` needs the permission `ui.contribute`.

    Raises TypeError for a function that does not take one argument.
    """
    if _ui_action_handlers:
        raise ValueError(f"two functions handle actions: {_ui_action_handlers[0].__name__} and {function.__name__}")
    try:
        inspect.signature(function).bind(None)
    except TypeError:
        name = function.__name__
        form = f"@toolpost.web_ui_action def {name}(event): ... event.action, event.data"
        raise TypeError(f"{name}{inspect.signature(function)} takes one argument, what was done: {form}") from None
    _ui_action_handlers.append(function)
    return function


def _handle_ui_action(params) -> dict:
    """The answer to one `web_ui_action` request."""
    data = params.get("data")
    if isinstance(data, str):
        with contextlib.suppress(ValueError):
            data = json.loads(data)
    action = UiAction(
        str(params.get("widgetId") or ""), str(params.get("toolCallId") or ""), str(params.get("action") or ""),
        data if isinstance(data, dict) else {}, _session_of(params),
    )  # fmt: skip
    try:
        result = _ui_action_handlers[0](action) if _ui_action_handlers else False
        if inspect.isawaitable(result):
            result = _event_loop.submit(result).result()
        if result is False:
            return {"error": "web_ui_action not implemented"}
        return _answer_body(_to_result(result), 2)
    except BaseException as error:
        return {"error": _failure(error).text}


class _PreviewPort:
    """What the context of a preview can do: nothing, as nobody has allowed the call."""

    def emit(self, body):
        pass

    def request(self, method, params):
        raise ToolError(f"{method}: a preview asks nothing of the host")


def _run_preview(declared, params) -> dict:
    """The answer to one `preview_tool` request."""
    if declared is None or declared.preview is None:
        return {"error": f"preview_tool not implemented by {params.get('toolName')}"}
    try:
        given, roots = params.get("input") or "{}", params.get("roots") or []
        session = _session_of(params)
        context = Context(_PreviewPort(), input=given, session=session, roots=[str(root) for root in roots])
        text = declared.preview(**declared.bind_preview(json.loads(given), context))
        if inspect.isawaitable(text):
            text = _event_loop.submit(text).result()
        if not isinstance(text, (str, type(None))):
            raise TypeError(f"a preview returns text or None, not {type(text).__name__}")
        return {"result": text}
    except BaseException as error:
        return {"error": _failure(error).text}


def _run_enricher(params) -> dict:
    """The answer to one `enrich` request."""
    declared = _enrichers.get(str(params.get("enricherName")))
    if declared is None:
        return {"error": f"Unknown enricher: {params.get('enricherName')}"}
    try:
        takes_session = bool(inspect.signature(declared.function).parameters)
        text = declared.function(*((_session_of(params),) if takes_session else ()))
        if inspect.isawaitable(text):
            text = _event_loop.submit(text).result()
        if not isinstance(text, (str, type(None))):
            raise TypeError(f"an enricher returns text or None, not {type(text).__name__}")
        return {"result": text or ""}
    except BaseException as error:
        return {"error": _failure(error).text}


# ---------------------------------------------------------------------------------------------------------------------
# Resources and prompts, for clients of MCP
# ---------------------------------------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class _Content:
    declared: dict
    function: typing.Callable
    complete: typing.Dict[str, typing.Callable]


def resource(
    uri: str,
    name: typing.Optional[str] = None,
    *,
    title: typing.Optional[str] = None,
    description: typing.Optional[str] = None,
    mime_type: typing.Optional[str] = None,
    complete: typing.Optional[typing.Dict[str, typing.Callable]] = None,
) -> typing.Callable[[_Function], _Function]:
    """Declares a function that reads a resource: `@resource("notes://today")`.

    With variables in it, like `notes://{day}`, the URI is a template, and the function takes them by name. It returns
    text, bytes, or MCP's contents.

    Args:
        uri: A URI, or a template of URIs, unique in the plugin.
        name: The function's name when it is left out.
        complete: Functions by the name of a variable that return what it may be, given how it begins.
    """
    if uri in _resources:
        raise ValueError(f"two resources have the URI {uri!r}")

    def declare(function):
        key = "uriTemplate" if "{" in uri else "uri"
        declared = {key: uri, **_described(function, name, title, description)}
        if mime_type is not None:
            declared["mimeType"] = mime_type
        _resources[uri] = _Content(declared, function, dict(complete or {}))
        return function

    return declare


def prompt(
    name: typing.Optional[str] = None,
    *,
    title: typing.Optional[str] = None,
    description: typing.Optional[str] = None,
    complete: typing.Optional[typing.Dict[str, typing.Callable]] = None,
) -> typing.Callable[[_Function], _Function]:
    """Declares a function that gives a prompt's messages: `@prompt()`.

    Its parameters are the prompt's arguments, all texts; those without a default are required. It returns the user's
    one message as text, or a list of MCP's messages.

    Args:
        name: The function's name when it is left out.
        complete: As for `resource`, by the name of an argument.
    """

    def declare(function):
        declared = _described(function, name, title, description)
        if declared["name"] in _prompts:
            raise ValueError(f"two prompts are named {declared['name']!r}")
        parameters = inspect.signature(function).parameters.values()
        arguments = [
            {"name": each.name, **({"required": True} if each.default is inspect.Parameter.empty else {})}
            for each in parameters
        ]
        if arguments:
            declared["arguments"] = arguments
        _prompts[declared["name"]] = _Content(declared, function, dict(complete or {}))
        return function

    return declare


def _described(function, name, title, description) -> dict:
    doc = inspect.getdoc(function) or ""
    described = {"name": name or function.__name__}
    if title is not None:
        described["title"] = title
    if description or doc:
        described["description"] = description or doc.split("\n\n", 1)[0]
    return described


def _declared_content() -> dict:
    """The lists of the answer to `activate`."""
    resources = [each.declared for each in _resources.values()]
    return {
        "resources": [each for each in resources if "uri" in each],
        "resourceTemplates": [each for each in resources if "uriTemplate" in each],
        "prompts": [each.declared for each in _prompts.values()],
    }


def _answer_content(request) -> dict:
    """The answer to one `content` request."""
    try:
        kind = request.get("kind")
        if kind == "completion":
            return {"result": _complete(request)}
        key = request.get("uriTemplate") or request.get("uri") if kind == "resource" else request.get("name")
        found = (_resources if kind == "resource" else _prompts).get(str(key))
        if found is None:
            return {"error": f"Unknown {kind}: {key}"}
        given = request.get("variables" if kind == "resource" else "arguments") or {}
        value = found.function(**given)
        if inspect.isawaitable(value):
            value = _event_loop.submit(value).result()
        if isinstance(value, (bytes, bytearray)):
            import base64

            return {"result": {"blob": base64.b64encode(value).decode("ascii")}}
        return {"result": _plain(value)}
    except BaseException as error:
        return {"error": _failure(error).text}


def _complete(request) -> list:
    found = _prompts.get(str(request.get("prompt"))) or _resources.get(str(request.get("uriTemplate")))
    offer = found.complete.get(str(request.get("argument"))) if found else None
    return [str(each) for each in offer(str(request.get("value", "")))] if offer else []


def _hook_event(params) -> HookEvent:
    try:
        tool_input = json.loads(params.get("toolInput") or "{}")
    except (TypeError, ValueError, RecursionError):
        tool_input = {}
    return HookEvent(
        event=str(params.get("event", "")),
        tool_name=str(params.get("toolName") or ""),
        tool_input=tool_input if isinstance(tool_input, dict) else {},
        tool_output=str(params.get("toolOutput") or ""),
        tool_elapsed_ms=params.get("toolElapsedMs"),
        session=_session_of(params),
        params=params,
        prompt=str(params.get("prompt") or ""),
        reason=str(params.get("reason") or ""),
        extra=params["extra"] if isinstance(params.get("extra"), dict) else {},
    )


def _session_of(context) -> Session:
    names = ("sessionId", "channel", "chatId", "tenant", "user")
    return Session(*(str(context.get(name) or "") for name in names))


# ---------------------------------------------------------------------------------------------------------------------
# The context of a call
# ---------------------------------------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class AskAnswer:
    """The user's answer: `action` is `accept`, `decline` or `cancel`; `content` holds the form's values."""

    action: str
    content: dict = dataclasses.field(default_factory=dict)

    @property
    def accepted(self) -> bool:
        return self.action == "accept"


class Store:
    """Values by key, kept by the host for the session's tenant. Values are any JSON; keys are 1 to 512 bytes of text.

    A method raises ToolError where the plugin's `plugin.json` lacks the permission, `set` where the quota is used up.
    """

    def __init__(self, request, shared=False):
        self._request = request
        self._where = {"shared": True} if shared else {}

    def get(self, key, default=None):
        value = self._request("storage_get", {"key": key, **self._where})
        return default if value is None else value

    def set(self, key, value):
        self._request("storage_set", {"key": key, "value": _plain(value), **self._where})

    def delete(self, key):
        self._request("storage_delete", {"key": key, **self._where})

    def keys(self, prefix="") -> list:
        """The keys that begin with `prefix`, in the order of their bytes."""
        return self._request("storage_keys", {"prefix": prefix, **self._where}) or []


class Storage(Store):
    """The plugin's own store (permission `storage.private`); `shared` is the one of all plugins of the tenant
    (permission `storage.shared`)."""

    def __init__(self, request):
        super().__init__(request)
        self.shared = Store(request, shared=True)


class Context:
    """What a tool knows of its call and can do while it runs; passed to a parameter named `ctx` or `context`.

    `call_id`, `input` (the arguments as JSON text), `session`, `roots` (absolute directories that the session grants;
    relative paths start in the first), `storage`, `traceparent` (of W3C Trace Context, for spans of your own; None where
    nothing is traced). Every method may be called from any thread. In an `async` tool, call
    the ones that wait for the host - `storage`, `settings`, `ask`, `call_tool`, `publish` - through `asyncio.to_thread`.
    """

    def __init__(self, port, *, call_id="", input="{}", session=_NO_SESSION, roots=(), traceparent=None):
        self._port = port
        self._cancel = threading.Event()
        self._settings = None
        self.call_id = call_id
        self.input = input
        self.session = session
        self.roots = list(roots)
        self.traceparent = traceparent
        self.storage = Storage(port.request)

    def output(self, text: str, stream: str = "stdout") -> None:
        """Streams text to the clients while the call runs; it renews an idle deadline."""
        if stream not in ("stdout", "stderr"):
            raise ValueError(f'stream is "stdout" or "stderr", not {stream!r}')
        self._port.emit({"output": {"stream": stream, "text": _text_of(text)}})

    def progress(
        self, progress: float, total: typing.Optional[float] = None, message: typing.Optional[str] = None
    ) -> None:
        """Tells how far the call is. `progress` rises; `total` is what it rises to, when that is known."""
        update = {"progress": progress, "total": total, "message": None if message is None else str(message)}
        for number in (progress, 0 if total is None else total):
            if isinstance(number, bool) or not isinstance(number, (int, float)) or not math.isfinite(number):
                raise ValueError(f"progress and total are finite numbers, not {number!r}")
        self._port.emit({"progress": {key: value for key, value in update.items() if value is not None}})

    @property
    def cancelled(self) -> bool:
        """Whether the caller gave up or the deadline passed. A tool then has one second to end by itself."""
        return self._cancel.is_set()

    def wait_cancelled(self, timeout: typing.Optional[float] = None) -> bool:
        """Sleeps up to `timeout` seconds, less when the call is cancelled. Returns whether it is."""
        return self._cancel.wait(timeout)

    def raise_if_cancelled(self) -> None:
        """Raises Cancelled, which ends the call, when the call is cancelled."""
        if self._cancel.is_set():
            raise Cancelled("cancelled")

    def log(self, message: str, level: str = "info") -> None:
        """Writes a line to the plugin's log."""
        _log(f"{level}: {message}")

    @property
    def settings(self) -> dict:
        """The plugin's settings: the manifest's defaults overlaid by the user's configuration."""
        if self._settings is None:
            self._settings = self._port.request("settings_get", {}) or {}
        return self._settings

    def ask(self, form: typing.Union[str, dict], schema: typing.Optional[dict] = None) -> AskAnswer:
        """Asks the session's user, and waits.

        `form` is `{"message", "schema"}`, or the message with `schema`, a flat object schema, beside it. The waiting
        does not count against the deadline. Where nobody can answer, `action` is `cancel`.
        """
        if not isinstance(form, dict):
            form = {"message": str(form), "schema": schema or {"type": "object", "properties": {}}}
        answer = self._port.request("ask", _plain(form)) or {}
        return AskAnswer(str(answer.get("action", "cancel")), answer.get("content") or {})

    def call_tool(self, name: str, arguments: typing.Optional[dict] = None) -> CalledTool:
        """Calls another tool in the name of the session, and waits. The session's permissions decide about it.

        How it ends is the result, `outcome` says; ToolError without the permission `tools.call`, or too deep in calls
        of calls.
        """
        answer = self._port.request("call_tool", {"name": name, "input": _plain(arguments or {})}) or {}
        result = (answer.get("content") or "", answer.get("structuredContent"), answer.get("metadata"))
        return CalledTool(*result, bool(answer.get("isError")), str(answer.get("outcome", "failed")))

    def publish(self, topic: str, data: typing.Any = None) -> None:
        """Tells the tenant's other plugins something: any JSON (permissions `bus.plugin` and `bus.write`)."""
        self._port.request("bus_publish", {"topic": topic, "data": _plain(data)})


# ---------------------------------------------------------------------------------------------------------------------
# Tests without a host
# ---------------------------------------------------------------------------------------------------------------------


class RecordingContext(Context):
    """A context for unit tests: it keeps what the tool sent, in `outputs`, `updates`, `questions`, `called` and
    `published`, and what it stored, in `stored` and `stored_shared`. `called` given is what each called tool answers."""

    def __init__(
        self, *, call_id="test", session=_NO_SESSION, roots=(), settings=None, storage=None, answer=None, called=None
    ):
        self.outputs, self.updates, self.questions, self.published, self.called = [], [], [], [], []
        self._called = called or {"outcome": "not-found", "content": "There is no such tool.", "isError": True}
        self.stored, self.stored_shared = dict(storage or {}), {}
        self._given_settings, self._answer = dict(settings or {}), answer or {"action": "cancel"}
        super().__init__(self, call_id=call_id, session=session, roots=roots)

    def cancel(self):
        """Cancels the call, as a caller would."""
        self._cancel.set()

    def emit(self, body):
        if "output" in body:
            self.outputs.append(body["output"]["text"])
        else:
            self.updates.append(body["progress"])

    def request(self, method, params):
        if method == "settings_get":
            return self._given_settings
        if method == "ask":
            self.questions.append(params)
            return self._answer
        if method == "call_tool":
            self.called.append((params["name"], params["input"]))
            return self._called
        if method == "bus_publish":
            return self.published.append((params["topic"], params["data"]))
        stored = self.stored_shared if params.get("shared") else self.stored
        if method == "storage_keys":
            return sorted(key for key in stored if key.startswith(params["prefix"]))
        if method == "storage_set":
            stored[params["key"]] = params["value"]
        elif method == "storage_delete":
            stored.pop(params["key"], None)
        return stored.get(params["key"])


def call_tool(
    function: typing.Union[typing.Callable, str],
    arguments: typing.Union[dict, str, None] = None,
    context: typing.Optional[Context] = None,
) -> ToolResult:
    """Calls a tool as a host would, without one: for unit tests.

    Args:
        function: The decorated function, or the tool's name.
        arguments: A dict, or its JSON text.
        context: What the tool gets as `ctx`; by default a fresh RecordingContext.

    Returns the result; a failure of the tool is a result with `is_error`, never an exception.
    """
    global _was_used
    _was_used = True
    declared = _find_tool(function)
    context = context or RecordingContext()
    try:
        values = declared.bind(_parse_arguments(arguments), context)
        value = declared.function(**values)
        if inspect.isawaitable(value):
            import asyncio

            value = asyncio.run(_finish(value))
        return _to_result(value)
    except (Exception, SystemExit) as error:
        return _failure(error)


async def _finish(awaitable):
    return await awaitable


def _parse_arguments(arguments) -> dict:
    """The arguments of a call, which come as JSON text; nothing at all means none."""
    if arguments is None or isinstance(arguments, dict):
        return arguments or {}
    try:
        parsed = json.loads(arguments) if str(arguments).strip() else {}
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidArguments(f"the arguments are not valid JSON: {error}") from None
    if parsed is not None and not isinstance(parsed, dict):
        raise InvalidArguments(f"the arguments must be a JSON object, not {_show(parsed)}")
    return parsed or {}


# ---------------------------------------------------------------------------------------------------------------------
# Threads
# ---------------------------------------------------------------------------------------------------------------------


class _Workers:
    """Threads that run jobs, as many as there are jobs at a time; idle ones are used again."""

    def __init__(self, limit=None):
        self._limit = limit
        self._ready = threading.Condition()
        self._jobs = collections.deque()
        self._idle = self._threads = 0

    def submit(self, job):
        with self._ready:
            self._jobs.append(job)
            if self._idle >= len(self._jobs) or self._threads == self._limit:
                self._ready.notify()
                return
            self._threads += 1
        try:
            threading.Thread(target=self._work, daemon=True).start()
        except RuntimeError:  # no more threads on this machine: a running one takes the job when it is done
            with self._ready:
                self._threads -= 1
                if self._threads:
                    return
                self._jobs.remove(job)
            job()

    def _work(self):
        while True:
            with self._ready:
                self._idle += 1
                while not self._jobs:
                    self._ready.wait()
                self._idle -= 1
                job = self._jobs.popleft()
            job()


class _EventLoop:
    """One thread that runs all `async` functions."""

    def __init__(self):
        self._lock = threading.Lock()
        self._loop = None

    def submit(self, awaitable):
        import asyncio

        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=self._loop.run_forever, daemon=True).start()
        return asyncio.run_coroutine_threadsafe(_finish(awaitable), self._loop)

    def call(self, function):
        self._loop.call_soon_threadsafe(function)


_event_loop = _EventLoop()


# ---------------------------------------------------------------------------------------------------------------------
# Channels
# ---------------------------------------------------------------------------------------------------------------------

_REPLY_TRIES = 10
_REPLY_RETRY_S = 1.0
_REPLY_MAX_RETRY_S = 60.0
_REPLY_FINISH_S = 0.2  # less than what a host leaves a plugin that it has asked to end
_CHANNEL_ANSWER_S = 30.0
_ASK_TRIES = 10  # while the values do not fit the form


@dataclasses.dataclass(frozen=True)
class Receipt:
    """The host has the message: from here on it is answered, whatever ends meanwhile."""

    message_id: str
    is_duplicate: bool = False  # it was sent before, under this request id
    reply: typing.Optional[str] = None  # what the earlier one was answered, if it was
    is_error: bool = False


@dataclasses.dataclass(frozen=True)
class ChannelReply:
    """What the agent answered. `reason` is how the turn ended: `completed`, `cancelled`, `error` and the like."""

    chat_id: str
    text: str
    reply_id: str = ""  # the same in each delivery
    request_id: str = ""
    reason: str = "completed"
    is_error: bool = False


@dataclasses.dataclass(frozen=True)
class ChannelUpdate:
    """How far a turn is. Each update replaces the one before; under load some are left out."""

    chat_id: str
    text: typing.Optional[str] = None  # the reply so far
    reasoning: typing.Optional[str] = None
    tools: typing.Optional[list] = None


@dataclasses.dataclass(frozen=True)
class ChannelAsk:
    """What a tool wants to know of the person behind a chat. `schema` is the JSON Schema of the values."""

    chat_id: str
    ask_id: str  # the same when it is asked again, as after a crash of the plugin
    message: str
    schema: dict
    plugin: str = ""
    tool: str = ""
    problem: typing.Optional[str] = None  # what of the last answer did not fit the schema
    over: threading.Event = dataclasses.field(default_factory=threading.Event)  # set: nobody waits for it any more


class Channel:
    """A message front end. Decorate its functions, then give it to `serve_channel`.

        channel = toolpost.Channel("echo", prompt={"05_channel_echo": "Answer briefly."})

        @channel.on_start
        def start():
            threading.Thread(target=listen, daemon=True).start()

        @channel.on_reply
        def reply(reply):
            send(reply.chat_id, reply.text)

        toolpost.serve_channel(channel)

    `config` is what the user configured, over the defaults; `is_serving` is False where the plugin runs only for its
    tools, so that nothing should listen for messages.
    """

    def __init__(self, name: str, *, config_schema=None, prompt=None):
        self.name, self.config, self.is_serving = name, {}, False
        self._config_schema, self._prompt = config_schema, dict(prompt or {})
        self._declared, self._handlers = {}, {}
        self._started, self._server = threading.Event(), None
        self._replies, self._lock = set(), threading.Lock()
        self._handing = threading.Condition()
        self._handing_count, self._later = 0, None
        self._asks = {}

    # -- what the author declares --

    def tool(self, function=None, **options):
        """Declares a tool of this channel's sessions; the options are those of `toolpost.tool`."""
        if function is None:
            return lambda decorated: self.tool(decorated, **options)
        declared = _Tool(function, {**_TOOL_DEFAULTS, **options})
        self._declared[declared.name] = declared
        return function

    def on_start(self, function):
        """Called when the configuration has come. Once it returns, the host says that the channel is served.

        A raise ends the process; the host starts it again later.
        """
        return self._on("start", function)

    def on_reply(self, function):
        """Called with a ChannelReply. Once it returns, the reply counts as arrived.

        A raise is tried again, at last once a minute for as long as it takes.
        """
        return self._on("reply", function)

    def on_update(self, function):
        """Called with a ChannelUpdate while a turn runs."""
        return self._on("update", function)

    def on_drawn(self, function):
        """Called with the chat's id and the code of what a tool drew."""
        return self._on("drawn", function)

    def on_ask(self, function):
        """Called with a ChannelAsk: asks the person behind the chat, and returns the form's values or an AskAnswer.

        The tool waits. None and a raise are a `cancel`; values that do not fit are asked for again. Without it such a
        tool hears at once that nobody can be asked.
        """
        return self._on("ask", function)

    def _on(self, event, function):
        self._handlers[event] = function
        return function

    # -- what it asks of the host --

    def send_inbound(
        self, chat_id, content, *, sender_id="", sender_name="", is_group=False, request_id=None
    ) -> Receipt:
        """Hands a message to the agent. Raises ToolError with the host's text: try again, or say it to the sender.

        Messages of one chat are answered one after the other. `request_id` names the message in its chat: sent again,
        also after a crash, it is answered once.
        """
        params = {
            "channel": self.name, "chat_id": chat_id, "content": content, "sender_id": sender_id,
            "sender_name": sender_name, "chat_type": "group" if is_group else "p2p",
        }  # fmt: skip
        if request_id is not None:
            params["request_id"] = request_id
        answer = self.request("send_inbound", params) or {}
        reply = answer.get("reply") or {}
        message_id, is_duplicate = str(answer.get("message_id", "")), answer.get("duplicate") is True
        return Receipt(message_id, is_duplicate, reply.get("text"), reply.get("reason") == "error")

    def get_history(self, chat_id, limit=100) -> list:
        """The last messages of a chat, as `{"role", "content"}`. Needs the permission `rpc`, as the next two do."""
        return self.request("get_history", {"chat_id": chat_id, "limit": limit})["messages"]

    def list_sessions(self, limit=100) -> list:
        """The chats of this channel."""
        return self.request("list_sessions", {"limit": limit})["sessions"]

    def set_cwd(self, chat_id, cwd) -> None:
        """Works on one of the directories that the user granted the channel."""
        self.request("set_cwd", {"chat_id": chat_id, "cwd": cwd})

    def cancel_turn(self, chat_id) -> int:
        """Ends the turn of a chat; returns how many ran or waited."""
        return self.request("cancel_turn", {"chat_id": chat_id})["cancelled"]

    def request(self, method, params):
        """Asks the host something, and waits. Raises ToolError with the host's error."""
        if self._server is None:
            raise ToolError(f"{method}: the channel is not served yet")
        return self._server.ask_host(method, _plain(params), _CHANNEL_ANSWER_S)

    # -- what it declares: each replaces what was declared before --

    def declare_tools(self, functions=None) -> None:
        """Declares the tools that were decorated with `tool`, or only those of these functions."""
        chosen = [each for each in self._declared.values() if functions is None or each.function in functions]
        self._send({"type": "channel_tools", "tools": [_plain(each.definition()) for each in chosen]})

    def declare_prompt(self, parts) -> None:
        """Declares texts for the system prompt of this channel's sessions, by key."""
        self._send({"type": "channel_prompt", "system_parts": _plain(parts)})

    def declare_widgets(self, widgets) -> None:
        """Declares what the browser client shows: dicts with `widget_id`, `slot` and `component`, `code` or `src`."""
        self._send({"type": "web_ui", "ui": _plain(widgets)})

    def _send(self, message):
        if self._server is None:
            raise ToolError("the channel is not served yet")
        self._server.writer.send(message)

    # -- what the host says --

    def _provider(self) -> dict:
        schema = {"config_schema": _plain(self._config_schema)} if self._config_schema else {}
        asks = {"answers_asks": True} if "ask" in self._handlers else {}
        return {"name": self.name, **schema, "accepts_replies": True, **asks}

    def _receive(self, server, message) -> bool:
        """Returns whether the message was one of the channel's."""
        handle = {
            "channel_config": self._configure, "rpc": self._answer, "text": self._take_reply,
            "progress_structured": self._update, "stream_content": self._update, "genui": self._draw,
            "ask_user": self._take_ask, "ask_over": self._end_ask,
        }.get(message.get("type"))  # fmt: skip
        if handle is None:
            return False
        self._server = server
        if message["type"] == "rpc" and message.get("method") == "execute_tool":
            self._call(message)
        elif message["type"] in ("ask_user", "ask_over"):
            handle(message)  # one after the other: the second ends the first
        else:
            server.in_background(lambda: handle(message))
        return True

    def _configure(self, message):
        metadata = message.get("metadata") or {}
        self.config, self.is_serving = json.loads(metadata.get("config") or "{}"), metadata.get("serving") == "true"
        try:
            if self._prompt:
                self.declare_prompt(self._prompt)
            if self._declared:
                self.declare_tools()
            self._handle("start")
        except BaseException as error:
            _log(f"error: the channel {self.name} cannot start: {_message_of(error)}")
            os._exit(1)
        self._started.set()

    def _call(self, message):
        params = message.get("params") or {}
        declared = self._declared.get(str(params.get("name")))
        if declared is None:
            self._server.writer.send({"id": message.get("id"), "error": f"Unknown tool: {params.get('name')}"})
        else:
            self._server.start_call(message, declared)

    def _answer(self, message):
        self._started.wait()
        method = message.get("method")
        body = {"result": "pong"} if method == "ping" else {"error": f"unknown method: {method}"}
        if method == "web_ui_action":
            body = _handle_ui_action(message.get("params") or {})
        elif method == "preview_tool":
            params = message.get("params") or {}
            body = _run_preview(self._declared.get(str(params.get("toolName"))), params)
        self._server.writer.send({"id": message.get("id"), **body})

    def _take_reply(self, message):
        metadata = message.get("metadata") or {}
        reply = ChannelReply(
            str(message.get("chat_id", "")), str(message.get("content", "")), str(metadata.get("reply_id", "")),
            str(metadata.get("request_id", "")), str(metadata.get("reason", "completed")),
            metadata.get("is_error") == "true",
        )  # fmt: skip
        with self._lock:
            if reply.reply_id in self._replies:
                return
            if reply.reply_id:
                self._replies.add(reply.reply_id)
        self._started.wait()
        delay = _REPLY_RETRY_S
        for _ in range(_REPLY_TRIES):
            if self._deliver(reply):
                return
            if self._server.stopped.wait(delay):
                return
            delay = min(_REPLY_MAX_RETRY_S, delay * 2)
        self._deliver_later(reply)

    def _deliver(self, reply) -> bool:
        """Hands a reply on and says that it has arrived. Returns False where it could not be handed on."""
        with self._handing:
            self._handing_count += 1
        try:
            self._handle("reply", reply)
            accepted = self._server.post("accept_reply", {"reply_id": reply.reply_id}) if reply.reply_id else None
        except Exception as error:
            _log(f"warn: a reply to chat {reply.chat_id} could not be handed on: {_message_of(error)}")
            return False
        finally:
            with self._handing:
                self._handing_count -= 1
                self._handing.notify_all()
        if accepted:
            self._until_noted(accepted, reply)
        with self._lock:
            self._replies.discard(reply.reply_id)
        return True

    def _until_noted(self, accepted, reply):
        delay = _REPLY_RETRY_S
        while True:
            try:
                return accepted(_CHANNEL_ANSWER_S)
            except ToolError as error:
                _log(f"warn: the host did not note that a reply has arrived: {_message_of(error)}")
            if self._server.stopped.wait(delay):
                return None
            delay = min(_REPLY_MAX_RETRY_S, delay * 2)
            accepted = self._server.post("accept_reply", {"reply_id": reply.reply_id})

    def _deliver_later(self, reply):
        """What nobody takes for long is tried again by one thread for all, however many they become."""
        with self._lock:
            if self._later is not None:
                self._later.append(reply)
                return
            self._later = [reply]
        while not self._server.stopped.wait(_REPLY_MAX_RETRY_S):
            with self._lock:
                due, self._later = self._later, []
            failed = [each for each in due if not self._deliver(each)]
            with self._lock:
                self._later = failed + self._later or None
                if self._later is None:
                    return

    def _finish(self):
        """What is being handed on has a moment to arrive."""
        with self._handing:
            self._handing.wait_for(lambda: self._handing_count == 0, _REPLY_FINISH_S)

    def _take_ask(self, message):
        form, metadata = message.get("form") or {}, message.get("metadata") or {}
        ask = ChannelAsk(
            str(message.get("chat_id", "")), str(metadata.get("ask_id", "")), str(form.get("message", "")),
            form.get("schema") or {}, str(metadata.get("plugin", "")), str(metadata.get("tool", "")),
        )  # fmt: skip
        with self._lock:
            if ask.ask_id in self._asks:
                return
            self._asks[ask.ask_id] = ask
        self._server.in_background(lambda: self._ask(ask))

    def _ask(self, ask):
        self._started.wait()
        try:
            self._bring_answer(ask)
        finally:
            with self._lock:
                self._asks.pop(ask.ask_id, None)

    def _bring_answer(self, ask):
        for tries in range(_ASK_TRIES):
            answer = self._answer_to(ask) if tries < _ASK_TRIES - 1 else AskAnswer("cancel")
            if ask.over.is_set():
                return
            params = {"ask_id": ask.ask_id, "action": answer.action, "values": answer.content}
            try:
                problem = (self.request("answer_ask", params) or {}).get("problem")
            except ToolError as error:
                problem = _message_of(error)
                _log(f"warn: an answer was not taken: {problem}")
            if problem is None:
                return
            ask = dataclasses.replace(ask, problem=problem)

    def _answer_to(self, ask) -> AskAnswer:
        try:
            given = self._handle("ask", ask)
        except Exception as error:
            _log(f"warn: chat {ask.chat_id} could not be asked: {_message_of(error)}")
            given = None
        if given is None:
            return AskAnswer("cancel")
        return given if isinstance(given, AskAnswer) else AskAnswer("accept", given)

    def _end_ask(self, message):
        ask = self._asks.get(str((message.get("metadata") or {}).get("ask_id")))
        if ask:
            ask.over.set()

    def _update(self, message):
        progress = message.get("progress") or {}
        reasoning, tools = progress.get("reasoning_stream_content"), progress.get("tools")
        update = ChannelUpdate(str(message.get("chat_id", "")), message.get("content"), reasoning, tools)
        self._handle("update", update)

    def _draw(self, message):
        self._handle("drawn", str(message.get("chat_id", "")), str(message.get("content", "")))

    def _handle(self, event, *given):
        handler = self._handlers.get(event)
        value = handler(*given) if handler else None
        if inspect.isawaitable(value):
            return _event_loop.submit(value).result()
        return value


_TOOL_DEFAULTS = {
    "name": None, "description": None, "primary_arg": None, "timeout": None, "concurrency": "parallel",
    "annotations": None, "output_schema": None, "channels": None, "ui": None,
}  # fmt: skip


# ---------------------------------------------------------------------------------------------------------------------
# The wire
# ---------------------------------------------------------------------------------------------------------------------

_NOT_OFFERED = ("enrich", "web_plugin_rpc")
# At the end of the input: for calls to finish by themselves, after a cancel, and for exit handlers.
_FINISH_S = 1.0
_CANCEL_S = 0.5
_EXIT_HANDLERS_S = 0.5
_PARENT_CHECK_S = 1.0


def serve():
    """Serves the declared tools and hooks to a host on standard input and output, until the input ends. Never returns.

    From here on whatever is printed goes to stderr, the plugin's log, and child processes see neither end of the wire.
    """
    _serve(None)


def serve_channel(channel: Channel):
    """Serves a channel, as `serve` does tools; the tools, hooks and enrichers of the module are for all sessions."""
    _serve(channel)


def _serve(channel):
    global _was_used
    _was_used = True
    is_by_hand = os.isatty(0)
    if is_by_hand:
        _log("toolpost: a host speaks to this script in JSON lines; to try a tool: toolpost call NAME --plugins FOLDER")
    reading, writing = _take_over_stdio()
    with contextlib.suppress(ValueError):  # only the main thread may
        # Ctrl-C in the host's terminal is the host's to answer: it cancels a call, or ends us by the end of our input.
        # A handler, not SIG_IGN, because child processes would inherit that.
        signal.signal(signal.SIGINT, lambda *_: os._exit(130) if is_by_hand else None)
    global _bus_server
    _bus_server = server = _Server(_Writer(writing), channel)
    _watch_parent(server)
    for line in _lines(reading):
        server.receive(line)
    server.stop()


def _take_over_stdio():
    """Moves the wire to private descriptors. 0 becomes the null device and 1 stderr, for C code and children too."""
    reading, writing = os.dup(0), os.dup(1)  # not inherited by child processes (PEP 446)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    try:
        os.dup2(2, 1)
    except OSError:
        os.dup2(null, 1)
    os.close(null)
    if sys.platform == "win32":
        import msvcrt

        for descriptor in (reading, writing):
            msvcrt.setmode(descriptor, os.O_BINARY)
    # What was printed before and still lies in the buffer goes to stderr now, instead of into the first answer.
    with contextlib.suppress(OSError, ValueError, AttributeError):
        sys.stdout.flush()
        sys.stdout.reconfigure(line_buffering=True)  # a logger may keep this object
    sys.stdout = sys.stderr
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=lambda: _leave_wire(reading, writing))
    return reading, writing


def _leave_wire(*descriptors):
    """A forked child (multiprocessing) that outlives us must not hold the wire open, nor write to it."""
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in descriptors:
        os.dup2(null, descriptor, inheritable=False)
    os.close(null)


def _lines(descriptor):
    """The lines that arrive, as bytes; split at LF before decoding, in time linear in their length."""
    parts = []
    while True:
        try:
            chunk = os.read(descriptor, 65536)
        except BlockingIOError:
            select.select([descriptor], [], [])
            continue
        except OSError:
            chunk = b""
        if not chunk:
            break
        first, *others = chunk.split(b"\n")
        parts.append(first)
        for other in others:
            yield b"".join(parts)
            parts = [other]
    yield b"".join(parts)


def _watch_parent(server):
    """Ends the plugin when the process that started it is gone, even if another one still holds its input open."""
    if os.name != "posix":
        return
    parent = os.getppid()

    def watch():
        while not server.stopped.wait(_PARENT_CHECK_S):
            if os.getppid() != parent:
                server.stop()

    threading.Thread(target=watch, daemon=True).start()


class _Writer:
    """Writes messages, each whole, as lines that end in a bare LF."""

    def __init__(self, descriptor):
        self._descriptor = descriptor
        self._lock = threading.Lock()

    def send(self, message, call=None, is_last=False):
        """Sends `message`; with `call`, only while that call has not been answered."""
        data = json.dumps(message, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        view = memoryview(data.encode("utf-8", "replace") + b"\n")
        with self._lock:
            if call is not None:
                if call.is_answered:
                    return
                call.is_answered = is_last
            while view:
                view = view[self._write(view) :]

    def _write(self, view) -> int:
        try:
            return os.write(self._descriptor, view)
        except BlockingIOError:
            select.select([], [self._descriptor], [])
            return 0
        except OSError:  # nobody reads any more: there is nobody to tell
            os._exit(0)


class _Server:
    """The plugin's end of the wire: reads requests, runs them, answers each once."""

    def __init__(self, writer, channel=None):
        self.writer = writer
        self.version = 1
        self._channel = channel
        self.stopped = threading.Event()
        self._stopping = threading.Lock()
        self._calls = {}
        self._waiting = {}  # our requests to the host, by id
        self._request_ids = itertools.count(1)
        self._running = threading.Condition()
        self._running_count = 0
        self._workers = _Workers()
        self._lanes = collections.defaultdict(lambda: _Workers(limit=1))
        self._methods = {
            "activate": self._activate,
            "execute_tool": self._execute_tool,
            "hook": self._hook,
            "enrich": self._enrich,
            "web_ui_action": self._ui_action,
            "preview_tool": self._preview_tool,
            "bus_message": self._bus_message,
            "content": self._content,
            "cancel": self._cancel,
            "deactivate": lambda message: self.stop(),
        }

    # -- receiving --

    def receive(self, line):
        line = line[3:] if line.startswith(b"\xef\xbb\xbf") else line
        if not line.strip():
            return
        try:
            message = json.loads(line.decode("utf-8"))
            if not isinstance(message, dict):
                raise ValueError("a message is an object")
        except (ValueError, RecursionError) as error:
            self.writer.send({"error": f"invalid JSON: {error}"})
            return
        if self._channel and isinstance(message.get("type"), str) and self._channel._receive(self, message):
            return
        method = message.get("method")
        if method is None and ("result" in message or "error" in message):
            self._settle(message)
        elif not isinstance(method, str):
            self._reply(message, {"error": "a message needs a method, which is text"})
        elif not isinstance(message.get("params") or {}, dict):
            self._reply(message, {"error": f"{method}: params must be an object"})
        else:
            self._methods.get(method, self._refuse)(message)

    def _reply(self, message, body):
        self.writer.send({**_id_of(message), **body})

    def _refuse(self, message):
        method = message["method"]
        text = f"{method} not implemented" if method in _NOT_OFFERED else f"unknown method: {method}"
        if self.version == 2 and "id" not in message:
            _log(text)  # a notice, which nobody waits to see answered
        else:
            self._in_turn(message, lambda: self._reply(message, {"error": text}))

    def _activate(self, message):
        offered = (message.get("params") or {}).get("protocolVersions")
        self.version = 2 if isinstance(offered, list) and 2 in offered else 1
        answer = {"protocolVersion": 2} if self.version == 2 else {}
        answer["tools"] = [_plain(declared.definition()) for declared in _tools.values()]
        hooks = [{"event": each.event, "matcher": each.matcher, "failClosed": each.fail_closed} for each in _hooks]
        enrichers = [
            {"name": name, **({} if each.priority is None else {"priority": each.priority})}
            for name, each in _enrichers.items()
        ]
        more = {"hooks": hooks, "enrichers": enrichers}
        more["handlesUiActions"] = bool(_ui_action_handlers)
        if self.version == 2:
            more["subscriptions"] = list(dict.fromkeys(topic for topic, _ in _subscriptions))
            more.update(_declared_content())
        if self._channel:
            more["channel_provider"] = self._channel._provider()
        self._reply(message, {**answer, **{key: value for key, value in more.items() if value}})

    def _execute_tool(self, message):
        params = message.get("params") or {}
        declared = _tools.get(str(params.get("toolName")))
        if declared is None:
            error = {"error": f"Unknown tool: {params.get('toolName')}"}
            self._in_turn(message, lambda: self._reply(message, error))
        else:
            self.start_call(message, declared)

    def start_call(self, message, declared):
        """Runs a call of a tool and answers it."""
        call = _Call(self, message, declared)
        self._calls[call.key] = call
        if declared.is_async and "id" in message and not declared.is_serial:
            self._started()
            _event_loop.submit(call.run_async()).add_done_callback(lambda _: self._ended())
            return
        run = call.run_in_loop if declared.is_async else call.run
        self._in_turn(message, run, declared.name if declared.is_serial else None)

    def _hook(self, message):
        params = message.get("params") or {}
        self._in_turn(message, lambda: self._reply(message, {"hook_result": _run_hooks(params)}))

    def _enrich(self, message):
        if not _enrichers:
            self._refuse(message)
            return
        params = message.get("params") or {}
        self._in_turn(message, lambda: self._reply(message, _run_enricher(params)))

    def _ui_action(self, message):
        params = message.get("params") or {}
        self._in_turn(message, lambda: self._reply(message, _handle_ui_action(params)))

    def _preview_tool(self, message):
        params = message.get("params") or {}
        declared = _tools.get(str(params.get("toolName")))
        self._in_turn(message, lambda: self._reply(message, _run_preview(declared, params)))

    def _content(self, message):
        request = (message.get("params") or {}).get("request")
        if not isinstance(request, dict):
            request = {}
        self._in_turn(message, lambda: self._reply(message, _answer_content(request)))

    def _bus_message(self, message):
        params = message.get("params") or {}

        def request(method, given):
            return self.ask_host(method, {"callId": params.get("callId"), **given}, _BUS_S)

        self._in_turn(message, lambda: self._reply(message, _handle_message(params, request)))

    def _cancel(self, message):
        call = self._calls.get(str((message.get("params") or {}).get("id")))
        if call:
            call.cancel()

    def _settle(self, message):
        """An answer to a request of ours."""
        waiter = self._waiting.pop(str(message.get("id")), None)
        if waiter:
            waiter.answer = message
            waiter.ready.set()

    # -- running --

    def _in_turn(self, message, job, lane=None):
        """Runs `job` beside others, or after those of its lane. What has no id is answered in the order of asking."""
        self._started()

        def run():
            try:
                job()
            except BaseException as error:
                self._reply(message, _answer_body(_failure(error), version=1))
            finally:
                self._ended()

        lane = lane if "id" in message else ""
        (self._workers if lane is None else self._lanes[lane]).submit(run)

    def in_background(self, job):
        """Runs what answers nobody. What it raises is logged."""

        def run():
            try:
                job()
            except Exception as error:
                _failure(error)

        self._workers.submit(run)

    def _started(self):
        with self._running:
            self._running_count += 1

    def _ended(self):
        with self._running:
            self._running_count -= 1
            self._running.notify_all()

    def forget(self, call):
        if self._calls.get(call.key) is call:
            del self._calls[call.key]

    def request(self, call, method, params):
        """Asks the host something for a call, and waits. Raises ToolError with the host's error, or Cancelled."""
        if self.version < 2:
            raise ToolError(f"this host cannot answer {method}: it speaks protocol version 1")
        waiter = _Waiter()
        request_id = f"p{next(self._request_ids)}"
        self._waiting[request_id] = waiter
        with call.waits_for(waiter):
            self.writer.send({"id": request_id, "method": method, "params": {**params, "callId": call.key}})
            waiter.ready.wait()
        self._waiting.pop(request_id, None)
        if waiter.answer is None:
            raise Cancelled("cancelled")
        if "error" in waiter.answer:
            raise ToolError(f"{method}: {waiter.answer['error']}")
        return waiter.answer.get("result")

    def ask_host(self, method, params, timeout):
        """Asks the host something in the plugin's own name, and waits. Raises ToolError with the host's error."""
        return self.post(method, params)(timeout)

    def post(self, method, params):
        """Asks the host something. Returns a function that waits for the answer, as `ask_host` does."""
        waiter = _Waiter()
        request_id = f"p{next(self._request_ids)}"
        self._waiting[request_id] = waiter
        self.writer.send({"id": request_id, "method": method, "params": params})

        def answer(timeout):
            is_answered = waiter.ready.wait(timeout)
            self._waiting.pop(request_id, None)
            if not is_answered:
                raise ToolError(f"{method}: the host did not answer within {timeout:g} s")
            if waiter.answer.get("error") is not None:
                raise ToolError(f"{method}: {waiter.answer['error']}")
            return waiter.answer.get("result")

        return answer

    # -- ending --

    def stop(self):
        """Gives running calls a moment, then a cancel and another moment, and ends the process whatever still runs."""
        with self._stopping:  # never released: whoever comes second waits here for the end
            self.stopped.set()
            if not self._runs_out(_FINISH_S):
                for call in list(self._calls.values()):
                    call.cancel()
                self._runs_out(_CANCEL_S)
            if self._channel:
                self._channel._finish()
            _exit_process()

    def _runs_out(self, timeout) -> bool:
        with self._running:
            return self._running.wait_for(lambda: self._running_count == 0, timeout)


class _Waiter:
    def __init__(self):
        self.ready = threading.Event()
        self.answer = None


def _id_of(message) -> dict:
    return {"id": message["id"]} if "id" in message else {}


def _exit_process():
    """Runs the exit handlers, which end what libraries started, but is not held up by them or by any thread."""
    overdue = threading.Timer(_EXIT_HANDLERS_S, os._exit, (0,))
    overdue.daemon = True
    overdue.start()
    with contextlib.suppress(BaseException):
        getattr(atexit, "_run_exitfuncs", lambda: None)()
    for stream in (sys.__stdout__, sys.stderr):
        with contextlib.suppress(BaseException):
            stream.flush()
    os._exit(0)


class _Call:
    """One call on the wire, from the request to its only answer."""

    def __init__(self, server, message, declared):
        params = message.get("params") or {}
        context = params.get("context") if isinstance(params.get("context"), dict) else {}
        roots = context.get("roots") if isinstance(context.get("roots"), list) else []
        self.key = str(message["id"]) if "id" in message else id(self)
        self.is_answered = False
        self._server, self._message, self._tool = server, message, declared
        self._input = params.get("input")
        self._lock = threading.Lock()
        self._is_started, self._task, self._waiters = False, None, set()
        self.context = Context(
            self,
            call_id=str(context.get("toolCallId") or context.get("callId") or message.get("id") or ""),
            input=self._input if isinstance(self._input, str) else json.dumps(self._input or {}),
            session=_session_of(context),
            roots=[str(root) for root in roots],
            traceparent=context.get("traceparent"),
        )

    # -- what its context needs --

    def emit(self, body):
        if "id" in self._message and self._server.version == 2:
            self._server.writer.send({**_id_of(self._message), **body}, self)
        else:  # version 1 has no words for it: it is kept in the log
            _log(body["output"]["text"].rstrip("\n") if "output" in body else f"progress: {_to_json(body['progress'])}")

    def request(self, method, params):
        return self._server.request(self, method, params)

    @contextlib.contextmanager
    def waits_for(self, waiter):
        with self._lock:
            if self.context.cancelled:
                waiter.ready.set()
            self._waiters.add(waiter)
        try:
            yield
        finally:
            self._waiters.discard(waiter)

    # -- its life --

    def run(self):
        if not self._start():
            return
        try:
            values = self._tool.bind(_parse_arguments(self._input), self.context)
            value = self._tool.function(**values)
            if inspect.isawaitable(value):  # a decorator hid that the function is async
                value = _event_loop.submit(value).result()
            result = _to_result(value)
        except BaseException as error:
            result = _failure(error)
        self._answer(result)

    async def run_async(self):
        import asyncio

        if not self._start(asyncio.current_task()):
            return
        try:
            values = self._tool.bind(_parse_arguments(self._input), self.context)
            result = _to_result(await self._tool.function(**values))
        except BaseException as error:
            result = _failure(error)
        self._answer(result)

    def run_in_loop(self):
        _event_loop.submit(self.run_async()).result()

    def cancel(self):
        with self._lock:
            self.context._cancel.set()
            for waiter in self._waiters:
                waiter.ready.set()
            if self._task:
                _event_loop.call(self._task.cancel)
            if self._is_started:
                return
        self._answer(tool_error("cancelled"))

    def _start(self, task=None) -> bool:
        with self._lock:
            if self.context.cancelled:
                return False
            self._is_started, self._task = True, task
            return True

    def _answer(self, result):
        self._server.forget(self)
        version = self._server.version if "id" in self._message else 1
        try:
            self._send_last(_answer_body(result, version))
        except ValueError as error:  # such as an integer of more digits than Python writes
            self._send_last(_answer_body(_failure(error), version))

    def _send_last(self, body):
        self._server.writer.send({**_id_of(self._message), **body}, self, is_last=True)


def _answer_body(result, version) -> dict:
    """A result in the words of the wire. Version 1 knows only text, and beside it what the call draws."""
    is_text = isinstance(result.content, str) and result.structured_content is None and result.metadata is None
    if version == 1 or is_text:
        if result.is_error:
            return {"error": result.text or "the tool failed without a message"}
        drawn = (result.metadata or {}).get("ui_code")
        return {"result": result.text, **({} if drawn is None else {"ui_code": drawn})}
    answer = {
        "content": result.content,
        "structuredContent": result.structured_content,
        "metadata": result.metadata,
        "isError": True if result.is_error else None,
    }
    return {"result": {key: value for key, value in answer.items() if value is not None}}
