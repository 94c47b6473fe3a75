"""Second referees: whole matches judged by rules that were written from the rule books, not from the plugins."""
