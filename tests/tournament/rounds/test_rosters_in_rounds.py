"""Who takes part may change between two runs of a format whose rounds depend on results."""

from __future__ import annotations

import pytest

from pitboss.errors import ConfigError
from tests.tournament.paper_store import NAMES, PaperStore, make_field_plan


def test_a_newcomer_of_a_swiss() -> None:
    """A newcomer of a Swiss plays from the next round on; a bot that leaves plays no more, and the games that it began
    are not finished.
    """
    store = PaperStore()
    store.take_up(make_field_plan(NAMES[:4], 2, name="swiss", rounds=4))
    store.play(5)  # of eight games of the first round
    store.take_up(make_field_plan(NAMES[:5], 2, name="swiss", rounds=4))
    assert [roster.first_round for roster in store.header.rosters] == [1, 2]
    store.play_round()
    assert len(store.games) == 8
    assert all(4 not in slot.entrants for slot in store.games.values())

    store.take_up(make_field_plan([*NAMES[:3], "eve"], 2, name="swiss", rounds=4))  # dan leaves before it begins
    assert [roster.first_round for roster in store.header.rosters] == [1, 2]
    progress = store.play()
    later = [slot for slot in store.games.values() if slot.game_id >= 8]
    assert {bot for slot in later for bot in slot.entrants} == {0, 1, 2, 4}
    assert progress.ranking is not None
    assert sorted(progress.ranking) == [0, 1, 2, 3, 4]
    assert store.follow().rounds_begun == 4
    with pytest.raises(ConfigError, match="all rounds of the format 'swiss' have been played"):
        store.take_up(make_field_plan(NAMES[:6], 2, name="swiss", rounds=4))


def test_who_leaves_a_round_in_the_middle() -> None:
    """The blocks that were complete when a bot left in the middle of a round count; a resumed run sends the format the
    same.
    """
    store = PaperStore()
    store.take_up(make_field_plan(NAMES[:4], 3, name="swiss", rounds=3))
    table = store.follow().scheduled_game(0).entrants
    store.play(3)  # a block of the first table and half of another
    store.take_up(make_field_plan([name for name in NAMES[:4] if name != NAMES[table[0]]], 3, name="swiss", rounds=3))
    store.play()

    assert sum(table[0] in slot.entrants for slot in store.games.values()) == 3
    assert store.follow().rounds_begun == 3


def test_who_comes_back_to_a_swiss() -> None:
    """A bot that comes back to a Swiss is paired again."""
    store = PaperStore()
    plan = make_field_plan(NAMES[:4], 1, name="swiss", rounds=4)
    store.take_up(plan)
    store.play_round()
    store.take_up(make_field_plan([*NAMES[:2], NAMES[3]], 1, name="swiss", rounds=4))
    store.play_round()
    first = max(store.games) + 1
    store.take_up(plan)
    store.play()

    assert any(2 in slot.entrants for slot in store.games.values() if slot.game_id >= first)


def test_a_knockout_takes_nobody_in() -> None:
    """A knockout takes no bot in, and says why; a bot that leaves is beaten."""
    store = PaperStore()
    store.take_up(make_field_plan(NAMES[:4], 1, name="knockout"))
    store.play_round()

    with pytest.raises(ConfigError, match=r"eve cannot join: .* takes no newcomers: whoever is left has won matches"):
        store.take_up(make_field_plan(NAMES[:5], 1, name="knockout"))
    store.take_up(make_field_plan(NAMES[:3], 1, name="knockout"))
    assert store.play().ranking is not None


def test_a_newcomer_of_settle_meets_all_others() -> None:
    """A newcomer of `settle` meets all others in a round of its own, after which it is ranked as they are."""
    store = PaperStore()
    store.take_up(make_field_plan(NAMES[:4], 2, name="settle", games=400))
    store.play_round()
    first = max(store.games) + 1
    store.take_up(make_field_plan(NAMES[:6], 2, name="settle", games=400))
    store.play_round()
    store.play_round()

    met = {frozenset(slot.entrants) for slot in store.games.values() if slot.game_id >= first}
    assert met >= {frozenset((one, other)) for one in (4, 5) for other in range(6) if one != other}
    ranking = store.play().ranking
    assert ranking is not None
    assert sorted(ranking) == [0, 1, 2, 3, 4, 5]
