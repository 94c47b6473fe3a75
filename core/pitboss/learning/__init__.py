"""Learning: any game as numbers for machine learning, in fixed actions, observations and rewards.

`learning_game.prepare_game` is the way in; `batch` steps many games together. It and `batch_rows` alone need numpy.
"""
