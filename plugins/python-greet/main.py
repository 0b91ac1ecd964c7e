"""A plugin in plain Python: it reads one JSON object a line and writes one answer a line (protocol version 1)."""

import json
import sys

TOOLS = [
    {
        "name": "python_greet",
        "description": "Greet someone by name.",
        "parameters": [
            {"name": "name", "type": "string", "description": "The person to greet", "required": True}
        ],
        "inputSchema": {
            "type": "object",
            "properties": {"name": {"type": "string", "description": "The person to greet"}},
            "required": ["name"],
        },
    }
]


def execute_tool(params):
    if params["toolName"] != "python_greet":
        return {"error": f"Unknown tool: {params['toolName']}"}
    arguments = json.loads(params["input"])  # `input` is JSON text
    greeting = {"english": f"Hello, {arguments['name']}!"}
    return {"result": json.dumps(greeting, ensure_ascii=False)}


def answer(request):
    method = request["method"]
    if method == "activate":
        return {"tools": TOOLS}
    if method == "execute_tool":
        return execute_tool(request["params"])
    return {"error": f"unknown method: {method}"}


def main():
    # Bytes, because the wire is UTF-8 with bare line feeds whatever this system's text files are.
    for line in sys.stdin.buffer:
        if not line.strip():
            continue
        try:
            request = json.loads(line)
            if request["method"] == "deactivate":
                return
            reply = answer(request)
        except Exception as error:  # one bad request must not end the plugin
            reply = {"error": f"{type(error).__name__}: {error}"}
        sys.stdout.buffer.write(json.dumps(reply, ensure_ascii=False).encode() + b"\n")
        sys.stdout.buffer.flush()


main()
