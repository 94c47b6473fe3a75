"""The golden cases of the rule books, and what runs them: a module for each game."""
