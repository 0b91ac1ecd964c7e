"""Writes 1 MiB to stderr before each answer: blocks for ever when nobody reads it."""
import json
import sys

for line in sys.stdin:
    method = json.loads(line)["method"]
    if method == "activate":
        print(json.dumps({"tools": [{"name": "flood", "description": "Answers after a flood."}]}), flush=True)
    elif method == "execute_tool":
        for number in range(16384):
            sys.stderr.write(f"noise {number:57}\n")
        sys.stderr.flush()
        print(json.dumps({"result": "survived"}), flush=True)
    elif method == "deactivate":
        break
