"""What the suite starts as its client: it has the session's own process do the work, which has imported it all.

The arguments are the path of a socket and the address that the suite adds. Nothing but plain Python is used, so that
this costs next to nothing.
"""

import json
import os
import socket
import sys

with socket.socket(socket.AF_UNIX) as desk, desk.makefile("rw", encoding="utf-8") as lines:
    desk.connect(sys.argv[1])
    scenario = {
        "name": os.environ["MCP_CONFORMANCE_SCENARIO"],
        "version": os.environ["MCP_CONFORMANCE_PROTOCOL_VERSION"],
        "context": json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT", "{}")),
        "url": sys.argv[2],
    }
    print(json.dumps(scenario), file=lines, flush=True)
    failure = json.loads(lines.readline())
sys.exit(failure)
