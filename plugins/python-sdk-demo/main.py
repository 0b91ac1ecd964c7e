"""Tools that show what the Python SDK offers. docs/write-a-tool-in-python.md explains it step by step."""

import collections
import dataclasses
import datetime
import re
from typing import Dict

import toolpost


@toolpost.tool(annotations={"readOnlyHint": True})
def demo_countdown(ctx: toolpost.Context, start: int = 5, seconds_per_step: float = 1.0) -> str:
    """Counts down to zero, one line a step.

    Args:
        start: The number to start from, at most 100.
        seconds_per_step: How long each step takes, at most 1.
    """
    if not 0 <= start <= 100 or not 0 <= seconds_per_step <= 1:
        raise toolpost.ToolError("start must be 0 to 100, and seconds_per_step 0 to 1")
    for number in range(start, 0, -1):
        ctx.output(f"{number}\n")
        ctx.progress(start - number, total=start, message=f"{number} to go")
        # Sleeps, and wakes up early when the call is cancelled.
        if ctx.wait_cancelled(seconds_per_step):
            raise toolpost.Cancelled
    ctx.progress(start, total=start)
    return "Liftoff!"


@dataclasses.dataclass
class WordCount:
    lines: int
    words: int
    characters: int
    most_frequent: Dict[str, int]


@toolpost.tool(output_schema=WordCount, annotations={"readOnlyHint": True})
def demo_word_count(text: str, top: int = 3) -> toolpost.ToolResult:
    """Counts the lines, words and characters of a text, and its most frequent words.

    Args:
        text: The text to count.
        top: How many of the most frequent words to name.
    """
    words = re.findall(r"[^\W_]+(?:['’-][^\W_]+)*", text)
    frequent = collections.Counter(word.lower() for word in words).most_common(max(top, 0))
    count = WordCount(len(text.splitlines()), len(words), len(text), dict(frequent))
    values = {"lines": count.lines, "words": count.words, "characters": count.characters}
    if frequent:
        values["most frequent"] = ", ".join(f"{word} ({times})" for word, times in frequent)
    return toolpost.tool_result(toolpost.format_tool_result("Word count", values), dataclasses.asdict(count))


@toolpost.tool(annotations={"readOnlyHint": True})
def demo_days_between(first: datetime.date, last: datetime.date) -> int:
    """Counts the days between two dates.

    Args:
        first: The first date, as YYYY-MM-DD.
        last: The last date, as YYYY-MM-DD.
    """
    return (last - first).days


@toolpost.tool(primary_arg="name", concurrency="serial")
def demo_tally(ctx: toolpost.Context, name: str, add: int = 1) -> str:
    """Adds to a named tally that is kept between calls, and tells where it stands.

    Args:
        name: The tally's name.
        add: How much to add; negative to take away.
    """
    total = ctx.storage.get(name, 0) + add
    ctx.storage.set(name, total)
    return f"{name}: {total}"


if __name__ == "__main__":
    toolpost.serve()
