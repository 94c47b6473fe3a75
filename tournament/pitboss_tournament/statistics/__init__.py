"""The statistics: what the games of a tournament prove, and how surely. Pure functions of results, without I/O.

Scores, means over blocks, ratings, pairs of bots, sequential tests, sample sizes and variance reduction.
"""
