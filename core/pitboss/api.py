"""What plugins, bots and other programs can build on: the modules whose public names are promised, and for how long.

Public are the names in a module's `__all__`, or else those that the module defines and that begin with no underscore.
The version of the promise is that of Pitboss (`pitboss.__version__`), by semantic versioning:

* `stable`: a name, and what it means, stays until a new major version. Before version 1.0 a new minor version may move
  or change one; a name that moves works for one more minor version, and warns where it is now (`moved_modules`).
* `provisional`: a new minor version may change a name; the changelog says what to change in a plugin.
* All other modules are internal, and change at any time.

docs/api.md lists the names. A test compares this page with the modules, so that no name comes or goes unseen.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

Level: TypeAlias = Literal["stable", "provisional"]

LEVELS: Final[Mapping[str, Level]] = {
    "pitboss": "stable",
    "pitboss.action_range": "stable",
    "pitboss.api": "stable",
    "pitboss.bot": "stable",
    "pitboss.errors": "stable",
    "pitboss.game": "stable",
    "pitboss.moments": "stable",
    "pitboss.options": "stable",
    "pitboss.outcome": "stable",
    "pitboss.parts.deals": "stable",
    "pitboss.parts.suits": "stable",
    "pitboss.parts.tricks": "stable",
    "pitboss.plugins.formats": "stable",
    "pitboss.plugins.hookspec": "stable",
    "pitboss.plugins.packs": "stable",
    "pitboss.records.notation": "stable",
    "pitboss.records.record": "stable",
    "pitboss.rendering.appearance": "stable",
    "pitboss.table.cards": "stable",
    "pitboss.table.randomness": "stable",
    "pitboss.table.secret_table": "stable",
    "pitboss.table.secrets": "stable",
    "pitboss.table.table": "stable",
    "pitboss.table.turns": "stable",
    "pitboss.table.zone_fields": "stable",
    "pitboss.table.zones": "stable",
    "pitboss.table_game": "stable",
    "pitboss.testing": "stable",
    "pitboss.determinization.sampling": "provisional",
    "pitboss.foreign.engine": "provisional",
    "pitboss.foreign.engine_game": "provisional",
    "pitboss.foreign.engine_state": "provisional",
    "pitboss_engines.process_engine": "provisional",
    "pitboss.inference.state_tracker": "provisional",
    "pitboss.learning.alphabet": "provisional",
    "pitboss.learning.batch": "provisional",
    "pitboss.learning.learning_game": "provisional",
    "pitboss.learning.observation": "provisional",
    "pitboss.learning.rewards": "provisional",
    "pitboss.learning.spelling": "provisional",
    "pitboss.loadouts": "provisional",
    "pitboss.open_actions": "provisional",
    "pitboss.parts.auction": "provisional",
    "pitboss.parts.betting.acts": "provisional",
    "pitboss.parts.betting.betting_state": "provisional",
    "pitboss.parts.betting.board_state": "provisional",
    "pitboss.parts.betting.game": "provisional",
    "pitboss.parts.betting.high_hands": "provisional",
    "pitboss.parts.betting.messages": "provisional",
    "pitboss.parts.betting.named_cards": "provisional",
    "pitboss.parts.betting.phh_reading": "provisional",
    "pitboss.parts.betting.phh_writing": "provisional",
    "pitboss.parts.betting.pots": "provisional",
    "pitboss.parts.betting.rankings": "provisional",
    "pitboss.parts.betting.variant": "provisional",
    "pitboss.parts.climbing": "provisional",
    "pitboss.parts.decks": "provisional",
    "pitboss.parts.melds": "provisional",
    "pitboss.parts.shown_melds": "provisional",
    "pitboss.parts.stock": "provisional",
    "pitboss.parts.trick_estimate": "provisional",
    "pitboss.parts.trick_match": "provisional",
    "pitboss.parts.trick_position": "provisional",
    "pitboss.parts.trick_reading": "provisional",
    "pitboss.parts.trick_rendering": "provisional",
    "pitboss.plugins.registry": "provisional",
    "pitboss.plugins.rungs": "provisional",
    "pitboss.records.frames": "provisional",
    "pitboss.records.luck": "provisional",
    "pitboss.rendering.instruments": "provisional",
    "pitboss.rendering.model_words": "provisional",
    "pitboss.rendering.presentation": "provisional",
    "pitboss.rendering.table_text": "provisional",
    "pitboss.simulation.chance": "provisional",
    "pitboss.simulation.random_play": "provisional",
    "pitboss.table.position_setup": "provisional",
    "pitboss.text": "provisional",
}
