"""The pages and routes of a league."""
