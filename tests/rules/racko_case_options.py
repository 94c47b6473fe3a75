"""What a case of Rack-O gives: the options it asks for, and its input under the names that are used here."""

from __future__ import annotations

from typing import Final

from msgspec import Struct
from msgspec.structs import asdict, replace

from pitboss import AnyGame
from pitboss.game import resolve_options
from pitboss.options import convert_value
from pitboss_racko.game import Racko
from pitboss_racko.options import RackoOptions
from tests.rules.case_input import CaseError

GAME: Final = Racko()
RULES: Final[AnyGame] = GAME  # the same as the framework sees it
OPTION_NAMES: Final = set(RackoOptions.__struct_fields__)


class RackoCaseOptions(Struct, frozen=True):
    """The options of a case, as written.

    `expects_error` if the case is about their being wrong, `next_deal` if about what follows the round.
    """

    preset: str | None
    options: dict[str, object]
    expects_error: bool = False
    next_deal: bool = False

    def resolve(self, players: int | None, **unless_given: object) -> RackoOptions:
        """Return the options for a table; `unless_given` are options to add where the case is silent.

        Raises:
            OptionError: they are not allowed.
            CaseError: the case does not say how many play.
        """
        if players is None:
            raise CaseError("in.players is missing: how many play?")
        given = {name: value for name, value in self.options.items() if name not in unless_given or value is not None}
        options: RackoOptions = resolve_options(GAME, players, self.preset, {**unless_given, **given})
        return options

    def resolve_one_round(self, players: int | None) -> tuple[RackoOptions, RackoOptions]:
        """Return the options to play one round with, and those that the case wrote.

        Unless the case says otherwise the game ends with the round. So a case about a void round need not write the
        `max_rounds` that a whole game would need; but an error that the case expects is left to happen.
        """
        if self.expects_error or self.options.get("max_rounds") is not None:
            options = self.resolve(players)
            return options, options
        options = self.resolve(players, max_rounds=1)
        return options, replace(options, max_rounds=None)

    def resolve_for_rack(self) -> RackoOptions:
        """Return the options for one rack, at no table in particular."""
        if self.preset is not None and self.preset not in GAME.presets:
            raise CaseError(f"there is no preset {self.preset!r}")
        base = asdict(GAME.presets[self.preset]) if self.preset else {}
        return convert_value({**base, **self.options}, RackoOptions, "racko")
