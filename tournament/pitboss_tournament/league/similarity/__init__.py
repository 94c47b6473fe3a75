"""Similarity in a league: bots of different owners whose sources or answers are more alike than is usual."""
