"""Help for authors of bots: templates, build steps, and references of games."""
