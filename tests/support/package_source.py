"""The source of a package as the layer contract sees it: its imports and its reaches into private attributes."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple


class Import(NamedTuple):
    """One import of a module of the package, or of another package."""

    module: str
    target: str
    line: int
    deferred: bool  # inside a function, or seen by type checkers only


class Reach(NamedTuple):
    """An access to a private attribute of something that is neither ``self`` nor ``cls``."""

    module: str
    expression: str
    name: str
    line: int


# The private names that named tuples and notebooks define for others to use.
PUBLIC_IN_SPITE_OF_THE_UNDERSCORE = {"_replace", "_asdict", "_make", "_fields", "_repr_html_"}


class Package:
    """All modules below a folder, parsed; ``homes`` tells in which module a name of the package itself is defined."""

    def __init__(self, folder: Path, homes: Mapping[str, str] | None = None) -> None:
        self._homes = {f"{folder.name}.{name}": home for name, home in (homes or {}).items()}
        self.trees: dict[str, ast.Module] = {}
        self._packages: set[str] = set()
        for path in sorted(folder.rglob("*.py")):
            parts = path.relative_to(folder.parent).with_suffix("").parts
            if parts[-1] == "__init__":
                parts = parts[:-1]
                self._packages.add(".".join(parts))
            self.trees[".".join(parts)] = ast.parse(path.read_text(encoding="utf-8"), str(path))

    def imports(self) -> Iterator[Import]:
        """All imports: at the top, inside functions and classes, for type checkers, and by a name in a string."""
        for module, tree in self.trees.items():
            yield from self._imports_of(module, tree, deferred=False)

    def _imports_of(self, module: str, node: ast.AST, *, deferred: bool) -> Iterator[Import]:
        """Imports below a node of the syntax tree."""
        for child in ast.iter_child_nodes(node):
            inside = deferred or isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
                inside = True
            for target in self._targets(module, child):
                yield Import(module, target, child.lineno, inside)
            yield from self._imports_of(module, child, deferred=inside)

    def _targets(self, module: str, node: ast.AST) -> list[str]:
        """The modules that one statement, or one string, imports."""
        if isinstance(node, ast.Import):
            return [alias.name for alias in node.names]
        if isinstance(node, ast.ImportFrom):
            source = self._source(module, node)
            # ``from fgac import query`` imports a module, ``from fgac import FGAClassifier`` from the module that
            # defines it, and ``from fgac.query import ask`` from the module that it names.
            names = [f"{source}.{alias.name}" for alias in node.names]
            return [name if name in self.trees else self._homes.get(name, source) for name in names]
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in self.trees:
            return [node.value] if "." in node.value else []  # what import_module gets
        return []

    def _source(self, module: str, node: ast.ImportFrom) -> str:
        """The absolute name of the module that a ``from`` statement names."""
        if not node.level:
            return node.module or ""
        parts = module.split(".")
        own = parts if module in self._packages else parts[:-1]
        base = own[: len(own) - (node.level - 1)]
        return ".".join([*base, node.module] if node.module else base)

    def reaches(self) -> Iterator[Reach]:
        """Accesses to private attributes that no class of the same file defines."""
        for module, tree in self.trees.items():
            own = _defined(tree)
            for node in ast.walk(tree):
                found = _private_access(node)
                if found and found[1] not in own:
                    yield Reach(module, *found, node.lineno)


def _private_access(node: ast.AST) -> tuple[str, str] | None:
    """The expression and the name of an access to a private attribute of another object; None for anything else."""
    if isinstance(node, ast.Attribute):
        target, name = node.value, node.attr
    elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("getattr", "setattr", "hasattr", "delattr"):
        target, second = node.args[0], node.args[1]
        if not (isinstance(second, ast.Constant) and isinstance(second.value, str)):
            return None
        name = second.value
    else:
        return None
    if not name.startswith("_") or name.startswith("__") or name in PUBLIC_IN_SPITE_OF_THE_UNDERSCORE:
        return None
    if ast.unparse(target) in ("self", "cls", "super()"):
        return None
    return ast.unparse(node), name


def _defined(tree: ast.Module) -> set[str]:
    """The private attributes and methods that the classes of a file define, and its private functions."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and ast.unparse(node.value) == "self":
            names.add(node.attr)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
    return names
