"""Jobs through real workers: answers, order, sharing, priority, superseding."""

from __future__ import annotations

import asyncio
import json
import os
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from engine_support import (
    COMMAND,
    LIMITS,
    Listener,
    children,
    engine,
    failures,
    is_alive,
    job,
    logged,
    question,
    replies,
    there,
    until,
)

from rewright.engine.answer_file import AnswerFile
from rewright.engine.batch import running
from rewright.engine.cache import NoCache
from rewright.engine.jobs import Answered, Ended, Event, FailureKind, Job, Reply, WorkerLimits
from rewright.engine.scheduler import CANCELLED, SUPERSEDED, Engine


def test_answers_come_one_by_one_and_the_job_ends_in_the_order_of_its_questions(tmp_path: Path) -> None:
    heard = Listener()

    async def check() -> Ended:
        async with engine() as at_work:
            three = [question("tell", text=text) for text in "abc"]
            return await at_work.wait(at_work.submit(job("j", *three), heard))

    ended = asyncio.run(check())
    assert replies(ended) == ["a", "b", "c"]
    assert [type(event) for event in heard.events] == [Answered, Answered, Answered, Ended]
    assert not children()


def test_an_answer_is_heard_before_the_next_question_is_done() -> None:
    async def check() -> None:
        async with engine() as at_work:
            first = asyncio.Event()
            ticket = at_work.submit(job("j", question("tell"), question("sleep_with_lock")), lambda event: first.set())
            await asyncio.wait_for(first.wait(), 10)
            assert not ticket.ended

    asyncio.run(check())


def test_an_answer_is_in_the_file_before_it_is_heard(tmp_path: Path) -> None:
    seen: list[bool] = []
    with closing(AnswerFile(tmp_path, print)) as cache, closing(AnswerFile(tmp_path, print)) as next_start:

        def listen(event: Event) -> None:
            if isinstance(event, Answered):
                seen.append(event.outcome.key in next_start.get([event.outcome.key]))

        async def check() -> None:
            async with Engine(cache, COMMAND, 1, LIMITS) as at_work:
                await at_work.wait(at_work.submit(job("j", question("tell"), question("tell", text="b")), listen))

        asyncio.run(check())
    assert seen == [True, True]


def test_a_job_without_questions_ends() -> None:
    heard = Listener()

    async def check() -> None:
        async with engine() as at_work:
            ticket = at_work.submit(job("empty"), heard)
            assert heard.events == []
            assert (await at_work.wait(ticket)).outcomes == ()

    asyncio.run(check())
    assert heard.events == [Ended(job("empty"), ())]


def test_a_key_that_stands_twice_in_a_job_is_asked_once(tmp_path: Path) -> None:
    log = tmp_path / "log"
    heard = Listener()

    async def check() -> Ended:
        async with engine() as at_work:
            same = question("count", log=str(log))
            return await at_work.wait(at_work.submit(job("j", same, same), heard))

    assert replies(asyncio.run(check())) == ["ok", "ok"]
    assert len(logged(log)) == 1
    assert len(heard.events) == 2


def test_a_question_that_two_jobs_ask_at_once_is_computed_once(tmp_path: Path) -> None:
    log, gate = tmp_path / "log", tmp_path / "gate"
    shared = question("count", log=str(log), gate=str(gate))

    async def check() -> list[Ended]:
        async with engine(workers=2) as at_work:
            one = at_work.submit(job("one", shared))
            two = at_work.submit(job("two", question("tell"), shared))
            await there(log)
            gate.touch()
            return [await at_work.wait(one), await at_work.wait(two)]

    one, two = asyncio.run(check())
    assert replies(one) == ["ok"] and replies(two) == ["ok", "ok"]
    assert len(logged(log)) == 1


def test_who_shares_a_question_of_a_cancelled_job_has_it_computed_anew(tmp_path: Path) -> None:
    log, gate = tmp_path / "log", tmp_path / "gate"
    shared = question("count", log=str(log), gate=str(gate))

    async def check() -> tuple[Ended, Ended]:
        async with engine(workers=2) as at_work:
            one = at_work.submit(job("one", shared, question("sleep_with_lock")))
            two = at_work.submit(job("two", shared))
            await there(log)
            at_work.cancel(one)
            gate.touch()
            return await at_work.wait(one), await at_work.wait(two)

    one, two = asyncio.run(check())
    assert [failure.kind for failure in failures(one.outcomes)] == [FailureKind.CANCELLED] * 2
    assert replies(two) == ["ok"]
    assert len(set(logged(log))) == 2


def test_who_shares_a_question_that_ran_out_of_time_gets_a_clock_of_its_own() -> None:
    shared = question("tell")

    async def check() -> tuple[Ended, Ended]:
        async with engine(workers=2, limits=WorkerLimits(seconds=0.5, patience=1.0, memory=None)) as at_work:
            one = at_work.submit(job("one", question("sleep_with_lock"), shared))
            two = at_work.submit(job("two", shared))
            return await at_work.wait(one), await at_work.wait(two)

    one, two = asyncio.run(check())
    assert [failure.kind for failure in failures(one.outcomes)] == [FailureKind.TIME] * 2
    assert replies(two) == ["ok"]


def test_a_newer_submission_supersedes_an_older_one(tmp_path: Path) -> None:
    log = tmp_path / "log"
    heard = Listener()

    async def check() -> tuple[Ended, Ended]:
        async with engine() as at_work:
            old = at_work.submit(job("j", question("sleep_with_lock", log_start=str(log))), heard)
            await there(log)
            new = at_work.submit(job("j", question("tell", text="new")))
            assert old.ended, "the old one is over when `submit` returns"
            return await at_work.wait(old), await at_work.wait(new)

    old, new = asyncio.run(check())
    assert [failure.detail for failure in failures(old.outcomes)] == [SUPERSEDED]
    assert replies(new) == ["new"]
    assert len(heard.events) == 2


def test_superseding_by_the_same_questions_loses_no_work(tmp_path: Path) -> None:
    log, gate = tmp_path / "log", tmp_path / "gate"
    slow = question("count", log=str(log), gate=str(gate))

    async def check() -> Ended:
        async with engine() as at_work:
            at_work.submit(job("j", slow))
            await there(log)
            again = at_work.submit(job("j", slow))
            gate.touch()
            return await at_work.wait(again)

    assert replies(asyncio.run(check())) == ["ok"]
    assert len(logged(log)) == 1


def test_superseding_by_the_same_questions_with_more_budget_starts_over(tmp_path: Path) -> None:
    log = tmp_path / "log"
    one = question("tell", stuck_below=50, log_start=str(log))

    async def check() -> Ended:
        async with engine() as at_work:
            at_work.submit(job("j", one, budget=10))
            await there(log)
            return await at_work.wait(at_work.submit(job("j", one, budget=100)))

    assert replies(asyncio.run(check())) == ["ok"]
    assert len(set(logged(log))) == 2, "another worker"


def test_an_unknown_of_a_smaller_budget_does_not_answer_a_job_with_a_larger_one() -> None:
    one = question("count", log="/dev/null", seconds=0.1, definite_from=100)

    async def check() -> list[str]:
        async with engine(workers=2) as at_work:
            at_work.submit(job("small", one, budget=10))
            return replies(await at_work.wait(at_work.submit(job("large", one, budget=100))))

    assert asyncio.run(check()) == ["ok"]


def test_a_run_that_another_one_made_needless_is_killed(tmp_path: Path) -> None:
    log = tmp_path / "log"
    one = question("tell", stuck_below=50, log_start=str(log))

    async def check() -> None:
        async with engine(workers=2) as at_work:
            small = at_work.submit(job("small", one, budget=10))
            await there(log)
            large = at_work.submit(job("large", one, budget=100))
            assert replies(await at_work.wait(large)) == replies(await at_work.wait(small)) == ["ok"]
            assert await asyncio.to_thread(until, lambda: not is_alive(int(logged(log)[0])))

    asyncio.run(check())


def test_closing_in_the_middle_of_anything_leaves_no_process(tmp_path: Path) -> None:
    async def check(milliseconds: int) -> None:
        async with engine(workers=2) as at_work:
            for n in range(6):
                at_work.submit(job(str(n % 4), question("count", log="/dev/null", n=n % 3), question("die"), budget=n))
            await asyncio.sleep(milliseconds / 1000)

    for milliseconds in (0, 1, 20, 60, 90, 120, 150):
        asyncio.run(check(milliseconds))
        assert not children()


def test_higher_priority_goes_first_then_what_cost_less_last_time(tmp_path: Path) -> None:
    log = tmp_path / "log"
    cache = AnswerFile(tmp_path / "cache", print)
    cache.put_cost("dear", 900.0)
    cache.put_cost("cheap", 1.0)

    def named(name: str, priority: int = 0) -> Job:
        return job(name, question("count", log=str(log), name=name), priority=priority)

    async def check() -> None:
        async with Engine(cache, COMMAND, 1, LIMITS) as at_work:
            order = [named("dear"), named("unknown"), named("cheap"), named("edited", priority=1)]
            for ticket in [at_work.submit(one) for one in order]:
                await at_work.wait(ticket)

    with closing(cache):
        asyncio.run(check())
    assert [line.split()[1] for line in logged(log)] == ["edited", "cheap", "unknown", "dear"]


def test_the_cost_of_a_job_is_remembered(tmp_path: Path) -> None:
    cache = AnswerFile(tmp_path, print)

    async def check() -> None:
        async with Engine(cache, COMMAND, 1, LIMITS) as at_work:
            await at_work.wait(at_work.submit(job("j", question("count", log=str(tmp_path / "log"), seconds=0.1))))

    with closing(cache):
        asyncio.run(check())
        assert 100 <= cache.costs(["j"])["j"] < 5000


def test_no_more_jobs_run_at_once_than_there_are_workers(tmp_path: Path) -> None:
    async def check() -> None:
        async with engine(workers=2) as at_work:
            tickets = [
                at_work.submit(job(str(n), question("count", log=str(tmp_path / "log"), n=n))) for n in range(12)
            ]
            for ticket in tickets:
                await at_work.wait(ticket)
            assert len(at_work.worker_ids) <= 2
            assert set(at_work.worker_ids) == children()

    asyncio.run(check())
    assert len(logged(tmp_path / "log")) == 12
    assert not children()


def test_payload_and_answer_of_many_megabytes_pass() -> None:
    async def check() -> None:
        async with engine() as at_work:
            load = question("measure", load="y" * (12 << 20))
            back = question("repeat", bytes=12 << 20)
            measured, repeated = replies(await at_work.wait(at_work.submit(job("j", load, back))))
            assert measured == str(12 << 20)
            assert repeated == "x" * (12 << 20)

    asyncio.run(check())


def test_any_text_passes_unchanged() -> None:
    odd = '\x00\n\r\u2028"\\é𝔸\ud800'

    async def check() -> None:
        async with engine() as at_work:
            assert replies(await at_work.wait(at_work.submit(job("j", question("tell", text=odd))))) == [odd]

    asyncio.run(check())


def test_a_listener_that_raises_is_reported_and_disturbs_nobody() -> None:
    reported: list[BaseException] = []

    def listen(event: object) -> None:
        raise KeyError("listener")

    async def check() -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: reported.append(context["exception"]))
        async with engine() as at_work:
            assert replies(await at_work.wait(at_work.submit(job("j", question("tell")), listen))) == ["ok"]

    asyncio.run(check())
    assert [type(error) for error in reported] == [KeyError, KeyError]


def test_a_failure_inside_the_engine_ends_the_job_as_crashed() -> None:
    class Unsound(AnswerFile):
        def put(self, entries: object) -> None:
            raise AssertionError("a bug")

    async def check(directory: str) -> Ended:
        async with Engine(Unsound(Path(directory), print), COMMAND, 1, LIMITS) as at_work:
            return await at_work.wait(at_work.submit(job("j", question("tell"), question("tell", text="b"))))

    import tempfile

    with tempfile.TemporaryDirectory() as directory:
        ended = asyncio.run(check(directory))
    assert [failure.kind for failure in failures(ended.outcomes)] == [FailureKind.CRASHED] * 2
    assert "a bug" in failures(ended.outcomes)[0].detail


def test_cancelling_before_anything_started_ends_the_job() -> None:
    async def check() -> Ended:
        async with engine() as at_work:
            ticket = at_work.submit(job("j", question("tell")))
            at_work.cancel(ticket)
            at_work.cancel(ticket)
            return await at_work.wait(ticket)

    assert [failure.detail for failure in failures(asyncio.run(check()).outcomes)] == [CANCELLED]


def test_a_closed_engine_takes_no_jobs() -> None:
    async def check() -> None:
        at_work = engine()
        ticket = at_work.submit(job("j", question("sleep_with_lock")))
        await at_work.close()
        await at_work.close()
        assert ticket.ended
        with pytest.raises(RuntimeError):
            at_work.submit(job("k", question("tell")))

    asyncio.run(check())
    assert not children()


def test_an_engine_needs_a_worker() -> None:
    with pytest.raises(ValueError, match="at least one"):
        engine(workers=0)


def test_workers_know_their_place() -> None:
    async def check() -> dict[str, object]:
        async with engine(limits=WorkerLimits(memory=3 << 30)) as at_work:
            (text,) = replies(await at_work.wait(at_work.submit(job("j", question("describe_process")))))
            return dict(json.loads(text))

    found = asyncio.run(check())
    assert found["nice"] == min(os.nice(0) + 10, 19)
    assert found["session"] == found["pid"]
    assert found["memory"] == 3 << 30
    assert found["safe_path"] is True, "a module in the workspace must not be imported"


# Without an event loop


def test_a_batch_yields_every_event_and_leaves_no_process() -> None:
    jobs = [job(str(n), question("tell", text=str(n))) for n in range(5)]
    with running(engine(workers=2)) as at_work:
        events = list(at_work.ask(jobs))
    assert sorted(event.job.id for event in events if isinstance(event, Ended)) == list("01234")
    assert sum(isinstance(event, Answered) for event in events) == 5
    assert not children()


def test_a_batch_that_is_all_in_the_cache_starts_no_worker(tmp_path: Path) -> None:
    jobs = [job(str(n), question("tell", text=str(n))) for n in range(5)]
    with closing(AnswerFile(tmp_path, print)) as cache:
        with running(Engine(cache, COMMAND, 1, LIMITS)) as at_work:
            list(at_work.ask(jobs))
        with running(Engine(cache, ("/no/such/program",), 1, LIMITS)) as at_work:
            events = list(at_work.ask(jobs))
    outcomes = [outcome for event in events if isinstance(event, Ended) for outcome in event.outcomes]
    assert [isinstance(outcome, Reply) and outcome.cached for outcome in outcomes] == [True] * 5


def test_a_batch_that_is_left_early_leaves_no_process() -> None:
    jobs = [job("quick", question("tell")), job("slow", question("sleep_with_lock"))]
    with running(engine(workers=2)) as at_work, closing(at_work.ask(jobs)) as events:
        next(events)
        assert children()
    assert not children()


def test_workers_load_while_the_program_makes_what_it_asks(tmp_path: Path) -> None:
    log = tmp_path / "log"
    command = (*COMMAND, "--tells", str(log))
    with running(Engine(NoCache(), command, 2, LIMITS), workers=2) as at_work:
        early = children()
        assert until(lambda: {int(pid) for pid in logged(log)} == early), "nobody runs the event loop meanwhile"
        for _ in at_work.ask([job(str(n), question("tell", text=str(n))) for n in range(5)]):
            assert children() == early
    assert not children()


def test_what_follows_a_job_gets_its_worker_and_no_new_one() -> None:
    async def check() -> None:
        async with engine(workers=2) as at_work:
            for number in range(20):
                ended = asyncio.Event()
                listen = partial(_set_at_the_end, ended)
                at_work.submit(job(str(number), question("tell", text=str(number))), listen)
                await ended.wait()
            assert len(at_work.worker_ids) == 1

    asyncio.run(check())


def _set_at_the_end(ended: asyncio.Event, event: Event) -> None:
    if isinstance(event, Ended):
        ended.set()


def test_a_program_that_cannot_be_started_early_is_reported_by_who_needs_it() -> None:
    with running(Engine(NoCache(), ("/no/such/program",), 1, LIMITS), workers=1) as at_work:
        (ended,) = (event for event in at_work.ask([job("j", question("tell"))]) if isinstance(event, Ended))
    assert "cannot be started" in failures(ended.outcomes)[0].detail


@pytest.mark.parametrize("niceness", [0, 3])
def test_workers_step_back_as_far_as_they_have_to(niceness: int) -> None:
    async def further() -> int:
        async with engine(limits=WorkerLimits(memory=None, niceness=niceness)) as at_work:
            await at_work.wait(at_work.submit(job("j", question("tell"))))
            (worker,) = at_work.worker_ids
            return os.getpriority(os.PRIO_PROCESS, worker) - os.getpriority(os.PRIO_PROCESS, os.getpid())

    assert asyncio.run(further()) == niceness
