"""`house:poker-equilibrium`: plays Kuhn and Leduc poker for two so that nobody wins against it in the long run."""

from __future__ import annotations

import sys
from random import Random
from typing import Final

from msgspec import convert
from msgspec.structs import asdict

from pitboss.bot import AnnotatedChoice, Choice, Question, run
from pitboss.protocol.messages import Hello
from pitboss_poker.equilibrium import describe_information, describe_rounds, load_strategy
from pitboss_poker.messages import PRESETS, PokerOptions

FREE_OPTIONS: Final = ("hands", "first_button", "stack")  # they change nothing in a hand, as long as bets can be paid


def require_known_game(hello: Hello) -> None:
    """End the program with a sentence if this is a game that the table does not know."""
    given = convert(hello.options, PokerOptions)
    known = PRESETS.get(given.cards)
    if hello.seats == 2 and known is not None and not _list_differences(given, known.resolve(2)):
        return
    sys.exit(
        "house:poker-equilibrium knows Kuhn and Leduc poker for two players, by the presets kuhn and leduc; "
        "for everything else there is house:poker"
    )


def _list_differences(given: PokerOptions, known: PokerOptions) -> list[str]:
    ours = asdict(known)
    return [name for name, value in asdict(given).items() if name not in FREE_OPTIONS and value != ours[name]]


def choose(question: Question) -> Choice:
    """Draw an action with the probabilities of the information set."""
    view = question.view
    key = describe_information(view["cards"], view["board"], describe_rounds(view["history"]))
    chances = load_strategy(question.hello.options["cards"])[key]
    rng = Random(f"{question.start.seed}/{view['hand']}/{key}")
    return AnnotatedChoice(rng.choices(range(len(chances)), chances)[0], policy=list(enumerate(chances)))


if __name__ == "__main__":
    run(choose, name="house:poker-equilibrium", version="1", states_policies=True, on_hello=require_known_game)
