"""Another source for a module that is loaded already, or that is still to be loaded.

Where only bodies of functions differ, the code of the living functions is exchanged: every reference to them sees the
mistake, whoever imported them. Constants, defaults and class bodies were evaluated when the module was loaded: there
the module must be loaded anew, in a process that has not loaded it.
"""

import gc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Callable, Sequence
from types import CodeType, FunctionType, ModuleType
from typing import Any

Key = tuple[tuple[str, int], ...]
PACKAGES = ("tabular_krope", "proofs_check", "deep", "figures", "krope")
COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")


def changed_function(old: str, new: str) -> Key | None:
    """Where the outermost function stands whose body holds every difference; None if there is none.

    >>> changed_function("def f(a=1):\\n    return 2\\n", "def f(a=1):\\n    return 3\\n")
    (('f', 0),)
    >>> changed_function("def f(a=1):\\n    return 2\\n", "def f(a=2):\\n    return 2\\n")
    """
    before, after = _codes(compile(old, "f", "exec")), _codes(compile(new, "f", "exec"))
    if before.keys() != after.keys():
        return None
    differing = [key for key in before if _own(before[key]) != _own(after[key])]
    outermost = {_outermost(key, before) for key in differing}
    return outermost.pop() if len(outermost) == 1 else None


def swap(file: str, old: str, new: str) -> int:
    """Exchange the code of the living functions of a file; how many were exchanged."""
    top = changed_function(old, new)
    if top is None:
        return 0
    before, after = _codes(compile(old, file, "exec")), _codes(compile(new, file, "exec"))
    keys = {(code.co_qualname, code.co_firstlineno): key for key, code in before.items() if key[: len(top)] == top}
    done = 0
    for function in gc.get_objects():
        if type(function) is FunctionType and function.__code__.co_filename == file:
            code = function.__code__
            key = keys.get((code.co_qualname, code.co_firstlineno))
            if key is not None and code.co_freevars == after[key].co_freevars:
                function.__code__ = after[key]
                done += 1
    return done


class Sources:
    """A finder that compiles modules of our packages from what ``code(file)`` returns, where it returns something."""

    def __init__(self, code: Callable[[str], Any]) -> None:
        self.code = code

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """The spec of a module, with a loader that asks first."""
        if name.partition(".")[0] not in PACKAGES:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is None or not (spec.origin or "").endswith(".py"):
            return spec
        spec.loader = _Loader(name, spec.origin, self.code)
        return spec

    def install(self) -> None:
        """Ask this finder first."""
        sys.meta_path.insert(0, self)


class _Loader(importlib.machinery.SourceFileLoader):
    def __init__(self, name: str, path: str, code: Callable[[str], Any]) -> None:
        super().__init__(name, path)
        self.other = code

    def get_code(self, fullname: str) -> CodeType | None:
        found = self.other(self.path)
        return super().get_code(fullname) if found is None else compile(found, self.path, "exec", dont_inherit=True)


def _codes(code: CodeType, key: Key = ()) -> dict[Key, CodeType]:
    """A code and those inside it, by their names and their place among those of the same name."""
    out, seen = {key: code}, dict[str, int]()
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            place = seen.setdefault(constant.co_name, 0)
            seen[constant.co_name] += 1
            out |= _codes(constant, (*key, (constant.co_name, place)))
    return out


def _own(code: CodeType) -> tuple[object, ...]:
    """What a code does by itself, without the codes inside it; 1, 1.0 and True are different."""
    constants = tuple(repr(c) for c in code.co_consts if not isinstance(c, CodeType))
    return code.co_code, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars, constants


def _outermost(key: Key, codes: dict[Key, CodeType]) -> Key | None:
    """The first part of a key that is a function; None if it is a comprehension or there is none."""
    for length in range(1, len(key) + 1):
        code = codes[key[:length]]
        if code.co_flags & 1:  # optimized: neither a module nor a class body
            return None if code.co_name in COMPREHENSIONS else key[:length]
    return None
