"""A client of Slumbot's API that checks and calls: put your own in its place.

python player.py http://127.0.0.1:PORT
"""

from __future__ import annotations

import json
import sys
import urllib.request
from typing import Any


def post(path: str, **body: str) -> Any:
    """Send a request to the API, and return its answer."""
    request = urllib.request.Request(
        f"{sys.argv[1]}{path}", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request) as answer:
        told = json.load(answer)
    if "error_msg" in told:
        sys.exit(told["error_msg"])
    return told


def main() -> None:
    """Play a hundred hands."""
    for _ in range(100):
        told = post("/api/new_hand")
        while "winnings" not in told:
            told = post("/api/act", token=told["token"], incr="c" if is_facing_bet(told["action"]) else "k")


def is_facing_bet(action: str) -> bool:
    """Tell whether there is a bet to call: a big blind is one for the small blind."""
    street = action.rpartition("/")[2]
    return not action or street.rstrip("0123456789").endswith("b")


if __name__ == "__main__":
    main()
