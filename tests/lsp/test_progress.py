"""When the bar of work-done progress appears, by a clock of its own: no server."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest
from pygls.progress import Progress

from rewright.lsp import progress


class _Shown:
    """Stands for the client's side: which bars were begun."""

    def __init__(self) -> None:
        self.tokens: dict[str, None] = {}
        self.begun: list[str] = []

    async def create_async(self, token: str) -> None:
        self.tokens[token] = None

    def begin(self, token: str, _: Any) -> None:
        self.begun.append(token)

    def report(self, token: str, _: Any) -> None:
        assert token in self.begun

    def end(self, token: str, _: Any) -> None:
        assert token in self.begun


class _Work:
    """Checks that are pending, and the bar that shows them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(progress, "PATIENCE", 0.2)
        self.shown = _Shown()
        self.pending = 1
        self.bar = progress.Bar(cast(Progress, self.shown), lambda: self.pending)

    def start(self) -> asyncio.Task[None]:
        life = self.bar.start()
        assert life is not None
        return asyncio.get_running_loop().create_task(life)

    def set(self, *pending: int) -> None:
        for self.pending in pending:
            self.bar.changed()


@pytest.mark.asyncio
async def test_a_bar_appears_for_a_check_that_lasts(monkeypatch: pytest.MonkeyPatch) -> None:
    work = _Work(monkeypatch)
    life = work.start()
    async with asyncio.timeout(20):
        while not work.shown.begun:
            await asyncio.sleep(0.01)
    work.set(0)
    await life
    assert len(work.shown.begun) == 1


@pytest.mark.asyncio
async def test_no_bar_appears_where_a_short_check_follows_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first ends and the second begins before the bar is due: the second's time counts from its own begin."""
    work, loop = _Work(monkeypatch), asyncio.get_running_loop()
    now = loop.time()
    loop.call_at(now + 0.1, work.set, 0, 1)
    loop.call_at(now + 0.25, work.set, 0)
    await work.start()
    assert work.shown.begun == []
