"""A small coding agent: it asks a language model for one change of the bot, and keeps what passes the checks.

It asks a server of the chat completions protocol (`MODEL_URL`, `MODEL_NAME`, perhaps with `MODEL_KEY`). The model gets
the task, the page of the game, the bot, and the feedback of the last round. It answers with an object:
`{"old": "a part of bot.py", "new": "what stands there then"}`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from urllib.request import Request, urlopen

BOT = Path("bot", "bot.py")
SECONDS = 120


def read_last(pattern: str) -> str:
    """Return the newest file of the feedback; "" in the first round."""
    files = sorted(Path("feedback").glob(pattern), key=lambda path: int(path.name.split("-")[0].split(".")[0]))
    return files[-1].read_text(encoding="utf-8") if files else ""


def ask(question: str) -> tuple[str, dict[str, int]]:
    """Return what the model says, and what its server counts."""
    body = {"model": os.environ["MODEL_NAME"], "messages": [{"role": "user", "content": question}]}
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {os.environ.get('MODEL_KEY', '')}"}
    request = Request(f"{os.environ['MODEL_URL']}/chat/completions", json.dumps(body).encode(), headers)
    with urlopen(request, timeout=SECONDS) as answer:
        found = json.load(answer)
    return found["choices"][0]["message"]["content"], found.get("usage") or {}


def main() -> None:
    """Ask once, change the bot, and take the change back if a check fails."""
    before = BOT.read_text(encoding="utf-8")
    parts = [Path(name).read_text(encoding="utf-8") for name in ("TASK.md", "GAME.md", "NOTES.md")]
    parts += [f"bot/bot.py:\n{before}", read_last("*-why.json") or read_last("?.json")]
    parts.append('Answer with one object of JSON: {"old": "a part of bot.py", "new": "what stands there then"}')
    said, usage = ask("\n\n".join(parts))
    tokens = usage.get("total_tokens") or usage.get("prompt_tokens", 0) + usage.get("completion_tokens", 0)
    Path("cost.json").write_text(json.dumps({"tokens": tokens}), encoding="utf-8")
    try:
        change = json.loads(said)
        old, new = change["old"], change["new"]
    except (ValueError, KeyError, TypeError):
        old = new = ""
    if not old or old not in before:
        note("the answer named no part of bot.py")
        return
    BOT.write_text(before.replace(old, new, 1), encoding="utf-8")
    checked = subprocess.run(["pitboss", "check", "bot", "--failed"], capture_output=True, text=True)
    if checked.returncode:
        BOT.write_text(before, encoding="utf-8")
        print(checked.stdout, checked.stderr, file=sys.stderr)
    note(f"{old!r} became {new!r}{', and was taken back: a check failed' if checked.returncode else ''}")


def note(text: str) -> None:
    """Write a line into the notes."""
    with Path("NOTES.md").open("a", encoding="utf-8") as notes:
        notes.write(f"Round {os.environ['PITBOSS_ARENA_ROUND']}: {text}\n")


main()
