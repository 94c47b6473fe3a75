"""What verified games prove: which bots are repeatable, and which machine does not play as this one does.

A game that is played again here comes out otherwise either because the machine lies, or is broken, or because a bot
does not answer alike each time. So a bot's answers are held against a machine only if they are *repeatable*: this
machine has played the same games `PLAYS_HERE` times and has had the same answers each time, and `SHOWN_GAMES` games of
the bot came out alike on another machine and here. A bot that draws lots in a game is as likely to be the odd one out
here as there. So the odds are at least `PLAYS_HERE` to 1 against its being so there, and in each of `CONDEMNING_GAMES`
games.

A bot may also answer alike on one machine and otherwise on another (it computes with another processor's rounding, or
looks for the machine's name). It is not believed if its games differ on more machines than they are alike on, this one
among them.

What the rules alone decide (cards, outcome, points of the same decisions) needs no bot: one such game is a proof.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from typing import Final, NamedTuple

PLAYS_HERE: Final = 5  # of a game that came out otherwise on another machine, the first one included
CONDEMNING_GAMES: Final = 3  # of repeatable bots, that came out otherwise on a machine
SHOWN_GAMES: Final = 3  # of a bot, that came out alike on another machine and here


class MachineDiffers(NamedTuple):
    """A machine that plays otherwise than this one."""

    machine: str
    game_id: int
    text: str  # what differs


class BotDiffers(NamedTuple):
    """A game in which a bot answered otherwise on another machine than each time here."""

    bot: str
    found: MachineDiffers


class VerifiedGames:
    """The games of other machines that were played again here, over a whole run."""

    def __init__(self) -> None:
        self.unsteady = set[str]()  # bots that do not answer alike: their games are not verified, on any machine
        self._alike: defaultdict[str, Counter[str]] = defaultdict(Counter)  # games by bot and machine
        self._differences: defaultdict[str, list[BotDiffers]] = defaultdict(list)  # by machine
        self._proofs: dict[str, MachineDiffers] = {}  # by machine: a game that is against the rules

    def add_alike(self, machine: str, bots: Collection[str]) -> None:
        """Count a game that came out alike there and here."""
        for bot in bots:
            self._alike[bot][machine] += 1

    def add_difference(self, difference: BotDiffers) -> None:
        """Count a game in which a bot answered otherwise there, and alike each time here."""
        self._differences[difference.found.machine].append(difference)

    def add_proof(self, found: MachineDiffers) -> None:
        """Take it that a machine does not keep to the rules."""
        self._proofs[found.machine] = found

    def add_unsteady(self, bot: str) -> None:
        """Take it that a bot does not answer alike: what its games seemed to show of any machine counts no more."""
        self.unsteady.add(bot)

    def is_suspect(self, machine: str) -> bool:
        """Tell whether games of a machine came out otherwise, so that all that it plays is verified."""
        return any(self._list_differences(machine))

    def find_verdict(self, machine: str) -> MachineDiffers | None:
        """Return the game by which a machine is condemned, None if it is not (any more)."""
        if machine in self._proofs:
            return self._proofs[machine]
        found = [one.found for one in self._list_differences(machine) if self._is_credible(one.bot)]
        return found[0] if len(found) >= CONDEMNING_GAMES else None

    def find_condemned(self) -> Iterator[MachineDiffers]:
        """Yield the game by which each machine is condemned that is."""
        for machine in dict.fromkeys((*self._proofs, *self._differences)):
            if verdict := self.find_verdict(machine):
                yield verdict

    def describe_doubts(self) -> Iterator[str]:
        """Yield a sentence for each machine whose games came out otherwise, and which is not condemned."""
        for machine in self._differences:
            differences = list(self._list_differences(machine))
            if differences and not self.find_verdict(machine):
                bots = sorted({one.bot for one in differences})
                numbers = ", ".join(str(one.found.game_id) for one in differences[:CONDEMNING_GAMES])
                yield (
                    f"on {machine} {' and '.join(bots)} answered otherwise than here, in games such as {numbers}: the "
                    "machine may lie, or the bots may answer otherwise on other machines; the games count"
                )

    def _list_differences(self, machine: str) -> Iterator[BotDiffers]:
        return (one for one in self._differences.get(machine, ()) if one.bot not in self.unsteady)

    def _is_credible(self, bot: str) -> bool:
        alike = self._alike[bot]
        differing = {machine for machine, found in self._differences.items() if any(one.bot == bot for one in found)}
        agreeing = {machine for machine, games in alike.items() if games >= SHOWN_GAMES} - differing
        return alike.total() >= SHOWN_GAMES and len(differing) <= 1 + len(agreeing)
