"""What a player of PyPokerEngine sees of Pitboss's Hold'em, and what its answers mean here. It needs no package.

Players are known by the numbers of their seats ("0", "1"). Amounts of actions are all that a player has put in in the
betting round, as `to` is here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

View: TypeAlias = Mapping[str, Any]
Entry: TypeAlias = dict[str, Any]

STREETS = ("preflop", "flop", "turn", "river")


def write_card(face: str) -> str:
    """Return a card as PyPokerEngine writes it: "H10" is "HT"."""
    return face.replace("10", "T")


def describe_game(options: View, players: Sequence[str]) -> Entry:
    """Return what a player hears at the start of a game."""
    rule = {
        "initial_stack": options["stack"],
        "max_round": options["hands"],
        "small_blind_amount": options["small_blind"],
        "ante": options["ante"],
        "blind_structure": {},
    }
    seats = [_describe_seat(seat, name, options["stack"], "participating") for seat, name in enumerate(players)]
    return {"player_num": len(players), "rule": rule, "seats": seats}


def build_round_state(view: View, seat: int, players: Sequence[str], ante: int) -> Entry:
    """Return the state of a hand as PyPokerEngine shows it to the player in a seat."""
    main, *side = view["pots"] or [{"chips": view["pot"], "seats": []}]
    return {
        "street": view["street"],
        "pot": {
            "main": {"amount": main["chips"]},
            "side": [{"amount": pot["chips"], "eligibles": [str(one) for one in pot["seats"]]} for pot in side],
        },
        "community_card": [write_card(face) for face in view["board"]],
        "dealer_btn": view["button"],
        "next_player": seat,
        "small_blind_pos": view["small_blind"],
        "big_blind_pos": view["big_blind"],
        "round_count": view["hand"],
        "small_blind_amount": view["blinds"][0],
        "seats": [
            _describe_seat(number, name, view["stacks"][number], _find_standing(view, number))
            for number, name in enumerate(players)
        ],
        "action_histories": dict(zip(STREETS, list_histories(view, ante), strict=False)),
    }


def build_valid_actions(view: View) -> list[Entry]:
    """Return what the player may do. It may always fold; a raise from -1 to -1 is none."""
    bounds = (-1, -1) if view["min_raise"] is None else (view["min_raise"], view["max_raise"])
    return [
        {"action": "fold", "amount": 0},
        {"action": "call", "amount": max(view["bets"])},
        {"action": "raise", "amount": {"min": bounds[0], "max": bounds[1]}},
    ]


def list_histories(view: View, ante: int) -> Iterator[list[Entry]]:
    """Yield the actions of each betting round, antes and blinds first."""
    chips = [stack + paid - ante for stack, paid in zip(view["stacks"], view["paid"], strict=True)]
    for number, street in enumerate(view["history"]):
        bets, entries = [0] * len(chips), []
        if number == 0:
            entries += [{"action": "ANTE", "amount": ante, "uuid": str(seat)} for seat in range(len(chips)) if ante]
            for name, seat, size in _list_blinds(view):
                if seat is not None:
                    bets[seat] = min(size, chips[seat])
                    entries.append(
                        {"action": name, "amount": bets[seat], "add_amount": view["blinds"][0], "uuid": str(seat)}
                    )
        for word in street.split():
            entries.append(_describe_action(word, bets, chips))
        chips = [left - bet for left, bet in zip(chips, bets, strict=True)]
        yield entries


def find_choice(action: str, amount: int, legal: Sequence[Entry]) -> int | Entry:
    """Return the choice that an answer means; as in PyPokerEngine who raises by what is not allowed folds.

    To fold where one may check is to check.
    """
    indices = {one["do"]: index for index, one in enumerate(legal)}
    if action == "raise":
        for index in (indices[name] for name in ("bet", "raise") if name in indices):
            bounds = legal[index]["to"]
            lowest, highest = bounds if isinstance(bounds, list) else (bounds, bounds)
            if lowest <= amount <= highest:
                return {**legal[index], "to": amount}
    names = ("call", "check") if action == "call" else ("fold", "check")
    return next(indices[name] for name in names if name in indices)


def _describe_seat(seat: int, name: str, stack: int, standing: str) -> Entry:
    return {"name": name, "uuid": str(seat), "stack": stack, "state": standing}


def _find_standing(view: View, seat: int) -> str:
    if seat in view["folded"] or seat in view["out"]:
        return "folded"
    return "allin" if seat in view["all_in"] else "participating"


def _list_blinds(view: View) -> list[tuple[str, int | None, int]]:
    small, big = view["blinds"]
    return [("SMALLBLIND", view["small_blind"], small), ("BIGBLIND", view["big_blind"], big)]


def _describe_action(word: str, bets: list[int], chips: Sequence[int]) -> Entry:
    """Return an action of the history, as "2r300", and add it to the bets of the round."""
    digits, letter, size = re.split("([a-z])", word)
    seat, highest = int(digits), max(bets)
    if letter == "f":
        return {"action": "FOLD", "uuid": digits}
    before, bets[seat] = bets[seat], int(size) if size else min(highest, chips[seat])
    entry = {"amount": bets[seat], "paid": bets[seat] - before, "uuid": digits}
    if letter in "ck":
        return {"action": "CALL", **entry}
    return {"action": "RAISE", **entry, "add_amount": bets[seat] - highest}
