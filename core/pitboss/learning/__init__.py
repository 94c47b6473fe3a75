"""Learning: any game as numbers for machine learning, in fixed actions, observations and rewards.

`learning_game.prepare_game` is the way in; `batch` steps many games together, and is the only module that needs numpy.
"""
