"""Elements of a page, charts and numbers, for the report, the site and the pages of a league."""
