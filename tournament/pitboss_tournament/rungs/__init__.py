"""Rungs: how strong a bot is, by duplicate deals against frozen opponents of known strength."""
