"""The cache in a database file.

Invariants of `cache` hold, and: the file stays near its size bound, by forgetting what was used least recently; a row
that is not as we write it, or whose seal does not fit its contents, is not believed and makes way. What is wrong with
the disk is said once, then the cache goes on without writing, or without anything.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from hashlib import blake2b
from math import inf
from pathlib import Path
from typing import Any, TypeVar

from rewright.engine import database
from rewright.engine.cache import KeptAnswer
from rewright.engine.keys import digest

T = TypeVar("T")
Row = tuple[str, bytes, bytes, float, int, int, int]
"""Key, text, seal, milliseconds, definite, budget, last use: as it is written; what is read may hold anything."""

DEFAULT_BOUND = 256 << 20
"""Bytes of the file above which the answers used longest ago are forgotten."""

_TOUCH_SECONDS = 3600
"""An answer's last use is written anew after so long only: else every warm run would write to the file."""

_TOUCHES = 500
"""Uses that are noted in memory before they are written together."""

_VARIABLES = 500
"""Keys of one query: an older SQLite takes no more than 999 variables in a statement."""

_ROWS_FORGOTTEN = 64
"""Answers that are forgotten before the file's size is looked at again."""

_ROUNDS = 16
"""Looks at the size within one commit: a file far too large shrinks with several, so that none takes long."""

_LATE = 10_000
"""Answers that wait in memory while another process holds the file; of more, the last ones."""

_COSTS_KEPT = 20_000
"""Jobs whose cost is remembered, the last ones written."""

_LARGEST_INTEGER = 2**63 - 1
"""The largest integer that SQLite holds."""

_PUT = f"""
INSERT INTO answers({database.COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT(key) DO UPDATE SET text = excluded.text, seal = excluded.seal, milliseconds = excluded.milliseconds,
    definite = excluded.definite, budget = excluded.budget, last_use = excluded.last_use
WHERE excluded.definite > definite OR (excluded.definite = definite AND excluded.budget >= budget)
"""
_FORGET = "DELETE FROM answers WHERE rowid IN (SELECT rowid FROM answers ORDER BY last_use, rowid LIMIT ?)"
_DROP = "DELETE FROM answers WHERE key = ? AND seal IS ? AND definite IS ? AND budget IS ?"
_PUT_COST = """
INSERT INTO costs(job, milliseconds, last_use) VALUES (?, ?, ?)
ON CONFLICT(job) DO UPDATE SET milliseconds = excluded.milliseconds, last_use = excluded.last_use
"""


class AnswerFile:
    """A cache in `directory`, of about `bound` bytes at most; `clock` gives seconds. Threads may share it."""

    def __init__(
        self,
        directory: Path,
        say: Callable[[str], None],
        bound: int = DEFAULT_BOUND,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._directory = directory
        self._path = database.path_in(directory)
        self._say = say
        self._bound = bound
        self._clock = clock
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self._identity: database.Identity | None = None
        self._writable = True
        self._replaced = False
        self._touched: set[str] = set()
        self._late: list[Row] = []
        """Rows that wait for another process to let go of the file."""
        self._open()

    def get(self, keys: Iterable[str], budget: int = 0) -> dict[str, KeptAnswer]:
        """The entries found, by key, that are definite or were made with at least this budget."""
        now = self._clock()
        found, damaged = {}, []
        with self._lock:
            for row in self._select(f"SELECT {database.COLUMNS} FROM answers WHERE key IN", list(keys)):
                entry = _entry(row)
                if entry is None:
                    damaged.append((row[0], row[2], row[4], row[5]))
                    continue
                found[entry.key] = entry
                if now - row[6] > _TOUCH_SECONDS:
                    self._touched.add(entry.key)
            if len(self._touched) >= _TOUCHES:
                self._write(self._touch)
            if damaged:  # else they could outrank what is put in their place
                self._write(lambda connection: connection.executemany(_DROP, damaged))
        return {key: entry for key, entry in found.items() if entry.definite or entry.budget >= budget}

    def put(self, entries: Iterable[KeptAnswer]) -> None:
        """Keeps the entries; committed on return, or else with the next ones if another process holds the file."""
        now = int(self._clock())
        with self._lock:
            rows = self._late + [_row(entry, now) for entry in entries]
            if rows:
                committed = self._write(lambda connection: self._put(connection, rows))
                worth_another_try = not committed and self._writable and self._connection is not None
                self._late = rows[-_LATE:] if worth_another_try else []

    def costs(self, jobs: Iterable[str]) -> dict[str, float]:
        """The milliseconds that each of these jobs took when last computed, where known."""
        names = {digest(job): job for job in jobs}
        with self._lock:
            rows = self._select("SELECT job, milliseconds FROM costs WHERE job IN", list(names))
        return {names[name]: float(milliseconds) for name, milliseconds in rows if _is_duration(milliseconds)}

    def put_cost(self, job: str, milliseconds: float) -> None:
        """Remembers what a job took."""
        row = (digest(job), milliseconds, int(self._clock()))
        self._write(lambda connection: connection.execute(_PUT_COST, row))

    def clear(self) -> None:
        """Forgets everything, the costs too."""
        with self._lock:
            self._late = []
            self._touched.clear()
            self._write(lambda connection: connection.execute("DELETE FROM answers"))
            self._write(lambda connection: connection.execute("DELETE FROM costs"))

    def close(self) -> None:
        """Writes which entries were used, and lets go of the file. Later operations find and keep nothing."""
        with self._lock:
            self.put([])
            if self._touched:
                self._write(self._touch)
            self._let_go()

    def _put(self, connection: sqlite3.Connection, rows: list[Row]) -> None:
        connection.executemany(_PUT, rows)
        if self._touched:
            self._touch(connection)
        self._forget(connection)

    def _touch(self, connection: sqlite3.Connection) -> None:
        now = int(self._clock())
        connection.executemany("UPDATE answers SET last_use = ? WHERE key = ?", [(now, key) for key in self._touched])
        self._touched.clear()

    def _forget(self, connection: sqlite3.Connection) -> None:
        """Deletes what was used least recently while the file is too large; a little at a time."""
        for _ in range(_ROUNDS):
            pages = database.pragma(connection, "page_count") - database.pragma(connection, "freelist_count")
            if pages * database.pragma(connection, "page_size") <= self._bound:
                break
            if connection.execute(_FORGET, (_ROWS_FORGOTTEN,)).rowcount <= 0:
                break
        connection.execute("DELETE FROM costs WHERE rowid <= (SELECT max(rowid) FROM costs) - ?", (_COSTS_KEPT,))

    def _open(self) -> None:
        """Opens or reopens the file; there is no connection afterwards if that cannot be done."""
        self._let_go()
        self._connect(lambda: database.open_database(self._directory, self._say))

    def _connect(self, connect: Callable[[], tuple[sqlite3.Connection, database.Identity | None]]) -> None:
        try:
            self._connection, self._identity = connect()
        except (OSError, sqlite3.Error) as error:
            reason = getattr(error, "strerror", None) or error
            self._say(f"working without a cache: `{self._path}` cannot be used: {reason}")

    def _let_go(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(sqlite3.Error):
                connection.close()

    def _select(self, query: str, keys: list[str]) -> list[Any]:
        def select(connection: sqlite3.Connection) -> list[Any]:
            rows: list[Any] = []
            for start in range(0, len(keys), _VARIABLES):
                part = keys[start : start + _VARIABLES]
                rows += connection.execute(f"{query} ({','.join('?' * len(part))})", part).fetchall()
            return rows

        return self._attempt(select) or []

    def _write(self, operation: Callable[[sqlite3.Connection], object]) -> bool:
        """Does `operation` in a transaction of its own; whether it is committed."""

        def transaction(connection: sqlite3.Connection) -> bool:
            with connection:
                operation(connection)
            return True

        with self._lock:
            if self._connection is not None and self._identity != database.identity(self._path):
                self._open()  # removed, or moved aside by another process: what is written would be lost
            return self._writable and bool(self._attempt(transaction))

    def _attempt(self, operation: Callable[[sqlite3.Connection], T]) -> T | None:
        """What `operation` returns, None if the file does not allow it. A damaged file is replaced, once."""
        if self._connection is None:
            return None
        try:
            return operation(self._connection)
        except sqlite3.ProgrammingError:
            raise
        except sqlite3.Error as error:
            if database.is_damage(error):
                self._replace(error)
                return self._attempt(operation)
            if not database.is_busy(error) and self._writable:
                self._writable = False
                self._say(f"the cache `{self._path}` is no longer written: {error}")
            return None

    def _replace(self, error: sqlite3.Error) -> None:
        self._let_go()
        if self._replaced:
            self._say(f"working without a cache: `{self._path}` is damaged again: {error}")
            return
        self._replaced = True
        damaged = self._identity
        self._connect(lambda: database.replace_damaged(self._directory, damaged, error, self._say))


def _row(entry: KeptAnswer, now: int) -> Row:
    text = entry.text.encode("utf-8", "surrogatepass")
    budget = min(entry.budget, _LARGEST_INTEGER)
    seal = _seal(entry.key, text, int(entry.definite), budget)
    return entry.key, text, seal, entry.milliseconds, int(entry.definite), budget, now


def _entry(row: tuple[Any, ...]) -> KeptAnswer | None:
    """What a row says, None if it is not one that we wrote."""
    key, text, seal, milliseconds, definite, budget, last_use = row
    integers = type(definite) is int and type(budget) is int and type(last_use) is int
    if not (isinstance(text, bytes) and integers and _is_duration(milliseconds)):
        return None
    if seal != _seal(key, text, definite, budget):
        return None
    try:
        return KeptAnswer(key, text.decode("utf-8", "surrogatepass"), milliseconds, bool(definite), budget)
    except UnicodeDecodeError:
        return None


def _is_duration(value: object) -> bool:
    """Whether a column without a type of its own holds milliseconds: SQLite keeps what was put there, text too."""
    return isinstance(value, int | float) and 0 <= value < inf


def _seal(key: str, text: bytes, definite: int, budget: int) -> bytes:
    state = blake2b(f"{key} {definite} {budget} ".encode("utf-8", "surrogatepass"), digest_size=8)
    state.update(text)
    return state.digest()
