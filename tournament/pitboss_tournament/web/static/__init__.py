"""Scripts and style sheets of the pages."""
