"""Rummy with another pack than the ordinary one."""

from __future__ import annotations

import pytest

from pitboss import OptionError
from pitboss.options import resolved
from pitboss_rummy.game import Rummy

GAME = Rummy()


def test_a_pack_that_nobody_offers() -> None:
    """It is refused before a card is dealt, and the error says which there are."""
    with pytest.raises(OptionError, match=r"no pack 'piquet' is installed; there are: .*standard"):
        resolved(GAME, 2, None, {"pack": "piquet"})
