"""The programs of Rewright with faults put into their steps: `python injected.py cli|server|worker|front STEPS ...`.

STEPS is `424201=module:function,…`: a step raises when it works on something that has its number in it. Numbers of a
rule's or kernel's text reach the workers in constants of what is asked, and other steps in names.
"""

from __future__ import annotations

import functools
import importlib
import sys
from collections.abc import Callable, Iterable
from typing import Any

asked = ""
"""What the worker is answering; nothing while it lowers sources, whose text has the numbers of all its kernels."""


class Injected(Exception):
    """A fault that is not ours."""


def put_in(steps: str) -> None:
    """Has each step raise for its number, wherever the function is known by now."""
    for number, step in (each.split("=") for each in steps.split(",") if each):
        module, name = step.split(":")
        old = getattr(importlib.import_module(module), name)
        new = faulty(old, number, step)
        for known in [each for key, each in sys.modules.items() if key.startswith("rewright.")]:
            for key, value in list(vars(known).items()):
                if value is old:
                    setattr(known, key, new)


def faulty(step: Callable[..., Any], number: str, name: str) -> Callable[..., Any]:
    @functools.wraps(step)
    def run(*arguments: Any, **named: Any) -> Any:
        if number in asked or number in worked_on((*arguments, *named.values())):
            raise Injected(name)
        return step(*arguments, **named)

    return run


def worked_on(arguments: Iterable[Any]) -> str:
    """What a step works on: the name of the declaration, if an argument has one."""
    parts = [getattr(each, "declared", getattr(each, "result", each)) for each in arguments]
    named = [each.name for each in parts if isinstance(getattr(each, "name", None), str)]
    return " ".join(named or map(repr, parts))


def serve(role: str, steps: str) -> None:
    """A worker that knows what it is asked."""
    from rewright.checks import table as checks
    from rewright.checks.kernel_question import LoweringPayload, OutlinePayload
    from rewright.engine.worker import serve
    from rewright.fixes import questions as fixes
    from rewright.verdict.codec import decode
    from rewright.workers import front, full

    def load() -> Callable[[str, int], Any]:
        handle = {"worker": full.load, "front": front.load}[role]()
        for module in ("checks.lowering", "checks.kernel", "checks.second_opinion"):
            importlib.import_module(f"rewright.{module}")
        for module in ("fixes.kernels.search", "fixes.preconditions.rule_fixes"):
            importlib.import_module(f"rewright.{module}")
        put_in(steps)

        def noted(payload: str, budget: int) -> Any:
            global asked
            lowers = isinstance(decode(checks.Payload | fixes.Payload, payload), LoweringPayload | OutlinePayload)
            asked = "" if lowers else payload
            return handle(payload, budget)

        return noted

    serve(load)


def main() -> None:
    role, steps, *rest = sys.argv[1:]
    if role in ("worker", "front"):
        serve(role, steps)
    from rewright.workspace import batch

    batch.WORKER = (sys.executable, __file__, "worker", steps)
    batch.FRONT_WORKER = (sys.executable, __file__, "front", steps)
    sys.argv = ["rewright", *rest]
    if role == "cli":
        from rewright.cli import checking, commands, terminal  # noqa: F401
        from rewright.workspace import asking  # noqa: F401

        put_in(steps)
        commands.app()
    else:
        from rewright.lsp import main as server

        put_in(steps)
        server.main()


if __name__ == "__main__":
    main()
