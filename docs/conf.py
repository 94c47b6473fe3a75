"""How the documentation is built: `tox -e docs`, or `sphinx-build -n -W docs OUT`."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from pitboss import __version__

project = "Pitboss"
author = "the Pitboss authors"
version = release = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "docs.generators.extension"]
exclude_patterns = ["generators"]
myst_heading_anchors = 4
smartquotes = False  # "auto" is a value, and --seats an option
autodoc_typehints = "signature"
autodoc_class_signature = "separated"
nitpicky = True
nitpick_ignore_regex = [
    (r"py:.*", r"(?!pitboss).*"),  # other people's documentation is not at hand where this is built
    (r"py:.*", r"pitboss\.(protocol\.(messages|faults)|table\.events)\..*"),  # the protocol reference has what is said
    (r"py:.*", r"pitboss\.(table\.(constraints|information_set|knowledge)|protocol\.connection)\..*"),  # internal
    (r"py:.*", r"pitboss\.(inference\.reconstruction|determinization|parts\.betting\.foreign_hand)\..*"),  # internal
    (r"py:.*", r"pitboss\.foreign\.(world_search|engine_reconstruction)\..*"),  # internal
    (r"py:.*", r"pitboss_engines\.engine_(messages|program)\..*"),  # internal
    (r"py:.*", r"pitboss\.testing\.(framework|stacked_deal)\..*"),  # internal
    (r"py:.*", r"pitboss[\w.]+\.([A-Z]|[A-Z]_\w+|Annotated)"),  # type variables
]
html_theme = "furo"
html_title = f"Pitboss {version}"
html_static_path = ["static"]
html_css_files = ["pitboss.css"]
html_copy_source = False
html_show_copyright = False
html_theme_options = {"navigation_with_keys": True}
