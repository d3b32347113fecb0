"""The cache: what it keeps, what it forgets, and what it does about bad files, bad disks and other processes."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from engine_support import COMMAND, LIMITS, environment, job, question

from rewright.engine import database
from rewright.engine.answer_file import AnswerFile
from rewright.engine.cache import Cache, KeptAnswer, NoCache
from rewright.engine.jobs import Ended, Reply
from rewright.engine.keys import digest, digest_of_deciders
from rewright.engine.opening import default_directory, open_cache
from rewright.engine.scheduler import Engine

DAY = 86_400.0


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 1e9

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def messages() -> list[str]:
    return []


@pytest.fixture
def cache(tmp_path: Path, messages: list[str]) -> Iterator[AnswerFile]:
    with closing(AnswerFile(tmp_path, messages.append)) as file:
        yield file


def texts(cache: Cache, *keys: str) -> dict[str, str]:
    return {key: entry.text for key, entry in cache.get(keys).items()}


def path(directory: Path) -> Path:
    return database.path_in(directory)


# What is kept


def test_what_was_put_is_found_by_this_and_the_next_process(cache: AnswerFile, tmp_path: Path) -> None:
    odd = KeptAnswer("b", "\x00é\ud800", 3.5)
    cache.put([KeptAnswer("a", "A"), odd])
    assert cache.get(["a", "b", "c"]) == {"a": KeptAnswer("a", "A"), "b": odd}
    with closing(AnswerFile(tmp_path, print)) as second:
        assert second.get(["b"]) == {"b": odd}


def test_many_keys_are_looked_up_at_once(cache: AnswerFile) -> None:
    cache.put(KeptAnswer(str(n), str(-n)) for n in range(2000))
    assert texts(cache, *map(str, range(3000))) == {str(n): str(-n) for n in range(2000)}


def test_an_indefinite_answer_stands_up_to_its_budget(cache: AnswerFile) -> None:
    cache.put([KeptAnswer("k", "unknown", definite=False, budget=10)])
    assert list(cache.get(["k"], 10)) == ["k"] and cache.get(["k"], 11) == {}


def test_a_better_answer_is_never_replaced_by_a_worse_one(cache: AnswerFile) -> None:
    steps = [
        (KeptAnswer("k", "u5", definite=False, budget=5), "u5"),
        (KeptAnswer("k", "u20", definite=False, budget=20), "u20"),
        (KeptAnswer("k", "u7", definite=False, budget=7), "u20"),
        (KeptAnswer("k", "yes", budget=1), "yes"),
        (KeptAnswer("k", "u99", definite=False, budget=99), "yes"),
    ]
    for entry, expected in steps:
        cache.put([entry])
        assert texts(cache, "k") == {"k": expected}


def test_a_budget_beyond_the_file_s_integers_is_kept(cache: AnswerFile) -> None:
    cache.put([KeptAnswer("k", "unknown", definite=False, budget=10**30)])
    assert list(cache.get(["k"], 10**18)) == ["k"]


def test_costs_are_remembered_and_replaced(cache: AnswerFile) -> None:
    cache.put_cost("file\udce9.rw#rule", 5.0)
    cache.put_cost("file\udce9.rw#rule", 7.0)
    assert cache.costs(["file\udce9.rw#rule", "other"]) == {"file\udce9.rw#rule": 7.0}


def test_no_cache_remembers_nothing() -> None:
    cache = NoCache()
    cache.put([KeptAnswer("k", "v")])
    cache.put_cost("j", 1.0)
    assert (cache.get(["k"]), cache.costs(["j"])) == ({}, {})
    cache.close()


def test_a_closed_cache_finds_and_keeps_nothing(cache: AnswerFile) -> None:
    cache.put([KeptAnswer("k", "v")])
    cache.close()
    cache.put([KeptAnswer("l", "w")])
    assert cache.get(["k", "l"]) == {}


def test_an_engine_asks_an_unknown_again_when_the_budget_has_grown(cache: AnswerFile) -> None:
    one = question("tell", text="proved", definite_from=100)

    async def check() -> list[Reply]:
        found = []
        async with Engine(cache, COMMAND, 1, LIMITS) as at_work:
            for budget in (10, 10, 5, 100, 7):
                ended: Ended = await at_work.wait(at_work.submit(job("j", one, budget=budget)))
                found += [outcome for outcome in ended.outcomes if isinstance(outcome, Reply)]
        return found

    assert [(reply.answer, reply.definite, reply.cached) for reply in asyncio.run(check())] == [
        ("unknown within 10", False, False),
        ("unknown within 10", False, True),
        ("unknown within 10", False, True),
        ("proved", True, False),
        ("proved", True, True),
    ]


def test_a_passing_answer_is_not_kept(cache: AnswerFile) -> None:
    one = question("tell", standing="passing")

    async def check() -> None:
        async with Engine(cache, COMMAND, 1, LIMITS) as at_work:
            (reply,) = (await at_work.wait(at_work.submit(job("j", one)))).outcomes
            assert isinstance(reply, Reply) and not reply.definite

    asyncio.run(check())
    assert cache.get([one.key]) == {}


# What is forgotten


def test_what_was_used_least_recently_is_forgotten_and_the_file_stays_bounded(tmp_path: Path) -> None:
    clock = Clock()
    bound = 2 << 20
    with closing(AnswerFile(tmp_path, print, bound, clock)) as cache:
        cache.put([KeptAnswer("loved", "x" * 5000)])
        for n in range(2000):
            clock.now += DAY
            cache.put([KeptAnswer(str(n), "x" * 5000)])
            assert "loved" in cache.get(["loved"])
        assert "1999" in cache.get(["1999"]) and "0" not in cache.get(["0"])
    assert path(tmp_path).stat().st_size < bound + (1 << 20)


def test_a_look_up_counts_as_use_also_for_the_next_process(tmp_path: Path) -> None:
    clock = Clock()
    with closing(AnswerFile(tmp_path, print, clock=clock)) as cache:
        cache.put([KeptAnswer("used", "x" * 5000)])
        clock.now += DAY
        cache.put(KeptAnswer(str(n), "x" * 5000) for n in range(100))
        clock.now += DAY
        cache.get(["used"])
    with closing(AnswerFile(tmp_path, print, 256 << 10, clock)) as cache:
        cache.put([KeptAnswer("new", "x")])
        assert "used" in cache.get(["used"]) and "0" not in cache.get(["0"])


# Bad files


@pytest.mark.parametrize("contents", [b"this is no database" * 1000, b"SQLite format 3\x00" + b"\xff" * 8192])
def test_a_file_that_is_no_database_is_moved_aside(contents: bytes, tmp_path: Path, messages: list[str]) -> None:
    path(tmp_path).write_bytes(contents)
    with closing(AnswerFile(tmp_path, messages.append)) as cache:
        cache.put([KeptAnswer("k", "v")])
        assert texts(cache, "k") == {"k": "v"}
    assert len(messages) == 1 and "moved to" in messages[0]
    assert path(tmp_path).with_name(path(tmp_path).name + ".aside").read_bytes() == contents


@pytest.mark.parametrize(
    "statement", ["PRAGMA user_version = 99", "PRAGMA application_id = 7", "DROP TABLE costs", "DROP TABLE answers"]
)
def test_a_foreign_database_is_moved_aside(statement: str, tmp_path: Path, messages: list[str]) -> None:
    AnswerFile(tmp_path, messages.append).close()
    with closing(sqlite3.connect(path(tmp_path))) as connection:
        connection.execute(statement)
        connection.commit()
    with closing(AnswerFile(tmp_path, messages.append)) as cache:
        cache.put([KeptAnswer("k", "v")])
        assert texts(cache, "k") == {"k": "v"}
    assert len(messages) == 1 and "moved to" in messages[0]


def test_an_empty_file_becomes_a_cache(tmp_path: Path, messages: list[str]) -> None:
    path(tmp_path).touch()
    with closing(AnswerFile(tmp_path, messages.append)) as cache:
        cache.put([KeptAnswer("k", "v")])
        assert texts(cache, "k") == {"k": "v"}
    assert messages == []


def damage(file: Path) -> None:
    """Overwrites all but the first page."""
    with open(file, "r+b") as stream:
        size = stream.seek(0, os.SEEK_END)
        stream.seek(4096)
        stream.write(b"\xab" * (size - 4096))


def test_damage_after_the_first_page_is_noticed_and_the_file_replaced(tmp_path: Path, messages: list[str]) -> None:
    with closing(AnswerFile(tmp_path, messages.append)) as cache:
        cache.put(KeptAnswer(str(n), "x" * 500) for n in range(500))
    damage(path(tmp_path))
    with closing(AnswerFile(tmp_path, messages.append)) as cache:
        assert texts(cache, *map(str, range(500))) == {}
        cache.put([KeptAnswer("k", "v")])
        assert texts(cache, "k") == {"k": "v"}
    assert len(messages) == 1 and "moved to" in messages[0]


def test_damage_while_open_replaces_the_file_once_and_then_there_is_none(tmp_path: Path, messages: list[str]) -> None:
    with closing(AnswerFile(tmp_path, messages.append)) as cache:
        for round_ in range(2):
            cache.put(KeptAnswer(str(n), "x" * 500) for n in range(500))
            with closing(sqlite3.connect(path(tmp_path))) as connection:
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
                connection.execute("PRAGMA writable_schema = ON")
                connection.execute("UPDATE sqlite_schema SET rootpage = 99999 WHERE type != 'trigger'")
                connection.execute(f"PRAGMA schema_version = {1000 + round_}")
                connection.commit()
            assert texts(cache, "1") == {}
            cache.put([KeptAnswer("k", "v")])
            assert texts(cache, "k") == ({"k": "v"} if round_ == 0 else {})
        cache.put_cost("j", 1.0)
        assert cache.costs(["j"]) == {}
    assert len(messages) == 2 and "moved to" in messages[0] and "working without" in messages[1]


def test_a_row_that_was_tampered_with_is_not_believed(cache: AnswerFile, tmp_path: Path) -> None:
    cache.put([KeptAnswer("a", "refuted"), KeptAnswer("b", "refuted"), KeptAnswer("c", "unknown", definite=False)])
    with closing(sqlite3.connect(path(tmp_path))) as connection:
        connection.execute("UPDATE answers SET text = CAST('proved!' AS BLOB) WHERE key = 'a'")
        connection.execute("UPDATE answers SET text = 'text' WHERE key = 'b'")
        connection.execute("UPDATE answers SET definite = 1 WHERE key = 'c'")
        connection.commit()
    assert cache.get(["a", "b", "c"]) == {}
    cache.put([KeptAnswer("a", "refuted")])
    assert texts(cache, "a") == {"a": "refuted"}


@pytest.mark.parametrize("value", ["'long ago'", "x'00ff'", "CAST(x'ff' AS TEXT)", "-1.0", "9e999"])
def test_a_damaged_cost_is_no_cost_and_is_replaced(
    value: str, cache: AnswerFile, tmp_path: Path, messages: list[str]
) -> None:
    cache.put_cost("spoilt", 1.0)
    cache.put_cost("sound", 2.0)
    with closing(sqlite3.connect(path(tmp_path), isolation_level=None)) as other:
        other.execute(f"UPDATE costs SET milliseconds = {value} WHERE job = ?", [digest("spoilt")])
    assert cache.costs(["spoilt", "sound"]) == {"sound": 2.0}
    cache.put_cost("spoilt", 3.0)
    assert cache.costs(["spoilt", "sound"]) == {"spoilt": 3.0, "sound": 2.0}
    assert messages == []


@pytest.mark.parametrize(
    "damage",
    [
        "text = 'a text'",
        "text = CAST(x'ff' AS TEXT)",
        "text = 17",
        "seal = 'a text'",
        "seal = x''",
        "milliseconds = 'long'",
        "milliseconds = CAST(x'ff' AS TEXT)",
        "milliseconds = 9e999",
        "definite = 2",
        "definite = 'yes'",
        "definite = x'01'",
        "budget = 1e300",
        "budget = 9223372036854775807",
        "budget = 'a lot'",
        "last_use = 'yesterday'",
        "last_use = x'ff'",
    ],
)
def test_a_damaged_row_is_not_believed_and_makes_way(
    damage: str, cache: AnswerFile, tmp_path: Path, messages: list[str]
) -> None:
    cache.put([KeptAnswer("k", "old"), KeptAnswer("l", "sound")])
    with closing(sqlite3.connect(path(tmp_path), isolation_level=None)) as other:
        other.execute(f"UPDATE answers SET {damage} WHERE key = 'k'")
    assert texts(cache, "k", "l") == {"l": "sound"}
    cache.put([KeptAnswer("k", "new", definite=False)])
    assert texts(cache, "k", "l") == {"k": "new", "l": "sound"}
    assert messages == []


def test_a_table_with_other_columns_is_moved_aside(tmp_path: Path, messages: list[str]) -> None:
    AnswerFile(tmp_path, messages.append).close()
    with closing(sqlite3.connect(path(tmp_path), isolation_level=None)) as other:
        other.execute("ALTER TABLE answers ADD COLUMN more TEXT")
        other.execute("ALTER TABLE costs RENAME COLUMN milliseconds TO seconds")
    with closing(AnswerFile(tmp_path, messages.append)) as cache:
        cache.put([KeptAnswer("k", "v")])
        cache.put_cost("j", 1.0)
        assert len(messages) == 1 and "is not usable" in messages[0]
        assert (texts(cache, "k"), cache.costs(["j"])) == ({"k": "v"}, {"j": 1.0})


def test_a_directory_removed_under_a_running_server_comes_back(cache: AnswerFile, tmp_path: Path) -> None:
    cache.put([KeptAnswer("a", "A")])
    shutil.rmtree(tmp_path)
    cache.put([KeptAnswer("b", "B")])
    with closing(AnswerFile(tmp_path, print)) as other:
        assert texts(other, "a", "b") == {"b": "B"}


# Bad disks


@pytest.mark.parametrize("place", ["/proc/rewright", "/dev/null/rewright"])
def test_where_nothing_can_be_made_there_is_no_cache_and_one_message(place: str, messages: list[str]) -> None:
    cache = open_cache(Path(place), messages.append)
    cache.put([KeptAnswer("k", "v")])
    cache.put_cost("j", 1.0)
    assert cache.get(["k"]) == {} and cache.costs(["j"]) == {}
    cache.close()
    assert len(messages) == 1 and "working without a cache" in messages[0]


def test_on_a_full_disk_it_reads_on_and_says_so_once(tmp_path: Path) -> None:
    """The kernel refuses to let the files grow, as a full disk does."""
    program = f"""
import resource, signal
from pathlib import Path
from rewright.engine.answer_file import AnswerFile
from rewright.engine.cache import KeptAnswer
cache = AnswerFile(Path({str(tmp_path)!r}), lambda message: print("said:", message))
cache.put([KeptAnswer("early", "here")])
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
for n in range(50):
    cache.put([KeptAnswer(str(n), "x" * 10_000)])
    cache.put_cost(str(n), 1.0)
print("early:", cache.get(["early"])["early"].text)
cache.close()
"""
    run = subprocess.run([sys.executable, "-c", program], env=environment(), capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    said, early = run.stdout.splitlines()
    assert "is no longer written" in said and early == "early: here"
    with closing(AnswerFile(tmp_path, print)) as cache:
        assert texts(cache, "early") == {"early": "here"}


def test_a_database_that_may_not_be_written_says_so_once(tmp_path: Path, messages: list[str]) -> None:
    with closing(AnswerFile(tmp_path, messages.append)) as cache:
        cache.put([KeptAnswer("k", "v")])
        connection = cache._connection
        assert connection is not None
        connection.execute("PRAGMA query_only = ON")
        cache.put([KeptAnswer("l", "w")])
        cache.put([KeptAnswer("m", "w")])
        assert texts(cache, "k", "l", "m") == {"k": "v"}
    assert len(messages) == 1 and "is no longer written" in messages[0]


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777, 0o1777])
def test_a_directory_that_others_may_write_is_refused(mode: int, tmp_path: Path, messages: list[str]) -> None:
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared").chmod(mode)
    with closing(open_cache(tmp_path / "shared", messages.append)) as cache:
        cache.put([KeptAnswer("k", "v")])
        assert cache.get(["k"]) == {}
    (message,) = messages
    assert "working without a cache" in message and f"other users may write `{tmp_path / 'shared'}`" in message
    assert list((tmp_path / "shared").iterdir()) == []


def test_a_file_that_others_may_write_is_refused(tmp_path: Path, messages: list[str]) -> None:
    open_cache(tmp_path, print).close()
    path(tmp_path).chmod(0o666)
    open_cache(tmp_path, messages.append).close()
    assert len(messages) == 1 and "other users may write" in messages[0]


def test_what_belongs_to_another_user_is_refused(
    tmp_path: Path, messages: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "theirs").mkdir(mode=0o755)
    mine = os.geteuid()
    if mine == 0:
        os.chown(tmp_path / "theirs", 12345, -1)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: mine + 1)
    open_cache(tmp_path / "theirs", messages.append).close()
    assert len(messages) == 1 and "belongs to another user" in messages[0]


def test_a_new_directory_is_for_its_user_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        open_cache(tmp_path / "new", print).close()
    finally:
        os.umask(before)
    modes = {each.name: each.stat().st_mode & 0o777 for each in (tmp_path / "new").iterdir()}
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o700
    assert set(modes.values()) == {0o600}


@pytest.mark.parametrize("name", ["answers", "lock"])
@pytest.mark.parametrize("kind", ["fifo", "zero", "loop", "folder"])
def test_what_is_no_file_is_not_waited_for(name: str, kind: str, tmp_path: Path, messages: list[str]) -> None:
    place = path(tmp_path) if name == "answers" else tmp_path / "lock"
    match kind:
        case "fifo":
            os.mkfifo(place)
        case "zero":
            place.symlink_to("/dev/zero")
        case "loop":
            place.symlink_to(place)
        case _:
            place.mkdir()
    with closing(open_cache(tmp_path, messages.append)) as cache:
        cache.put([KeptAnswer("k", "v")])
        cache.get(["k"])
    assert name == "lock" or (len(messages) == 1 and "working without a cache" in messages[0])


# Other processes

WRITER = """
import sys
from pathlib import Path
from rewright.engine.cache import KeptAnswer
from rewright.engine.opening import open_cache
cache = open_cache(Path(sys.argv[1]), lambda message: print("said", message, flush=True))
for n in range(int(sys.argv[3])):
    key = f"{sys.argv[2]}-{n}"
    cache.put([KeptAnswer(key, key * 50)])
    print(key, flush=True)
cache.close()
"""


def writer(directory: Path, name: str, count: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITER, str(directory), name, str(count)]
    return subprocess.Popen(command, env=environment(), stdout=subprocess.PIPE, text=True)


def test_two_processes_write_one_file(tmp_path: Path) -> None:
    directory = tmp_path / "made" / "by" / "both"
    writers = [writer(directory, name, 300) for name in "ab"]
    keys = [line.strip() for each in writers for line in each.communicate()[0].splitlines()]
    assert len(keys) == 600 and not any(key.startswith("said") for key in keys)
    with closing(AnswerFile(directory, print)) as cache:
        assert texts(cache, *keys) == {key: key * 50 for key in keys}


def test_killing_a_process_while_it_writes_loses_nothing_that_was_kept(tmp_path: Path) -> None:
    messages: list[str] = []
    for attempt in range(6):
        with writer(tmp_path, str(attempt), 100_000) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(0.02 * attempt)
            process.kill()
            keys = [line.strip() for line in process.stdout if line.endswith("\n")]
        with closing(AnswerFile(tmp_path, messages.append)) as cache:
            assert texts(cache, *keys) == {key: key * 50 for key in keys}
    with closing(sqlite3.connect(path(tmp_path))) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert messages == []


def test_a_file_that_another_process_replaced_is_used_by_both(tmp_path: Path, messages: list[str]) -> None:
    with closing(AnswerFile(tmp_path, messages.append)) as early:
        early.put([KeptAnswer("a", "A")])
        os.replace(path(tmp_path), tmp_path / "aside")  # what the other one does first
        with closing(AnswerFile(tmp_path, messages.append)) as late:
            early.put([KeptAnswer("b", "B")])
            late.put([KeptAnswer("c", "C")])
            assert texts(early, "b", "c") == texts(late, "b", "c") == {"b": "B", "c": "C"}
    with closing(AnswerFile(tmp_path, messages.append)) as again:
        assert texts(again, "b", "c") == {"b": "B", "c": "C"}
    assert messages == []


def test_what_could_not_be_written_while_another_process_held_the_file_is_written_later(
    cache: AnswerFile, tmp_path: Path
) -> None:
    with closing(sqlite3.connect(path(tmp_path), isolation_level=None)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        cache.put([KeptAnswer("during", "x")])
        assert cache.get(["during"]) == {}
        holder.execute("COMMIT")
    cache.put([KeptAnswer("after", "x")])
    assert texts(cache, "during", "after") == {"during": "x", "after": "x"}


# Where, and keys


def test_the_directory_follows_xdg(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/reader")
    assert default_directory({"XDG_CACHE_HOME": "/caches"}) == Path("/caches/rewright")
    assert default_directory({"XDG_CACHE_HOME": "relative"}) == Path("/reader/.cache/rewright")
    assert default_directory({}) == Path("/reader/.cache/rewright")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    open_cache(None, print).close()
    assert path(tmp_path / "rewright").exists()


def test_a_digest_distinguishes_the_parts() -> None:
    sequences = [("ab", "c"), ("a", "bc"), ("abc",), ("abc", ""), (), ("",), ("\ud800",)]
    assert len({digest(*parts) for parts in sequences}) == len(sequences)
    assert digest("a", "b") == digest("a", "b")


def test_the_digest_of_deciders_follows_their_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "decider"
    package.mkdir()
    monkeypatch.syspath_prepend(str(tmp_path))

    def now() -> str:
        digest_of_deciders.cache_clear()
        return digest_of_deciders(("decider",), ("pytest", "no-such-distribution"))

    (package / "__init__.py").write_text("")
    empty = now()
    (package / "rules.py").write_text("x = 1\n")
    one = now()
    (package / "rules.py").write_text("x = 2\n")
    two = now()
    assert len({empty, one, two}) == 3
    (package / "rules.py").write_text("x = 1\n")
    assert now() == one
    assert "decider" not in sys.modules
    with pytest.raises(ModuleNotFoundError):
        digest_of_deciders(("no_such_package",), ())


def test_the_digest_of_deciders_follows_the_versions_of_libraries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))

    def now() -> str:
        digest_of_deciders.cache_clear()
        return digest_of_deciders((), ("some-Solver",))

    absent = now()
    (tmp_path / "some_solver_stubs-1.0.dist-info").mkdir()
    assert now() == absent
    (tmp_path / "some_solver-1.0.dist-info").mkdir()
    one = now()
    (tmp_path / "some_solver-1.0.dist-info").rename(tmp_path / "some_solver-1.1.dist-info")
    assert len({absent, one, now()}) == 3
