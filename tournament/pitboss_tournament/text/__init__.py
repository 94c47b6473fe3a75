"""Text: safe on any terminal, cut to a width, in the words that several folders share."""
