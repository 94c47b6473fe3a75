"""The time of a bot: `[clock]` in a tournament file counts for all bots, `clock` in `[[bots]]` for one of them."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import UNSET, Meta, Struct, UnsetType, to_builtins
from msgspec.structs import replace

from pitboss.protocol.messages import Clock

DAY_MS: Final = 86_400_000

Milliseconds = Annotated[int, Meta(ge=1, le=DAY_MS)]
StartMs = Annotated[Milliseconds, Meta(description="Milliseconds from the start of the process to its `ready`.")]
DecisionMs = Annotated[Milliseconds, Meta(description="Milliseconds for each decision.")]
GameMs = Annotated[
    Milliseconds, Meta(description="Milliseconds for all decisions of a game together; by default no limit.")
]
IncrementMs = Annotated[
    int, Meta(ge=0, le=DAY_MS, description="Milliseconds added to what is left of game_ms after each decision.")
]
MarginMs = Annotated[
    int, Meta(ge=0, le=DAY_MS, description="Overstepping a limit by no more milliseconds than this is forgiven.")
]


class BotClock(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """[bots.clock]: what is different for one bot; what is not named stays as it is for all."""

    start_ms: StartMs | UnsetType = UNSET
    decision_ms: DecisionMs | UnsetType = UNSET
    game_ms: GameMs | UnsetType = UNSET
    increment_ms: IncrementMs | UnsetType = UNSET
    margin_ms: MarginMs | UnsetType = UNSET

    def apply_to(self, for_all: Clock) -> Clock:
        """Return the clock of the bot in a tournament with this clock."""
        return replace(for_all, **to_builtins(self))

    def __str__(self) -> str:
        """Say what is different: "decision_ms 5000, game_ms 60000"; nothing if nothing is."""
        return ", ".join(f"{name} {value}" for name, value in to_builtins(self).items())
