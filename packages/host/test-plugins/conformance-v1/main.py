"""The tools of the conformance suite over version 1: one request at a time, text as the result."""
import json
import os
import sys
import time

NAMES = ["echo", "fail", "sleep", "never", "crash", "large", "spawn", "greet"]


def execute_tool(name, arguments):
    if name == "echo":
        return {"result": arguments["text"]}
    if name == "fail":
        return {"error": "the printer is on fire"}
    if name == "sleep":
        time.sleep(arguments["ms"] / 1000)
        return {"result": arguments["tag"]}
    if name == "never":
        open(arguments["startedFile"], "w").close()
        time.sleep(300)
    if name == "crash":
        sys.stderr.write("fatal: the tape is torn\n")
        sys.stderr.flush()
        os._exit(7)
    if name == "large":
        return {"result": "x" * arguments["bytes"]}
    if name == "spawn":
        import subprocess
        inside = subprocess.Popen(["sleep", "300"], stdin=subprocess.DEVNULL)
        outside = subprocess.Popen(["sleep", "300"], stdin=subprocess.DEVNULL, start_new_session=True)
        return {"result": json.dumps([inside.pid, outside.pid])}
    return {"error": "Unknown tool: " + name}


def hook(params):
    if "snake" in params["toolInput"]:
        return {"hook_result": {"decision": "deny", "message": "no snakes here"}}
    if "lower" in params["toolInput"]:
        return {"hookResult": {"decision": "allow", "updatedInput": {"text": "LOWER"}}}
    return {"hook_result": {"decision": "allow"}}


for line in sys.stdin.buffer:
    request = json.loads(line)
    method, params = request["method"], request.get("params", {})
    if method == "activate":
        tools = [{"name": name, "description": f"The tool {name}.", "parameters": []} for name in NAMES]
        answer = {"tools": tools, "hooks": [{"event": "PreToolUse", "matcher": "e*"}]}
        answer["enrichers"] = [{"name": "who", "priority": 10}, {"name": "torn"}]
    elif method == "execute_tool":
        answer = execute_tool(params["toolName"], json.loads(params["input"]))
    elif method == "hook":
        answer = hook(params)
    elif method == "enrich":
        is_who = params["enricherName"] == "who"
        answer = {"result": f"The user is {params['user']}."} if is_who else {"error": "the page is torn"}
    elif method == "deactivate":
        break
    sys.stdout.buffer.write(json.dumps(answer, ensure_ascii=False).encode() + b"\n")
    sys.stdout.buffer.flush()
