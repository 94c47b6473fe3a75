"""The house's bots. What they are called stands in `plugin`, how they play in `__main__`.

This file imports nothing: it is read each time that a bot starts.
"""
