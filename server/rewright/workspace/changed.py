"""Which files a change reaches, as git tells what changed since a revision.

A file is reached if it changed, or if its text has the last part of the path of a file that is reached: what it
imports, or includes through any number of headers. Nothing is parsed for this, and no file that is reached is left out,
but one that is only named by a macro. Invariant: git runs nothing that the repository's settings name.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Collection, Iterable

from msgspec import Struct

from rewright.engine import disk
from rewright.frontends.table import COMMANDS, ENDINGS, SETTINGS
from rewright.workspace.sources import LARGEST

SECONDS = 60
"""How long git may take."""


class NoRevision(ValueError):
    """It cannot be known what changed; the text says why."""


class Change(Struct, frozen=True):
    """The repository's folder, the files that changed, and all that git knows, as paths without symbolic links."""

    root: str
    changed: frozenset[str]
    known: frozenset[str]


def reached(paths: Collection[str], revision: str) -> tuple[str, ...]:
    """Those of the paths that what changed since the revision reaches. Raises `NoRevision`.

    All of them where settings changed. One that git ignores is among them: it cannot be known to be as it was.
    """
    real = {path: os.path.realpath(path) for path in paths}
    change = since(os.path.commonpath(list(real.values())), revision)
    if any(os.path.basename(path) in (SETTINGS, COMMANDS) for path in change.changed):
        return tuple(paths)
    found = _closed(change.changed, {each for each in change.known | {*real.values()} if each.endswith(ENDINGS)})
    return tuple(path for path in paths if real[path] in found or real[path] not in change.known)


def since(folder: str, revision: str) -> Change:
    """What changed since the revision, in commits and in the working tree, new files among it. Raises `NoRevision`."""
    if revision.startswith("-") or not revision:
        raise NoRevision(f"`{revision}` is not a revision")
    inside = folder if os.path.isdir(folder) else os.path.dirname(folder)
    root = os.path.realpath(_git(inside, "rev-parse", "--show-toplevel").removesuffix("\n"))
    _git(
        root,
        "rev-parse",
        "--verify",
        "--quiet",
        f"{revision}^{{commit}}",
        missing=f"git knows no revision `{revision}`",
    )
    options = ("--name-only", "--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules=none", "-z")
    differing = _listed(root, _git(root, "diff", *options, revision, "--"))
    new = _listed(root, _git(root, "ls-files", "--others", "--exclude-standard", "-z"))
    known = _listed(root, _git(root, "ls-files", "-z"))
    return Change(root, differing | new, known | new)


def _closed(changed: frozenset[str], files: Iterable[str]) -> frozenset[str]:
    """The changed files, and those of the others that name one, directly or through further ones."""
    texts = {path: text for path in files if path not in changed and (text := _text(path)) is not None}
    found, fresh = set(changed), set(changed)
    while fresh:
        names = {os.path.basename(path).encode("utf-8", "surrogateescape") for path in fresh}
        pattern = re.compile(b"|".join(map(re.escape, names)))
        fresh = {path for path, text in texts.items() if pattern.search(text)}
        found |= fresh
        texts = {path: text for path, text in texts.items() if path not in fresh}
    return frozenset(found)


def _text(path: str) -> bytes | None:
    try:
        return disk.read(path, LARGEST).data
    except OSError:
        return None


def _listed(root: str, names: str) -> frozenset[str]:
    return frozenset(os.path.realpath(os.path.join(root, name)) for name in names.split("\0") if name)


def _git(folder: str, *arguments: str, missing: str | None = None) -> str:
    """What git says. Raises `NoRevision`."""
    command = ("git", "-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}", "-C", folder, *arguments)
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            check=False,
            timeout=SECONDS,
            stdin=subprocess.DEVNULL,
            env={**os.environ, "LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_LITERAL_PATHSPECS": "1"},
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NoRevision(f"git does not answer: {error}") from error
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise NoRevision(missing or f"git {arguments[0]}: {said[-1] if said else done.returncode}")
    return os.fsdecode(done.stdout)
