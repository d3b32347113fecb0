"""Workers and servers that die, hang, lie or eat: what becomes of the job, and of the processes."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from engine_support import (
    COMMAND,
    HERE,
    LIMITS,
    children,
    engine,
    environment,
    failures,
    is_alive,
    job,
    logged,
    question,
    replies,
    until,
)

from rewright.engine.answer_file import AnswerFile
from rewright.engine.cache import Cache, NoCache
from rewright.engine.jobs import Answered, Ended, Event, FailureKind, Job, Question, Reply, WorkerLimits
from rewright.engine.scheduler import Engine

DEEP = ["sleep_with_lock", "sleep_without_lock", "backtrack", "solve_hard_problem"]


def run_one(one: Job, limits: WorkerLimits = LIMITS) -> Ended:
    async def check() -> Ended:
        async with engine(limits=limits) as at_work:
            return await at_work.wait(at_work.submit(one))

    ended = asyncio.run(check())
    assert not children()
    return ended


async def pid_in(log: Path, count: int = 1) -> int:
    """The process id in line `count` of a log, once it is there."""
    while len(logged(log)) < count:
        await asyncio.sleep(0.005)
    return int(logged(log)[count - 1])


# A worker dies


def test_the_job_of_a_killed_worker_runs_once_more(tmp_path: Path) -> None:
    quick, fatal = question("tell"), question("die_once", marker=str(tmp_path / "marker"))
    assert replies(run_one(job("j", quick, fatal))) == ["ok", "second time"]


def test_a_job_whose_worker_is_killed_from_outside_twice_ends_as_crashed(tmp_path: Path) -> None:
    log = tmp_path / "log"

    async def check() -> Ended:
        async with engine() as at_work:
            ticket = at_work.submit(job("j", question("sleep_with_lock", log_start=str(log)), question("tell")))
            for attempt in (1, 2):
                pid = await pid_in(log, attempt)
                os.kill(pid, signal.SIGKILL)
            ended = await at_work.wait(ticket)
            assert replies(await at_work.wait(at_work.submit(job("k", question("tell"))))) == ["ok"]
            return ended

    ended = asyncio.run(check())
    assert [failure.kind for failure in failures(ended.outcomes)] == [FailureKind.CRASHED] * 2
    assert "SIGKILL" in failures(ended.outcomes)[0].detail
    assert len(logged(log)) == 2
    assert not any(is_alive(int(pid)) for pid in logged(log))
    assert not children()


def test_what_was_answered_before_a_death_is_not_asked_again(tmp_path: Path) -> None:
    log = tmp_path / "log"
    before, fatal = question("count", log=str(log)), question("die")
    ended = run_one(job("j", before, fatal, question("tell")))
    assert isinstance(ended.outcomes[0], Reply)
    assert [failure.kind for failure in failures(ended.outcomes)] == [FailureKind.CRASHED] * 2
    assert len(logged(log)) == 1


def test_a_crash_in_c_says_where() -> None:
    (failure,) = failures(run_one(job("j", question("crash_in_c"))).outcomes)
    assert failure.kind is FailureKind.CRASHED
    assert "SIGSEGV" in failure.detail and "crash_in_c" in failure.detail


def test_a_worker_that_died_while_idle_does_not_count_against_the_next_job(tmp_path: Path) -> None:
    async def check() -> None:
        async with engine() as at_work:
            await at_work.wait(at_work.submit(job("j", question("tell"))))
            (pid,) = at_work.worker_ids
            os.kill(pid, signal.SIGKILL)
            while at_work.worker_ids:
                await asyncio.sleep(0.005)
            fatal = question("die_once", marker=str(tmp_path / "marker"))
            assert replies(await at_work.wait(at_work.submit(job("k", fatal)))) == ["second time"]

    asyncio.run(check())


def test_what_an_earlier_job_complained_of_does_not_explain_a_death() -> None:
    async def check() -> Ended:
        async with engine() as at_work:
            await at_work.wait(at_work.submit(job("j", question("complain_aloud", text="out of memory"))))
            return await at_work.wait(at_work.submit(job("k", question("die"))))

    assert [failure.kind for failure in failures(asyncio.run(check()).outcomes)] == [FailureKind.CRASHED]


def test_an_exception_in_the_handler_is_one_failure_and_the_worker_goes_on() -> None:
    ended = run_one(job("j", question("complain"), question("tell")))
    (failure,) = failures(ended.outcomes)
    assert failure.kind is FailureKind.CRASHED and "the payload makes no sense" in failure.detail
    assert isinstance(ended.outcomes[1], Reply)


@pytest.mark.parametrize(
    ("command", "part"),
    [
        ((*COMMAND, "--broken"), "no such solver"),
        (("/no/such/program",), "cannot be started"),
        (("/bin/true",), "exited with status 0"),
        (("/bin/echo", "hello"), "broke the protocol"),
    ],
)
def test_a_worker_that_cannot_start_ends_its_job_as_crashed(command: tuple[str, ...], part: str) -> None:
    async def check() -> Ended:
        async with Engine(NoCache(), command, 1, LIMITS) as at_work:
            return await at_work.wait(at_work.submit(job("j", question("tell"))))

    (failure,) = failures(asyncio.run(check()).outcomes)
    assert failure.kind is FailureKind.CRASHED and part in failure.detail
    assert not children()


def test_a_worker_that_never_gets_ready_is_given_up() -> None:
    async def check() -> Ended:
        async with Engine(NoCache(), (*COMMAND, "--hangs"), 1, WorkerLimits(start_seconds=0.3)) as at_work:
            return await at_work.wait(at_work.submit(job("j", question("tell"))))

    (failure,) = failures(asyncio.run(check()).outcomes)
    assert "did not start within 0.3 s" in failure.detail
    assert not children()


# A worker talks nonsense


def test_what_is_printed_does_not_disturb() -> None:
    ended = run_one(job("j", question("print_junk"), question("tell"), question("read_input")))
    assert replies(ended) == ["undisturbed", "ok", "''"]


def test_a_busy_worker_is_ended_by_its_processor_time_whatever_the_clock_allows() -> None:
    start = time.monotonic()
    (failure,) = failures(run_one(job("j", question("backtrack")), WorkerLimits(seconds=0.3, patience=1000.0)).outcomes)
    assert failure.kind is FailureKind.TIME
    assert time.monotonic() - start < 60


def test_a_worker_that_does_not_get_the_processor_is_not_ended_at_once() -> None:
    slow = question("count", log=os.devnull, seconds=1.0)
    assert replies(run_one(job("j", slow), WorkerLimits(seconds=0.3, patience=50.0, memory=None))) == ["ok"]


def test_a_line_that_is_no_message_ends_the_job_as_crashed() -> None:
    (failure,) = failures(run_one(job("j", question("break_protocol"))).outcomes)
    assert failure.kind is FailureKind.CRASHED and "not a message" in failure.detail


# A worker uses too much


def test_the_clock_guard_ends_a_job_and_the_worker(tmp_path: Path) -> None:
    log = tmp_path / "log"
    start = time.monotonic()
    one = job("j", question("tell"), question("sleep_with_lock", log_start=str(log)), question("tell", text="late"))
    ended = run_one(one, WorkerLimits(seconds=0.3, patience=1.0, memory=None))
    assert time.monotonic() - start < 10
    assert isinstance(ended.outcomes[0], Reply)
    first, second = failures(ended.outcomes)
    assert first.kind is second.kind is FailureKind.TIME
    assert first.detail == "time limit of 0.3 s for a declaration" and first.milliseconds > 0
    assert not is_alive(int(logged(log)[0]))


def test_a_question_that_eats_memory_fails_and_the_others_are_answered() -> None:
    one = job("j", question("tell", text="a"), question("eat_memory"), question("tell", text="b"))
    ended = run_one(one, WorkerLimits(memory=300 << 20))
    (failure,) = failures(ended.outcomes)
    assert failure.key == one.questions[1].key
    assert failure.kind is FailureKind.MEMORY and failure.detail == "memory limit of 300 MiB"
    assert len(ended.outcomes) == 3


def test_an_abort_by_running_out_of_memory_counts_as_such() -> None:
    (failure,) = failures(run_one(job("j", question("abort_for_memory"))).outcomes)
    assert failure.kind is FailureKind.MEMORY and failure.detail == "out of memory"


def test_a_payload_beyond_the_memory_limit_is_a_memory_failure() -> None:
    ended = run_one(job("j", question("measure", load="y" * (50 << 20))), WorkerLimits(memory=180 << 20))
    assert [failure.kind for failure in failures(ended.outcomes)] == [FailureKind.MEMORY]


def test_memory_that_does_not_suffice_to_load_is_a_memory_failure() -> None:
    async def check() -> Ended:
        async with Engine(NoCache(), (*COMMAND, "--greedy"), 1, LIMITS) as at_work:
            return await at_work.wait(at_work.submit(job("j", question("tell"))))

    assert [failure.kind for failure in failures(asyncio.run(check()).outcomes)] == [FailureKind.MEMORY]


def test_a_worker_that_has_grown_is_replaced_before_it_fails(tmp_path: Path) -> None:
    log = tmp_path / "log"
    questions = [question("keep_memory", bytes=60 << 20, n=n, log_start=str(log)) for n in range(6)]

    async def check() -> None:
        async with engine(limits=WorkerLimits(memory=300 << 20)) as at_work:
            for n, one in enumerate(questions):
                await at_work.wait(at_work.submit(job(str(n), one)))

    asyncio.run(check())
    assert len(logged(log)) == 6 and len(set(logged(log))) > 1
    assert not children()


def test_what_earlier_questions_left_over_decides_nothing(tmp_path: Path) -> None:
    log = tmp_path / "log"
    questions = [question("keep_memory", bytes=60 << 20, n=n, log_start=str(log)) for n in range(6)]
    assert len(set(replies(run_one(job("all", *questions), WorkerLimits(memory=300 << 20))))) > 1
    assert len(logged(log)) > 6, "asked again of a fresh worker"


# Cancelling


@pytest.mark.parametrize("act", DEEP)
def test_cancelling_kills_the_worker_and_the_spare_takes_over(act: str, tmp_path: Path) -> None:
    log = tmp_path / "log"

    async def check() -> None:
        async with engine() as at_work:
            at_work.warm()
            await at_work.wait(at_work.submit(job("first", question("tell"))))
            ticket = at_work.submit(job("j", question(act, log_start=str(log))))
            pid = await pid_in(log)
            start = time.perf_counter()
            at_work.cancel(ticket)
            assert ticket.ended
            following = await at_work.wait(at_work.submit(job("next", question("tell", text="next"))))
            took = time.perf_counter() - start
            assert replies(following) == ["next"]
            assert until(lambda: not is_alive(pid))
            assert took < 5, f"{took:.3f} s"

    asyncio.run(check())
    assert not children()


def test_cancelling_kills_before_it_returns_also_what_was_taken_over(tmp_path: Path) -> None:
    log = tmp_path / "log"

    async def check() -> None:
        async with engine() as at_work:
            one = job("j", question("sleep_with_lock", log_start=str(log)))
            at_work.submit(one)
            pid = await pid_in(log)
            ticket = at_work.submit(one)
            assert is_alive(pid)
            at_work.cancel(ticket)
            assert until(lambda: not is_alive(pid)), "without the event loop's help"

    asyncio.run(check())


def test_what_a_worker_started_dies_with_it(tmp_path: Path) -> None:
    log = tmp_path / "log"

    async def check() -> int:
        async with engine() as at_work:
            ticket = at_work.submit(job("j", question("start_child", log=str(log))))
            child = await pid_in(log)
            assert is_alive(child)
            at_work.cancel(ticket)
            return child

    child = asyncio.run(check())
    assert until(lambda: not is_alive(child))


def test_closing_while_workers_start_leaves_none() -> None:
    async def check() -> None:
        at_work = engine(workers=3)
        at_work.warm()
        await at_work.close()

    asyncio.run(check())
    assert not children()


# The server dies


class Victim:
    """A server in a process of its own."""

    def __init__(self, directory: Path, workers: int = 1) -> None:
        command = [sys.executable, str(HERE / "victim.py"), str(directory), str(workers)]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(), text=True, start_new_session=True
        )
        self.workers = [int(pid) for pid in self.hear()["workers"]]

    def submit(self, *jobs: Job) -> None:
        assert self.process.stdin is not None
        plain = [[one.id, [[each.key, each.payload] for each in one.questions]] for one in jobs]
        self.process.stdin.write(json.dumps(plain) + "\n")
        self.process.stdin.flush()

    def hear(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        return dict(json.loads(self.process.stdout.readline()))

    def kill(self) -> list[dict[str, Any]]:
        """Kills the server, and returns what it had still said."""
        assert self.process.stdout is not None
        self.process.kill()
        rest = [json.loads(line) for line in self.process.stdout if line.endswith("\n")]
        self.process.wait()
        return rest


@pytest.fixture
def victim(tmp_path: Path) -> Iterator[Victim]:
    one = Victim(tmp_path / "cache", workers=len(DEEP))
    yield one
    one.process.kill()
    one.process.wait()


def test_killing_the_server_leaves_no_process_however_deep_its_workers_are(victim: Victim, tmp_path: Path) -> None:
    log = tmp_path / "log"
    victim.submit(*(job(act, question(act, log_start=str(log))) for act in DEEP))
    assert until(lambda: len(logged(log)) == len(DEEP))
    busy = {int(pid) for pid in logged(log)}
    assert busy < set(victim.workers) and all(is_alive(pid) for pid in victim.workers)
    time.sleep(0.3)
    victim.kill()
    assert until(lambda: not any(is_alive(pid) for pid in victim.workers))


@pytest.mark.parametrize("act", ["sleep_without_lock", "solve_hard_problem"])
def test_a_worker_ends_at_the_end_of_its_input_while_it_solves(act: str, tmp_path: Path) -> None:
    """Without the kernel's help, as on other systems than Linux: the server lives, only the pipe is closed."""
    log = tmp_path / "log"
    one = question(act, log_start=str(log))
    hello = {"say": "hello", "parent": os.getpid(), "memory": None, "niceness": 0}
    task = {"say": "task", "questions": [[one.key, one.payload]], "budget": 1}
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as worker:
        assert worker.stdin is not None
        worker.stdin.write(f"{json.dumps(hello)}\n{json.dumps(task)}\n".encode())
        worker.stdin.flush()
        assert until(lambda: logged(log) == [str(worker.pid)])
        time.sleep(0.2)
        assert worker.poll() is None
        worker.stdin.close()
        assert worker.wait(timeout=60) == 0


def test_a_worker_whose_server_is_already_gone_leaves() -> None:
    hello = {"say": "hello", "parent": 1, "memory": None, "niceness": 0}
    worker = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert worker.stdin is not None and worker.stdout is not None
    worker.stdin.write(json.dumps(hello).encode() + b"\n")
    worker.stdin.flush()
    assert worker.wait(timeout=60) == 0
    worker.stdin.close()
    assert worker.stdout.read() == b""
    worker.stdout.close()


def test_what_a_killed_server_had_published_is_in_the_cache(tmp_path: Path) -> None:
    victim = Victim(tmp_path / "cache", workers=2)
    jobs = [job(str(n), question("count", log=str(tmp_path / "log"), n=n), question("tell", n=n)) for n in range(400)]
    victim.submit(*jobs)
    published = [victim.hear() for _ in range(60)]
    published += victim.kill()
    assert 60 <= len(published) < 800, "killed in the middle"
    messages: list[str] = []
    with closing(AnswerFile(tmp_path / "cache", messages.append)) as cache:
        found = cache.get(str(one["published"]) for one in published)
        assert {str(one["published"]): str(one["text"]) for one in published} == {
            key: e.text for key, e in found.items()
        }
    assert messages == []
    assert until(lambda: not any(is_alive(pid) for pid in victim.workers))


def test_two_servers_on_one_cache_answer_everything(tmp_path: Path) -> None:
    victims = [Victim(tmp_path / "cache") for _ in range(2)]
    jobs = [job(str(n), question("tell", text=str(n))) for n in range(150)]
    for victim in victims:
        victim.submit(*jobs)
    for victim in victims:
        said = [victim.hear() for _ in jobs]
        assert sorted(int(str(one["text"])) for one in said) == list(range(150))
    for victim in victims:
        assert victim.kill() == []
    with closing(AnswerFile(tmp_path / "cache", print)) as cache:
        assert len(cache.get(one.questions[0].key for one in jobs)) == 150


def test_a_ctrl_c_ends_a_batch_and_its_workers(tmp_path: Path) -> None:
    log = tmp_path / "log"
    # a shell may have started this in the background, where an interrupt is ignored
    program = f"""
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from engine_support import engine, job, question
from rewright.engine.batch import running
try:
    with running(engine(workers=2)) as at_work:
        list(at_work.ask([job(a, question(a, log_start={str(log)!r})) for a in {DEEP[:2]!r}]))
except KeyboardInterrupt:
    print("interrupted")
"""
    process = subprocess.Popen([sys.executable, "-c", program], env=environment(), stdout=subprocess.PIPE, text=True)
    assert until(lambda: len(logged(log)) == 2)
    pids = [int(pid) for pid in logged(log)]
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=60)[0] == "interrupted\n"
    assert not any(is_alive(pid) for pid in pids)


# All of it at once


@pytest.mark.parametrize("seed", range(4))
def test_in_a_storm_every_question_ends_once_and_no_process_is_left(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    heard: dict[int, list[Event]] = {}

    def some_question() -> Question:
        act = chance.choice(
            ["tell", "tell", "tell", "count", "count", "complain", "die", "eat_memory", "break_protocol"]
        )
        return question(
            act, log="/dev/null", seconds=0.05, n=chance.randrange(6), definite_from=chance.choice([0, 100])
        )

    async def storm(at_work: Engine) -> None:
        tickets = []
        for number in range(50):
            heard[number] = []
            questions = (some_question() for _ in range(chance.randrange(4)))
            one = job(
                f"j{chance.randrange(12)}", *questions, budget=chance.choice([1, 100]), priority=chance.randrange(2)
            )
            tickets.append(at_work.submit(one, heard[number].append))
            match chance.randrange(8):
                case 0:
                    at_work.cancel(chance.choice(tickets))
                case 1 if at_work.worker_ids:
                    with suppress(ProcessLookupError):
                        os.kill(chance.choice(at_work.worker_ids), signal.SIGKILL)
                case 2:
                    at_work.warm()
            await asyncio.sleep(chance.choice([0.0, 0.0, 0.05]))
        await asyncio.gather(*map(at_work.wait, tickets[:-3]))

    async def check(cache: Cache) -> None:
        async with Engine(cache, COMMAND, 2, WorkerLimits(seconds=1.0, patience=1.0, memory=300 << 20)) as at_work:
            await asyncio.wait_for(storm(at_work), 60)

    with closing(AnswerFile(tmp_path, print)) as cache:
        asyncio.run(check(cache))
    assert not children()
    for events in heard.values():
        *answered, ended = events
        assert isinstance(ended, Ended) and all(isinstance(event, Answered) for event in answered)
        keys = sorted(event.outcome.key for event in answered if isinstance(event, Answered))
        assert keys == sorted({each.key for each in ended.job.questions})
