"""The database file: opening it, judging it, replacing it when it is damaged or foreign.

Owns path, lock, schema and pragmas. Invariants: what is opened is a database of this schema that nobody else may write,
since an answer in it is believed; what is not of this schema is moved aside, never written to and never believed; only
one process at a time opens, judges or moves (a lock on a file of its own, given up after two seconds so that a stopped
process cannot hold up another). Must not know what rows are for.
"""

from __future__ import annotations

import errno
import os
import sqlite3
import stat
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from rewright.engine import disk

Identity = tuple[int, int]
"""Device and inode."""

APPLICATION = 0x52_57_41_4E
"""The letters "RWAN", by which SQLite and `file` know the database for ours."""

VERSION = 1
"""The layout of the tables; another one is another file."""

_BUSY_SECONDS = 1.0
"""How long a statement waits for another process that writes."""

_LOCK_SECONDS = 2.0
"""How long a process waits until another has made or repaired the file; then it goes on without the lock."""

_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_FORMAT}

COLUMNS = "key, text, seal, milliseconds, definite, budget, last_use"
"""Those of `answers`, in order."""

_SCHEMA = f"""
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS answers(
    key TEXT PRIMARY KEY, text BLOB NOT NULL, seal BLOB NOT NULL, milliseconds REAL NOT NULL,
    definite INTEGER NOT NULL, budget INTEGER NOT NULL, last_use INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS answers_by_use ON answers(last_use);
CREATE TABLE IF NOT EXISTS costs(job TEXT PRIMARY KEY, milliseconds REAL NOT NULL, last_use INTEGER NOT NULL);
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {VERSION};
COMMIT;
"""


class ForeignDatabase(sqlite3.DatabaseError):
    """The file is a healthy database, but not one of ours or not of this version."""


def is_damage(error: sqlite3.Error) -> bool:
    """Whether the error says that the file's contents are not what we wrote."""
    return isinstance(error, ForeignDatabase) or _primary_code(error) in _DAMAGED


def is_busy(error: sqlite3.Error) -> bool:
    """Whether the error says that another process held the file for too long."""
    return _primary_code(error) in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}


def path_in(directory: Path) -> Path:
    """The database's path; the name carries the version, so that two versions of the program do not fight."""
    return directory / f"answers-{VERSION}.sqlite"


def open_database(directory: Path, say: Callable[[str], None]) -> tuple[sqlite3.Connection, Identity | None]:
    """A connection to the database in `directory` and which file that is; made again if missing, damaged or foreign.

    Raises `OSError` or `sqlite3.Error` where no file can be made or used, or where others may write it.
    """
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    refuse_shared(directory)
    path = path_in(directory)
    with _locked(directory / "lock"):
        try:
            connection = _open(path)
        except sqlite3.Error as error:
            if not is_damage(error):
                raise
            _move_aside(path, error, say)
            connection = _open(path)
        return connection, identity(path)


def replace_damaged(
    directory: Path, damaged: Identity | None, error: sqlite3.Error, say: Callable[[str], None]
) -> tuple[sqlite3.Connection, Identity | None]:
    """As `open_database`, after moving aside the file that turned out to be `damaged`, if it is still in its place.

    SQLite leaves the log of a moved database alone when it closes it, so other processes that still have it open do no
    harm to the new one.
    """
    path = path_in(directory)
    with _locked(directory / "lock"):
        if damaged is not None and identity(path) == damaged:
            _move_aside(path, error, say)
    return open_database(directory, say)


def identity(path: Path) -> Identity | None:
    """Which file is at `path`, None if there is none."""
    try:
        return disk.version(path).identity
    except OSError:
        return None


def refuse_shared(path: Path) -> None:
    """Raises `OSError` where others than this user and the system's may write a folder or a file."""
    if sys.platform == "win32":
        return
    status = os.stat(path)
    if status.st_uid not in (os.geteuid(), 0):
        raise PermissionError(errno.EACCES, f"`{path}` belongs to another user, and its answers would be trusted")
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        trusted = f"other users may write `{path}`, and its answers would be trusted"
        message = f"{trusted}: `chmod go-w` it, or choose another folder"
        raise PermissionError(errno.EACCES, message)


def _open(path: Path) -> sqlite3.Connection:
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    disk.version(path)
    refuse_shared(path)
    connection = sqlite3.connect(path, timeout=_BUSY_SECONDS, check_same_thread=False)
    connection.text_factory = lambda data: data.decode("utf-8", "surrogateescape")  # what is not UTF-8 is damage, too
    try:
        _prepare(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(connection: sqlite3.Connection) -> None:
    found = (pragma(connection, "application_id"), pragma(connection, "user_version"))
    empty = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0
    if found != (APPLICATION, VERSION) and not (empty and found == (0, 0)):
        raise ForeignDatabase(f"made by another program or version, marked {found[0]}.{found[1]}")
    # In WAL mode with synchronous = NORMAL a commit survives a killed process at once, a power cut later on.
    connection.execute("PRAGMA journal_mode = WAL").fetchone()
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA journal_size_limit = 4194304")
    if empty:
        connection.executescript(_SCHEMA)
    connection.execute(f"SELECT {COLUMNS} FROM answers ORDER BY last_use LIMIT 1").fetchall()
    connection.execute("SELECT job, milliseconds, last_use FROM costs LIMIT 1").fetchall()


def pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])


def _move_aside(path: Path, error: sqlite3.Error, say: Callable[[str], None]) -> None:
    aside = path.with_name(path.name + ".aside")
    os.replace(path, aside)
    for suffix in ("-wal", "-shm", "-journal"):
        with suppress(FileNotFoundError):
            os.unlink(path.with_name(path.name + suffix))
    say(f"the cache `{path}` is not usable ({error}); it was moved to `{aside.name}` and a new one begun")


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    if sys.platform == "win32":
        yield
        return
    import fcntl

    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NONBLOCK, 0o600)
    try:
        deadline = time.monotonic() + _LOCK_SECONDS
        while time.monotonic() < deadline:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                time.sleep(0.005)
        yield
    finally:
        os.close(descriptor)


def _primary_code(error: sqlite3.Error) -> int:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
