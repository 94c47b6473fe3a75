"""Code reach: the lines of a game's own modules that have run, and those that never have.

From Python 3.12 on `sys.monitoring` records every line of a run (`CodeReach.watch`), which costs nothing after its
first time. `sys.settrace` costs much more, so that before only what runs in certain blocks is recorded
(`CodeReach.record`). Nothing is recorded where a debugger or a measure of coverage uses these.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator, Sequence, Set
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final, NamedTuple, TypeAlias

from pitboss.game import AnyGame

TOOL_IDS: Final = (3, 4)  # of `sys.monitoring`: those without a purpose of their own
_NOT_OF_THE_GAME: Final = {"pitboss", "__main__", *sys.stdlib_module_names}
_HOOK: Final = "pitboss_"  # functions that offer games and bots
_FUNCTION: Final = 0x1 | 0x2  # flags of code that is a function's: optimized, with locals of its own

_Trace: TypeAlias = Callable[[FrameType, str, Any], Any]


class CodeSpan(NamedTuple):
    """Lines of a function that have not run."""

    file: str  # its name
    lines: tuple[int, ...]
    function: str

    def __str__(self) -> str:
        return f"{self.file}:{_format_ranges(self.lines)}, in {self.function}"


class CodeReach:
    """The lines of functions in the modules of a game, and those of them that have not run in a recorded block."""

    def __init__(self, game: AnyGame) -> None:
        self._functions: list[tuple[str, str, frozenset[int]]] = []  # by function: file, name and lines
        self._unreached: dict[str, set[int]] = {}  # by file
        self._done = set[CodeType]()  # functions all of whose lines have run
        self.phases = set[str](getattr(game, "phases", ()))  # and those that the modules name in a turn
        self.names = set[str]()  # of attributes that the modules read, and all text in them
        trees = _read_modules(game)
        at_import = _find_called_at_import(list(trees.values()))
        for file, tree in trees.items():
            self.phases.update(_find_phases(tree))
            self.names.update(_find_names(tree))
            self._add_file(file, tree, at_import)
        self.line_count = sum(map(len, self._unreached.values()))
        self.new_lines = 0  # how many lines have run

    @property
    def unreached_count(self) -> int:
        """How many lines have not run."""
        return sum(map(len, self._unreached.values()))

    def list_unreached(self) -> list[CodeSpan]:
        """Return the lines that have not run, by function."""
        spans = []
        for file, function, lines in self._functions:
            if left := lines & self._unreached[file]:
                spans.append(CodeSpan(Path(file).name, tuple(sorted(left)), function))
        return spans

    @contextmanager
    def watch(self) -> Iterator[None]:
        """Record the lines that run in the block, where that costs next to nothing."""
        if sys.version_info >= (3, 12):
            with self._monitor():
                yield
        else:
            yield

    @contextmanager
    def record(self) -> Iterator[None]:
        """Record the lines that run in the block, where that costs much."""
        if sys.version_info >= (3, 12) or sys.gettrace() is not None:
            yield
            return
        sys.settrace(self._trace_call)
        try:
            yield
        finally:
            sys.settrace(None)

    def _add_file(self, file: str, tree: ast.Module, at_import: Set[str]) -> None:
        self._unreached[file] = set()
        by_name: dict[str, set[int]] = {}  # a comprehension is a part of its function
        for function in _walk_functions(compile(tree, file, "exec")):
            own = {function.co_firstlineno} if not function.co_name.startswith("<") else set()
            by_name.setdefault(function.co_qualname.partition(".<locals>")[0], set()).update(_lines_of(function) - own)
        for name, lines in by_name.items():
            last = name.rpartition(".")[2]
            if not last.startswith((_HOOK, "<")) and last not in at_import:
                self._functions.append((file, name, frozenset(lines)))
                self._unreached[file] |= lines

    def _trace_call(self, frame: FrameType, event: str, arg: object) -> _Trace | None:
        code = frame.f_code
        left = self._unreached.get(code.co_filename)
        if not left or code in self._done:
            return None
        if left.isdisjoint(_lines_of(code)):
            self._done.add(code)
            return None
        frame.f_trace_opcodes = False

        def trace_line(frame: FrameType, event: str, arg: object) -> _Trace:
            if frame.f_lineno in left:
                left.discard(frame.f_lineno)
                self.new_lines += 1
            return trace_line

        return trace_line

    if sys.version_info >= (3, 12):

        @contextmanager
        def _monitor(self) -> Iterator[None]:
            monitoring = sys.monitoring
            tool = next((tool for tool in TOOL_IDS if monitoring.get_tool(tool) is None), None)
            if tool is None:
                yield
                return
            monitoring.use_tool_id(tool, "pitboss check-game")
            monitoring.register_callback(tool, monitoring.events.LINE, self._note_line)
            monitoring.set_events(tool, monitoring.events.LINE)
            monitoring.restart_events()  # those that an earlier record has switched off
            try:
                yield
            finally:
                monitoring.set_events(tool, 0)
                monitoring.register_callback(tool, monitoring.events.LINE, None)
                monitoring.free_tool_id(tool)

        def _note_line(self, code: CodeType, line: int) -> object:
            left = self._unreached.get(code.co_filename)
            if left and line in left:
                left.discard(line)
                self.new_lines += 1
            return sys.monitoring.DISABLE


def _read_modules(game: AnyGame) -> dict[str, ast.Module]:
    """Return by file the modules that define a game and its states, and those of their packages that they import.

    What only a bot of the same package imports is not the game's. A package within another one may hold much else: of
    it only the modules themselves are taken.
    """
    classes = [*type(game).__mro__, *getattr(getattr(game, "state", None), "__mro__", ())]
    waiting = sorted({str(one.__module__) for one in classes})
    packages = {name.partition(".")[0] for name in waiting if name.count(".") == 1}
    seen, trees = set[str](), dict[str, ast.Module]()
    while waiting:
        name = waiting.pop(0)
        file = getattr(sys.modules.get(name), "__file__", None)
        if name in seen or name.partition(".")[0] in _NOT_OF_THE_GAME or not file or not file.endswith(".py"):
            continue
        seen.add(name)
        trees[file] = tree = ast.parse(Path(file).read_text(encoding="utf-8"))
        waiting += [one for one in _list_imports(tree) if one.partition(".")[0] in packages]
    return trees


def _list_imports(tree: ast.Module) -> Iterator[str]:
    """Yield the names of modules that a module imports, and of whatever it imports from them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{one.name}" for one in node.names)
        elif isinstance(node, ast.Import):
            yield from (one.name for one in node.names)


def _walk_functions(code: CodeType) -> Iterator[CodeType]:
    """Yield the code of all functions within this one."""
    for part in code.co_consts:
        if isinstance(part, CodeType):
            if part.co_flags & _FUNCTION == _FUNCTION:
                yield part
            yield from _walk_functions(part)


def _lines_of(code: CodeType) -> set[int]:
    return {line for _, _, line in code.co_lines() if line is not None}


def _find_called_at_import(trees: Sequence[ast.Module]) -> set[str]:
    """Return the names of functions that run while the modules are loaded, as far as their names tell."""
    functions: dict[str, list[ast.AST]] = {}
    called = set[str]()
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                functions.setdefault(node.name, []).append(node)
        called |= _list_calls(tree)
    found, waiting = set[str](), called & functions.keys()
    while waiting:
        name = waiting.pop()
        found.add(name)
        inner = {one for node in functions[name] for child in ast.iter_child_nodes(node) for one in _list_calls(child)}
        waiting |= (inner & functions.keys()) - found
    return found


def _list_calls(tree: ast.AST) -> set[str]:
    """Return the plain names that code calls, or hands to a call, outside of functions that it defines."""
    names, waiting = set[str](), [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Call):
            names.update(one.id for one in (node.func, *node.args) if isinstance(one, ast.Name))
        waiting += [child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.FunctionDef)]
    return names


def _find_phases(tree: ast.AST) -> Iterator[str]:
    """Yield the phases that stand as text in calls of `Turn`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Turn":
            for given in [*node.args[1:2], *(one.value for one in node.keywords if one.arg == "phase")]:
                if isinstance(given, ast.Constant) and isinstance(given.value, str):
                    yield given.value


def _find_names(tree: ast.AST) -> Iterator[str]:
    """Yield the names of attributes, and whatever stands there as text."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _format_ranges(lines: Sequence[int]) -> str:
    """Return ascending numbers as ranges: "88-91, 95"."""
    parts: list[list[int]] = []
    for line in lines:
        if parts and line <= parts[-1][1] + 1:
            parts[-1][1] = line
        else:
            parts.append([line, line])
    return ", ".join(f"{first}-{last}" if first < last else str(first) for first, last in parts)
