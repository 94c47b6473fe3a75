"""A bot of the house at the table: `python -m pitboss_house_bots random`, `first`, or `search` with its options.

The first two use the standard library alone, not the SDK: a bot that starts in 25 ms and not in 75 is worth the few
lines, as a tournament starts thousands of them. `search`, `handicap`, `rollout` and `model` (a
language model, by a folder with a prompt) are in modules named after them.
"""

from __future__ import annotations

import json
import sys
from random import Random
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from pitboss_house_bots.open_player import OpenPlayer

BOTS: Final = ("first", "random")
ALL_BOTS: Final = (*BOTS, "search", "handicap", "rollout")
MAX_STATED_ACTIONS: Final = 8  # the runner weighs no more; the policy of a long list would fill the record


def play(*, at_random: bool) -> None:
    """Talk to the runner until it says bye or closes the pipe; choose the first action, or any, all equally likely."""
    rng = Random("")
    states_policies = False
    open_player: OpenPlayer | None = None  # where the game has actions that are not listed
    for line in sys.stdin.buffer:
        message: dict[str, Any] = json.loads(line)
        match message["type"]:
            case "hello":
                if at_random and message.get("open"):
                    from pitboss_house_bots.open_player import OpenPlayer  # noqa: PLC0415 - few games need it

                    open_player = OpenPlayer(line)
                    send({"type": "ready", "want": "both", "open": True})
                    continue
                states_policies = at_random and message.get("policy") is True
                send({"type": "ready", "policy": True} if states_policies else {"type": "ready"})
            case "start":
                rng = Random(message["seed"])
                if open_player is not None:
                    open_player.begin(line)
            case "decide" if open_player is not None and (action := open_player.propose(line)) is not None:
                send({"type": "act", "id": message["id"], "action": action})
            case "decide":
                # not `randrange`: Python promises the same numbers on every version for `random()` alone
                choice = int(rng.random() * len(message["legal"])) if at_random else 0
                fields = {one["index"]: one["field"] for one in message.get("ranges", ())} if at_random else {}
                if choice in fields:
                    entry, field = message["legal"][choice], fields[choice]
                    lowest, highest = entry[field]
                    number = lowest + int(rng.random() * (highest - lowest + 1))
                    send({"type": "act", "id": message["id"], "action": {**entry, field: number}})
                else:
                    policy = _state_policy(message) if states_policies else {}
                    send({"type": "act", "id": message["id"], "choose": choice, **policy})
            case "bye":
                return


def _state_policy(question: dict[str, Any]) -> dict[str, Any]:
    """Return the key that states the policy of the random player; nothing for ranges and for long lists."""
    count = len(question["legal"])
    if "ranges" in question or count > MAX_STATED_ACTIONS:
        return {}
    return {"policy": [[index, 1 / count] for index in range(count)]}


def send(message: dict[str, Any]) -> None:
    """Write a line to the runner."""
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def main(arguments: list[str]) -> str | None:
    """Play as the bot that is named; return what is wrong with the name."""
    if arguments[:1] == ["search"]:
        from pitboss_house_bots import search_bot  # noqa: PLC0415 - the other bots start sooner without it

        return search_bot.main(arguments[1:])
    if arguments[:1] == ["handicap"]:
        from pitboss_house_bots import handicap_bot  # noqa: PLC0415 - the other bots start sooner without it

        return handicap_bot.main(arguments[1:])
    if arguments[:1] == ["rollout"]:
        from pitboss_house_bots import rollout_bot  # noqa: PLC0415 - the other bots start sooner without it

        return rollout_bot.main(arguments[1:])
    if arguments[:1] == ["model"]:
        from pitboss_house_bots import model_bot  # noqa: PLC0415 - the other bots start sooner without it

        return model_bot.main(arguments[1:])
    if len(arguments) != 1 or arguments[0] not in BOTS:
        return f"the house has no bot {' '.join(arguments)!r}; it has {', '.join(ALL_BOTS)}"
    play(at_random=arguments == ["random"])
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
