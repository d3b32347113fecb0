"""What a check answers is a function of its query: neither what else z3 holds nor the clock decides."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

PRELUDE = """
from rewright.solve import TruthHolds, Query, open_session
from rewright.terms import add, at_most, equal, floor_divide, less, maximum, multiply, number, subtract, variable

def checked(*truths):
    session = open_session(Query((), tuple(map(TruthHolds, truths))))
    return session, session.check(1_000_000, 20.0).value, session.steps()

x, y, size, gap, step, count = (variable(name, None) for name in ("x", "y", "size", "gap", "step", "count"))
none, one = number(0), number(1)
"""

IN_COMPANY = """
padded = add(size, multiply(gap, maximum(none, subtract(size, one))))
truths = (
    *(at_most(one, each) for each in (step, y)),
    *(at_most(none, each) for each in (size, gap, x, count)),
    less(floor_divide(subtract(padded, multiply(x, y)), step), count),
    less(multiply(count, step), subtract(padded, multiply(x, y))),
)
alone = checked(*truths)[1:]
other, *_ = checked(at_most(none, x))
print(alone == checked(*truths)[1:], alone)
"""

FACTORS = """
checked(at_most(none, x))
print("asks", flush=True)
print(checked(equal(multiply(x, y), number(101 * 103)), less(one, x), less(x, y))[1:])
"""

PAUSES, PAUSE, BETWEEN = 40, 0.25, 0.005
"""How often the process is stopped at most, for how long, and for how long it then runs, in seconds."""


def started(script: str) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", PRELUDE + script], stdout=subprocess.PIPE, text=True)


def test_what_else_z3_holds_decides_nothing() -> None:
    printed, _ = started(IN_COMPANY).communicate()
    assert printed.startswith("True ('unsat', ")


def test_a_process_that_hardly_runs_answers_the_same() -> None:
    usual, _ = started(FACTORS).communicate()
    slow = started(FACTORS)
    assert slow.stdout is not None
    asks = slow.stdout.readline()
    for _ in range(PAUSES):
        time.sleep(BETWEEN)
        if slow.poll() is not None:
            break
        slow.send_signal(signal.SIGSTOP)
        time.sleep(PAUSE)
        slow.send_signal(signal.SIGCONT)
    printed, _ = slow.communicate()
    assert "'sat'" in printed
    assert usual == asks + printed
