"""Bots as processes: their sandbox, their end whatever happens, the time that is billed."""
