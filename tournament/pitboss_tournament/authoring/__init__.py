"""What an author of a bot is helped with before it plays: a folder to begin with, and its build."""
