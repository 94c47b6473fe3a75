"""Documentation pages generated from the code: protocol, games, command line, Python reference.

They are Markdown; `extension` gives them to Sphinx.
"""
