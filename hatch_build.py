"""Build hook: compiles the modules in which games and decisions spend their time, for wheels of one platform.

It is off unless the environment has HATCH_BUILD_HOOK_ENABLE_CUSTOM=1; all distributions of this repository share it.
Cython compiles the sources as they are. They stay in the wheel beside the compiled modules: tracebacks show their
lines, and type checkers read them.
"""

from __future__ import annotations

import os
import shutil
import sysconfig
from collections.abc import Iterator, Sequence
from contextlib import chdir
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any, Final

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SUFFIX: Final = str(sysconfig.get_config_var("EXT_SUFFIX"))
COMPILED: Final = (  # paths in the wheel
    "pitboss/determinization/*.py",
    "pitboss/protocol/connection.py",
    "pitboss/table/*.py",
    "pitboss/table_game.py",
    "pitboss_house_bots/*.py",
    "pitboss_lucky_maker/*.py",
    "pitboss_racko/*.py",
    "pitboss_ragamaru/*.py",
    "pitboss_rummy/*.py",
    "pitboss_tournament/playing/bank_clock.py",
    "pitboss_tournament/playing/bot_*.py",
    "pitboss_tournament/playing/match.py",
    "pitboss_tournament/processes/bot_process.py",
    "pitboss_tournament/processes/clocks.py",
    "pitboss_tournament/processes/cpu.py",
    "pitboss_tournament/processes/logs.py",
)
LEFT_OUT: Final = (  # names of files: data, programs, hooks (pluggy finds no compiled function), what runs once a game
    "__init__.py",
    "__main__.py",
    "bot.py",
    "card_placement.py",
    "legend.py",
    "messages.py",
    "options.py",
    "plugin.py",
    "position*.py",
    "rendering.py",
    "zone_fields.py",
)
DIRECTIVES: Final = {"language_level": 3, "annotation_typing": False}  # annotations would forbid subclasses of int


class CompiledModules(BuildHookInterface[BuilderConfig]):
    """Adds compiled modules to a wheel; an editable installation has none."""

    def dependencies(self) -> list[str]:
        """Return what the build needs beside hatchling."""
        return ["cython>=3.3", "setuptools"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the modules, and add them to the files of the wheel."""
        if version == "editable":
            return
        self._folder = TemporaryDirectory(prefix="pitboss-compiled-")
        folder = Path(self._folder.name)
        included = self.build_config.builder.recurse_included_files()
        sources = {file.distribution_path: file.path for file in included if file.distribution_path.endswith(".py")}
        for path, source in sources.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, folder / path)
        compile_modules(folder, sorted(filter(is_compiled, sources)))
        build_data["force_include"] |= {
            str(made): made.relative_to(folder).as_posix() for made in find_compiled(folder)
        }
        build_data["pure_python"], build_data["infer_tag"] = False, True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the compiled modules, which are in the wheel."""
        if version != "editable":
            self._folder.cleanup()


def is_compiled(path: str) -> bool:
    """Return whether a source, by its path in the wheel, is compiled."""
    name = PurePosixPath(path).name
    return any(fnmatchcase(path, pattern) for pattern in COMPILED) and not any(
        fnmatchcase(name, pattern) for pattern in LEFT_OUT
    )


def find_compiled(folder: Path) -> Iterator[Path]:
    """Yield the compiled modules in a folder."""
    return folder.rglob(f"*{SUFFIX}")


def compile_modules(folder: Path, paths: Sequence[str]) -> None:
    """Compile modules where they are. Tracebacks name them by `paths`, which are relative to `folder`."""
    from Cython.Build import cythonize  # a dependency of this build alone
    from setuptools import Distribution, Extension

    workers = os.cpu_count() or 1
    modules = [
        Extension(path.removesuffix(".py").replace("/", "."), [path], extra_compile_args=["-g0"]) for path in paths
    ]
    with chdir(folder):
        built = cythonize(modules, nthreads=workers, compiler_directives=DIRECTIVES, quiet=True)
        command = Distribution({"ext_modules": built}).get_command_obj("build_ext")
        command.inplace, command.parallel = True, workers
        command.ensure_finalized()
        command.run()
