"""The house bots. `plugin` has their names, `__main__` how they play.

This file imports nothing: it is read each time that a bot starts.
"""
