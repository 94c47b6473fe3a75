"""What of the documentation is made from the code: the protocol, the games, the command line.

Plain text in Markdown; `extension` hands it to Sphinx.
"""
