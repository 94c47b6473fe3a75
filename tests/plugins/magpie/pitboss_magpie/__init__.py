"""Magpie: the small game of the tests, as a plugin."""
