"""Content keys: digests of texts, and the digest of the programs that decide.

Invariant: different sequences of parts have different keys (up to collisions of BLAKE2b), since each part is preceded
by its length. Must not know what the parts mean.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from importlib import util
from pathlib import Path

_METADATA = (".dist-info", ".egg-info")


def digest(*parts: str) -> str:
    """The key of a sequence of texts, as 40 hexadecimal digits."""
    state = blake2b(digest_size=20)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        state.update(len(data).to_bytes(8, "little"))
        state.update(data)
    return state.hexdigest()


@cache
def digest_of_deciders(packages: tuple[str, ...], distributions: tuple[str, ...]) -> str:
    """The digest of what decides: the sources of `packages`, the versions of `distributions` and of Python.

    Packages are named as in an import and found without importing them, distributions as on PyPI. Raises
    `ModuleNotFoundError` for a package that is not there; a distribution that is not installed counts as such.
    """
    parts = [f"python {sys.version_info.major}.{sys.version_info.minor}"]
    parts += (f"{name} {_version(name)}" for name in sorted(distributions))
    for package in sorted(packages):
        parts.append(package)
        for root in roots(package):
            parts += _sources(root)
    return digest(*parts)


def roots(package: str) -> Iterable[Path]:
    """The folders or the file of a package, which is not imported. Raises `ModuleNotFoundError`."""
    spec = util.find_spec(package)
    if spec is None:
        raise ModuleNotFoundError(f"no package `{package}`", name=package)
    if spec.submodule_search_locations is not None:
        return [Path(location) for location in spec.submodule_search_locations]
    return [Path(spec.origin)] if spec.origin is not None else []


def libraries() -> Iterator[str]:
    """The names of all libraries' metadata folders, which carry their versions, first what an import finds first.

    `importlib.metadata` says the same and takes as long to load as the rest of the engine.
    """
    for folder in sys.path:
        with suppress(OSError):  # an archive, or a folder that is not there
            yield from sorted(name for name in os.listdir(folder) if name.endswith(_METADATA))


def _version(distribution: str) -> str:
    """Name and version as the metadata folder has them: `z3_solver-5.4.0.0.dist-info`."""
    name = re.sub(r"[-_.]+", "_", distribution).lower()
    return next((each for each in libraries() if each.lower().startswith(f"{name}-")), "absent")


def _sources(root: Path) -> Iterator[str]:
    files = sorted(root.rglob("*.py")) if root.is_dir() else [root]
    for file in files:
        yield file.relative_to(root).as_posix()
        yield blake2b(file.read_bytes()).hexdigest()
