"""A worker whose payloads say how it is to behave. Run as a program, never imported by the tests."""

from __future__ import annotations

import ctypes
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3] / "server"))

from rewright.engine.jobs import AnswerStanding, Decision
from rewright.engine.worker import Handler, serve


def append(path: str, text: str) -> None:
    with open(path, "a") as file:
        file.write(text + "\n")


def tell(order: dict[str, object]) -> str:
    return str(order.get("text", "ok"))


def count(order: dict[str, object]) -> str:
    """Leaves a line in a file for each time it is asked; waits for another file if there is a `gate`."""
    append(str(order["log"]), f"{os.getpid()} {order.get('name', '')}")
    while "gate" in order and not os.path.exists(str(order["gate"])):
        time.sleep(0.005)
    time.sleep(float(str(order.get("seconds", 0))))
    return tell(order)


def sleep_without_lock(order: dict[str, object]) -> str:
    ctypes.CDLL(None).sleep(1000)
    return "woke"


def sleep_with_lock(order: dict[str, object]) -> str:
    ctypes.PyDLL(None).sleep(1000)
    return "woke"


def backtrack(order: dict[str, object]) -> str:
    return str(re.match(r"(a+)+$", "a" * 60 + "b"))


def solve_hard_problem(order: dict[str, object]) -> str:
    import z3

    x, y = z3.BitVecs("x y", 256)
    solver = z3.Solver()
    solver.add(x * y == 0xC0FFEE_C0FFEE_C0FFEE_C0FFEE_C0FFEE_C0FFEE_F1, z3.UGT(x, 1), z3.UGT(y, 1), x != y)
    return str(solver.check())


def die(order: dict[str, object]) -> str:
    os.kill(os.getpid(), signal.SIGKILL)
    return "never"


def die_once(order: dict[str, object]) -> str:
    marker = Path(str(order["marker"]))
    if not marker.exists():
        marker.touch()
        die(order)
    return "second time"


def crash_in_c(order: dict[str, object]) -> str:
    return str(ctypes.string_at(0))


def print_junk(order: dict[str, object]) -> str:
    print('{"say":"done","worn":false}', flush=True)
    os.write(1, b"junk\n")
    subprocess.run(["echo", "junk"], check=True)
    return "undisturbed"


def break_protocol(order: dict[str, object]) -> str:
    for descriptor in range(3, 20):
        try:
            os.write(descriptor, b"not a message\n")
        except OSError:
            continue
    time.sleep(1000)
    return "never"


def read_input(order: dict[str, object]) -> str:
    return repr(sys.stdin.read())


def eat_memory(order: dict[str, object]) -> str:
    held = []
    while True:
        held.append(bytearray(16 << 20))


def abort_for_memory(order: dict[str, object]) -> str:
    os.write(2, b"terminate called after throwing an instance of 'std::bad_alloc'\n")
    os.abort()


leak: list[bytearray] = []


def keep_memory(order: dict[str, object]) -> str:
    leak.append(bytearray(int(str(order["bytes"]))))
    return str(os.getpid())


def complain(order: dict[str, object]) -> str:
    raise ValueError("the payload makes no sense")


def complain_aloud(order: dict[str, object]) -> str:
    print(tell(order), file=sys.stderr, flush=True)
    time.sleep(0.1)
    return "said"


def start_child(order: dict[str, object]) -> str:
    child = subprocess.Popen(["sleep", "1000"])
    append(str(order["log"]), str(child.pid))
    time.sleep(1000)
    return "never"


def describe_process(order: dict[str, object]) -> str:
    import resource

    return json.dumps(
        {
            "pid": os.getpid(),
            "nice": os.nice(0),
            "session": os.getsid(0),
            "memory": resource.getrlimit(resource.RLIMIT_AS)[0],
            "safe_path": sys.flags.safe_path,
        }
    )


def repeat(order: dict[str, object]) -> str:
    return "x" * int(str(order["bytes"]))


def measure(order: dict[str, object]) -> str:
    return str(len(str(order["load"])))


ACTS: dict[str, Callable[[dict[str, object]], str]] = {
    function.__name__: function
    for function in (
        tell, count, sleep_without_lock, sleep_with_lock, backtrack, solve_hard_problem, die, die_once, crash_in_c,
        print_junk, break_protocol, read_input, eat_memory, abort_for_memory, keep_memory, complain,
        complain_aloud, start_child, describe_process, repeat, measure,
    )
}  # fmt: skip


def handle(payload: str, budget: int) -> Decision:
    order = json.loads(payload)
    if "log_start" in order:
        append(str(order["log_start"]), str(os.getpid()))
    if budget < int(order.get("stuck_below", 0)):
        time.sleep(1000)
    text = ACTS[order["do"]](order)
    standing = AnswerStanding(order.get("standing", "definite"))
    if budget >= int(order.get("definite_from", 0)):
        return Decision(text, standing)
    return Decision(f"unknown within {budget}", AnswerStanding.BUDGET)


def load() -> Handler:
    match sys.argv[1:]:
        case ["--broken"]:
            raise ImportError("no such solver")
        case ["--hangs"]:
            time.sleep(1000)
        case ["--greedy"]:
            raise MemoryError
        case ["--tells", log]:
            append(log, str(os.getpid()))
    return handle


if __name__ == "__main__":
    serve(load)
