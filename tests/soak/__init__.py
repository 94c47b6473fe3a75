"""Commands that take long: they simulate, kill and load, and judge what they promise (`make soak`)."""

import tests.plugins  # noqa: F401 - a soak that is run as a command finds Magpie
