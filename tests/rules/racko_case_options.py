"""What a case of Rack-O gives: the options it asks for, and its input under the names that are used here."""

from __future__ import annotations

from typing import Final

from msgspec import Struct
from msgspec.structs import asdict

from pitboss import AnyGame
from pitboss.game import resolve_options
from pitboss.options import convert_value
from pitboss_racko.game import Racko
from pitboss_racko.messages import RackoOptions
from tests.rules.case_input import CaseError

GAME: Final = Racko()
RULES: Final[AnyGame] = GAME  # the same as the framework sees it


class RackoCaseOptions(Struct, frozen=True):
    """The options of a case, as written."""

    preset: str | None
    options: dict[str, object]

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

    def resolve_for_rack(self) -> RackoOptions:
        """Return the options for one rack, at no table in particular."""
        if self.preset is not None and self.preset not in GAME.presets:
            raise CaseError(f"there is no preset {self.preset!r}")
        base = asdict(GAME.presets[self.preset]) if self.preset else {}
        return convert_value({**base, **self.options}, RackoOptions, "racko")
