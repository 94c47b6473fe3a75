"""Each Python that starts with this folder in PYTHONPATH shows Pitboss's modules macOS."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))
import system_proxy  # type: ignore[import-not-found]

system_proxy.pretend("macos")
