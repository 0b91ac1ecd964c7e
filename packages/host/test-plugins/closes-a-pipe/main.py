"""Version 2. Closes its standard input (0) or output (1) in the middle of a call, and runs on."""
import json
import os
import sys
import time

for line in sys.stdin:
    request = json.loads(line)
    if request["method"] == "activate":
        print(json.dumps({"protocolVersion": 2, "tools": [{"name": "close_pipe", "description": "Closes a pipe."}]}), flush=True)
    elif request["method"] == "execute_tool":
        sys.stderr.write("closing\n")
        descriptor = json.loads(request["params"]["input"])["fd"]
        os.close(descriptor)
        if descriptor == 0:
            print(json.dumps({"id": request["id"], "output": "closed"}), flush=True)
        time.sleep(300)
