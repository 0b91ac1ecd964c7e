"""A stdio plugin with the Python SDK, with the tool's name as its argument."""

import sys

import toolpost


@toolpost.tool(name=sys.argv[1] if len(sys.argv) > 1 else "echo")
def echo(text: str) -> str:
    """Gives its text back."""
    return text


if __name__ == "__main__":
    toolpost.serve()
