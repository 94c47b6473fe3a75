"""The scores of the teams of a stored tournament of a cooperative game, and what they tell of each two bots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pitboss.errors import ConfigError
from pitboss.plugins.formats import PlayedBlock
from pitboss_tournament.statistics.blocks import Block, score_block
from pitboss_tournament.statistics.teams import TeamBlocks, TeamScores, team_points
from pitboss_tournament.store.header import Header
from pitboss_tournament.store.store import Store


def read_team_scores(store: Store) -> TeamScores | None:
    """Return the points of the teams of a cooperative game; None of any other game."""
    header = store.header
    if not header.is_cooperative:
        return None
    return TeamScores(store.results(with_times=False), header.block_games, has_same_deals=header.same_deals)


def compare_stored_teams(header: Header, blocks: Sequence[Block], span: float) -> Iterator[PlayedBlock]:
    """Yield for each deal the scores of each pair of bots, by the points of their teams: see `TeamBlocks`.

    Raises:
        ConfigError: the teams did not play the same deals.
    """
    if not header.same_deals:
        raise ConfigError(
            f"in {header.game} all seats play together: bots are compared by the points of their teams on the same "
            "deals, and these teams played deals of their own; -s same_deals=true deals all the same"
        )
    teams = [[seat.entrant for seat in block[0].seats] for block in blocks]
    gathered = TeamBlocks(teams, span)
    for block, team in sorted(zip(blocks, teams, strict=True), key=lambda one: one[0][0].deal):
        yield from gathered.add(team, block[0].deal, team_points(score_block(block, header.sides)))
