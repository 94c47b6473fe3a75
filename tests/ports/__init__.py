"""Programs of other frameworks at Pitboss's tables, beside the loops of these frameworks: `tox -e ports`."""
