"""Determinization: worlds that a seat cannot tell from the real table, sampled from its information set."""
