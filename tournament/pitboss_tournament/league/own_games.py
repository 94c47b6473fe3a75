"""The games of an owner's bots: which of them are meant, and their records as the owner may have them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated, Final, Literal, NamedTuple, TypeAlias

from msgspec import Meta, Struct

from pitboss.game import AnyGame
from pitboss.loadouts import takes_loadouts
from pitboss.options import convert_value
from pitboss_tournament.plan.names import clean_name
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.store.header import Header

GameResultFilter: TypeAlias = Literal["", "won", "lost"]
MaySee: TypeAlias = Callable[[str], bool]  # of an owner
IsWanted: TypeAlias = Callable[[GameResult], bool]

LONGEST_FILTER: Final = 200  # characters of a name


class GameFilter(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A choice among the games of an owner: by bot and version, result, opponent, deal and faults."""

    bot: Annotated[str, Meta(max_length=LONGEST_FILTER)] = ""
    version: Annotated[int, Meta(ge=1)] | None = None
    result: GameResultFilter = ""  # won: the bot was first, alone or with others; lost: somebody was before it
    faults: bool = False  # only games in which the bot committed a fault
    opponent: Annotated[str, Meta(max_length=LONGEST_FILTER)] = ""
    deal: Annotated[int, Meta(ge=0)] | None = None  # the number of a game: all games of its deal

    def make_test(self, header: Header, may_see: MaySee) -> IsWanted:
        """Return what tells of a result whether it is meant; the deal aside. `may_see` tells whose bots are meant."""
        own = {
            number
            for number, entry in enumerate(header.entries)
            if may_see(entry.about.owner)
            and (not self.bot or _fold_name(entry.name) == _fold_name(self.bot))
            and self.version in (None, entry.version)
        }
        others = {
            number for number, entry in enumerate(header.entries) if _fold_name(entry.name) == _fold_name(self.opponent)
        }

        def is_wanted(result: GameResult) -> bool:
            return any(
                seat.entrant in own
                and (not self.faults or bool(seat.fault or seat.substituted))
                and (self.result == "" or (seat.place == 1) == (self.result == "won"))
                and (not self.opponent or any(one.entrant in others for one in result.seats if one is not seat))
                for seat in result.seats
            )

        return is_wanted

    def list_fields(self) -> dict[str, str]:
        """Return the fields of an address that means this filter."""
        said = {"bot": self.bot, "result": self.result, "opponent": self.opponent}
        numbers = {"version": self.version, "deal": self.deal}
        return {
            **{key: text for key, text in said.items() if text},
            **{key: f"{number}" for key, number in numbers.items() if number is not None},
            **({"faults": "yes"} if self.faults else {}),
        }


class GameRecords(NamedTuple):
    """Records of finished games as `pitboss export` writes them, the earliest first."""

    text: bytes
    games: int
    before: int | None  # earlier ones have numbers below this; None: there are none
    withheld: str = ""  # why none are given


def find_withholding(header: Header, game: AnyGame) -> str:
    """Return why the records of a league are given to nobody; "" if they are given to the owners of bots in them."""
    if not header.seals_deals:
        return (
            "this league was begun by an earlier Pitboss, whose records would tell the cards of games to come: they "
            "are given to nobody; the replays are shown"
        )
    if hides_loadouts(game, header.options):
        return (
            "a record has what each seat brought to the game, which others are not to know: records are given to "
            "nobody; the replays are shown"
        )
    return ""


def hides_loadouts(game: AnyGame, options: object) -> bool:
    """Whether seats bring something to a game that others are not told; `options` are plain data."""
    options_type, name = game.Options, game.name
    return takes_loadouts(game) and game.loadout_sight(convert_value(options, options_type, name)) == "hidden"


def list_own_bots(header: Header | None, may_see: MaySee) -> Iterator[str]:
    """Yield the names of the bots that are somebody's, each once."""
    entries = () if header is None else header.entries
    yield from dict.fromkeys(entry.name for entry in entries if may_see(entry.about.owner))


def _fold_name(name: str) -> str:
    return clean_name(name).casefold()
