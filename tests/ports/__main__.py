"""Each bridge with programs of its framework, at Pitboss's tables and in the loop of the framework: one table.

    tox -e ports                        25,000 hands of each
    python -m tests.ports HANDS

The exit status is 1 if a bot does wrong, or a result differs by more than four standard errors from that of the loop.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from pitboss_tournament.authoring.templates import NewBot, find_bridge, make_bot
from pitboss_tournament.plan.paths import BOT_FILE
from tests.ports.acpc_states import compare_states
from tests.ports.openspiel_loop import compute_openspiel, play_openspiel
from tests.ports.pair_result import Z_95, ChipsPerHand, compare_results
from tests.ports.pypokerengine_loop import play_pypokerengine
from tests.ports.rlcard_loop import play_rlcard
from tests.tournament.command_line import run_pitboss

HANDS: Final = 25_000
MIN_HANDS: Final = 400  # fewer make one block, which has no error
MAX_Z: Final = 4.0  # of a dozen results, by chance once in a thousand runs
RLCARD_PAIRS: Final = (
    ("leduc-holdem-cfr", "leduc-holdem-rule-v1"),
    ("leduc-holdem-cfr", "leduc-holdem-rule-v2"),
    ("leduc-holdem-rule-v1", "leduc-holdem-rule-v2"),
)
PLAYERS: Final = {
    name: f"examples.players.{module} {name}"
    for module, name in (("fish_player", "FishPlayer"), ("random_player", "RandomPlayer"), ("fold_man", "FoldMan"))
}


class PortComparison:
    """A row of the table, and whether it is as it should be."""

    def __init__(self, title: str, pitboss: ChipsPerHand, loop: ChipsPerHand) -> None:
        self.row = f"| {title} | {pitboss} | {loop} | {compare_results(pitboss, loop):+.1f} |"
        self.agrees = abs(compare_results(pitboss, loop)) <= MAX_Z


def make_bridge(framework: str, words: str, name: str, folder: Path) -> None:
    """Make a bridge that plays with this Python, and with other arguments than it is made with."""
    made = NewBot(name=name, into=folder)
    make_bot(made, find_bridge(framework))
    file = made.folder / BOT_FILE
    lines = file.read_text(encoding="utf-8").replace(".venv/bin/python", "{python}").splitlines()
    command = ", ".join(f'"{word}"' for word in ("{python}", "bridge.py", *words.split()))
    kept = [line for line in lines if not line.startswith("command") and "import rlcard" not in line]
    file.write_text("\n".join([*kept, f"command = [{command}]", ""]), encoding="utf-8")


def play_match(preset: str, bots: Sequence[str], hands: int, folder: Path) -> Mapping[str, ChipsPerHand]:
    """Return what each bot wins at Pitboss's tables, in duplicate deals; end the program if one did wrong.

    Where all blocks are alike there is no half width, and no error.
    """
    game = -(-20 // len(bots)) * len(bots)
    deals = -(-hands // (game * len(bots)))
    store = f"{'-'.join(bots)}-{preset}.pitboss".replace(":", "-")
    words = ("match", "poker", *bots, "--preset", preset, "--seats", str(len(bots)), "-o", f"hands={game}")
    ran = run_pitboss(*words, "--deals", str(deals), "--seed", "ports", "--store", store, "--json", cwd=folder)
    if ran.status:
        sys.exit(f"{' '.join(words)}\n{ran.err}")
    standings = json.loads(ran.out.splitlines()[-1])["standings"]
    if faulty := {one["name"]: one["faults"] for one in standings if one["faults"]}:
        sys.exit(f"{' '.join(words)}: {faulty}")
    return {
        one["name"]: ChipsPerHand(one["points"]["mean"] / game, (one["points"]["half_width"] or 0.0) / Z_95 / game)
        for one in standings
    }


def compare_rlcard(hands: int, folder: Path) -> Iterator[PortComparison]:
    """Compare models of RLCard in Leduc."""
    for model in {model for pair in RLCARD_PAIRS for model in pair}:
        make_bridge("rlcard", model, model, folder)
    for pair in RLCARD_PAIRS:
        here = play_match("leduc", pair, hands, folder)[pair[0]]
        yield PortComparison(f"RLCard, Leduc: {pair[0]} against {pair[1]}", here, play_rlcard(*pair, hands))


def compare_openspiel(hands: int, folder: Path) -> Iterator[PortComparison]:
    """Compare CFR+ of OpenSpiel against random play in Kuhn and Leduc."""
    for name, word in (("cfr", "table"), ("uniform", "uniform")):
        make_bridge("openspiel", word, name, folder)
    for cards in ("kuhn", "leduc"):
        here = play_match(cards, ("cfr", "uniform"), hands, folder)["cfr"]
        table, title = (
            folder / "cfr" / "build" / f"{cards}.json",
            f"OpenSpiel, {cards.title()}: CFR+ against random play",
        )
        yield PortComparison(title, here, play_openspiel(cards, table, hands))
        yield PortComparison(f"{title}, computed over all hands", here, compute_openspiel(cards, table))


def compare_pypokerengine(hands: int, folder: Path) -> Iterator[PortComparison]:
    """Compare three players of PyPokerEngine at one table of no-limit Hold'em."""
    for name, words in PLAYERS.items():
        make_bridge("pypokerengine", words, name, folder)
    here = play_match("no-limit", tuple(PLAYERS), hands, folder)
    for name, there in zip(PLAYERS, play_pypokerengine(tuple(PLAYERS.values()), hands), strict=True):
        yield PortComparison(f"PyPokerEngine, no limit, three players: {name}", here[name], there)


def main(hands: int) -> int:
    """Print the table; return the number of results that differ."""
    if hands < MIN_HANDS:
        sys.exit(f"{hands} hands are too few for an interval: at least {MIN_HANDS}")
    different = 0
    print("| chips a hand, 95 % | at Pitboss's tables | in the framework's loop | z |\n|---|---|---|---|", flush=True)
    with TemporaryDirectory(prefix="pitboss-ports-") as folder:
        for compare in (compare_rlcard, compare_openspiel, compare_pypokerengine):
            for one in compare(hands, Path(folder)):
                print(one.row, flush=True)
                different += not one.agrees
    print(f"ACPC: {compare_states(hands):,} questions are those of the dealer that OpenSpiel contains")
    return different


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if sys.argv[1:] else HANDS) > 0)
