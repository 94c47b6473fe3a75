"""Build hook: compiles the modules in which games and decisions spend their time, for wheels of one platform.

It is off unless the environment has HATCH_BUILD_HOOK_ENABLE_CUSTOM=1; all distributions of this repository share it.
Cython compiles the sources as they are; of a class with `__slots__` it makes a C struct. The sources stay in the wheel
beside the compiled modules: tracebacks show their lines, and type checkers read them.

Nobody needs compiled wheels (docs/speed.md). Cython, driven by setuptools, makes them: it compiles the sources as they
are, and its modules need no library when they run. mypyc was tried: it needs decorators in the sources and a library at
run time, it crashes on some of our named tuples, and it cannot make a copy without `__init__`. The dataclasses of
states would stay uncompiled. hatch-cython would be one more dependency for some thirty lines.
"""

from __future__ import annotations

import ast
import os
import shutil
import sysconfig
from collections.abc import Iterator, Mapping, Sequence
from contextlib import chdir
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeAlias

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SlottedClass: TypeAlias = tuple[str, str]  # its module and its name

SUFFIX: Final = str(sysconfig.get_config_var("EXT_SUFFIX"))
COMPILED: Final = (  # paths in the wheel
    "pitboss/determinization/*.py",
    "pitboss/learning/alphabet.py",
    "pitboss/learning/batch.py",
    "pitboss/learning/batch_rows.py",
    "pitboss/learning/observation.py",
    "pitboss/learning/spelling.py",
    "pitboss/learning/view_fields.py",
    "pitboss/parts/*.py",
    "pitboss/parts/betting/*.py",
    "pitboss/protocol/connection.py",
    "pitboss/table/*.py",
    "pitboss/table_game.py",
    "pitboss_house_bots/*.py",
    "pitboss_bridge/*.py",
    "pitboss_cribbage/*.py",
    "pitboss_dou_dizhu/*.py",
    "pitboss_eights/*.py",
    "pitboss_euchre/*.py",
    "pitboss_fireworks/*.py",
    "pitboss_gin_rummy/*.py",
    "pitboss_hearts/*.py",
    "pitboss_lucky_maker/*.py",
    "pitboss_oh_hell/*.py",
    "pitboss_poker/*.py",
    "pitboss_racko/*.py",
    "pitboss_ragamaru/*.py",
    "pitboss_rummy/*.py",
    "pitboss_spades/*.py",
    "pitboss_tournament/match/bot_*.py",
    "pitboss_tournament/match/match.py",
    "pitboss_tournament/processes/bot_process.py",
    "pitboss_tournament/processes/clocks.py",
    "pitboss_tournament/processes/cpu.py",
    "pitboss_tournament/processes/logs.py",
)
LEFT_OUT: Final = (  # names of files: data, programs, hooks (pluggy finds no compiled function), what runs once a game
    "__init__.py",
    "__main__.py",
    "bot.py",
    "equilibrium*.py",
    "phh_*.py",
    "messages.py",
    "*plugin.py",
    "position*.py",
    "solver.py",
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
    from setuptools import Distribution  # a dependency of this build alone

    with chdir(folder):
        command = Distribution({"ext_modules": translate_modules(folder, paths)}).get_command_obj("build_ext")
        command.inplace, command.parallel = True, os.cpu_count() or 1
        command.ensure_finalized()
        command.run()


def translate_modules(folder: Path, paths: Sequence[str]) -> list[Any]:
    """Write the C of modules beside them; return their extensions, as setuptools compiles them."""
    from Cython.Build import cythonize  # dependencies of this build alone
    from setuptools import Extension

    sources = {path.removesuffix(".py").replace("/", "."): folder / path for path in paths}
    for name, text in declare_structs({name: file.read_text(encoding="utf-8") for name, file in sources.items()}):
        sources[name].with_suffix(".pxd").write_text(text, encoding="utf-8")
    modules = [Extension(name, [path], extra_compile_args=["-g0"]) for name, path in zip(sources, paths, strict=True)]
    with chdir(folder):
        translated: list[Any] = cythonize(
            modules, nthreads=os.cpu_count() or 1, compiler_directives=DIRECTIVES, quiet=True
        )
    return translated


def declare_structs(sources: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the modules that have classes with `__slots__`, and the declarations that make C structs of these.

    A class whose base is none of them stays a Python class.
    """
    trees = {module: ast.parse(source) for module, source in sources.items()}
    slotted = {
        (module, node.name): (find_slots(node), find_base(module, tree, node))
        for module, tree in trees.items()
        for node in tree.body
        if isinstance(node, ast.ClassDef) and find_slots(node)
    }
    while others := [one for one, (_, base) in slotted.items() if base is not None and base not in slotted]:
        for one in others:
            del slotted[one]
    for module in trees:
        lines = []
        for (home, name), (slots, base) in slotted.items():
            if home == module:
                if base is not None and base[0] != module:
                    lines.append(f"from {base[0]} cimport {base[1]}")
                lines.append(f"cdef class {name}{f'({base[1]})' if base else ''}:")
                lines.append(f"    cdef public object {', '.join(slots)}")
        if lines:
            yield module, "\n".join([*lines, ""])


def find_slots(node: ast.ClassDef) -> tuple[str, ...]:
    """Return the names written as `__slots__` of a class, () if there are none."""
    for line in node.body:
        if isinstance(line, ast.Assign) and ast.unparse(line.targets[0]) == "__slots__":
            return tuple(one.value for one in getattr(line.value, "elts", ()))
    return ()


def find_base(module: str, tree: ast.Module, node: ast.ClassDef) -> SlottedClass | None:
    """Return the base of a class, None if it has none; several bases count as one that is unknown."""
    if not node.bases:
        return None
    base = ", ".join(map(ast.unparse, node.bases))
    for line in tree.body:
        if isinstance(line, ast.ImportFrom) and base in [alias.name for alias in line.names]:
            return line.module or "", base
    return module, base
