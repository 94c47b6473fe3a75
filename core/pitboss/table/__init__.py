"""The table: cards, zones, turns, what each seat knows, and the log of what happened."""
