"""Bots at a table: the example bots, the house's bots, and bad ones."""
