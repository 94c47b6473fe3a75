"""`python -m pitboss_tournament.cli` is `pitboss`."""

from __future__ import annotations

from pitboss_tournament.cli import main

if __name__ == "__main__":
    main()
