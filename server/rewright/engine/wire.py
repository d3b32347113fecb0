"""What engine and worker say to each other: JSON, one message a line, ASCII only.

The engine sends `Hello`, then one `Task` at a time; the worker sends `Ready`, then for each task one `Decided` or
`Raised` per question as soon as it has one, and `Done`. A worker that runs out of memory says so and exits.
Invariant: a line that is not exactly one of these messages raises `InvalidLine`. Must not know about processes.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeVar

from msgspec import Struct

from rewright.engine.jobs import AnswerStanding, Decision, Question

T = TypeVar("T")


class InvalidLine(ValueError):
    """The line is no message of this protocol."""


class Hello(Struct, frozen=True):
    """Process id of the engine, bytes of address space the worker may use (None: no limit), and its niceness."""

    parent: int
    memory: int | None
    niceness: int


class Task(Struct, frozen=True):
    """Questions to answer in this order."""

    questions: tuple[Question, ...]
    budget: int


class Ready(Struct, frozen=True):
    """The worker has loaded what it needs."""


class Decided(Struct, frozen=True):
    """The answer to one question, found in `milliseconds`."""

    key: str
    decision: Decision
    milliseconds: float


class Raised(Struct, frozen=True):
    """The handler raised; the traceback. The worker goes on."""

    key: str
    traceback: str
    milliseconds: float


class OutOfMemory(Struct, frozen=True):
    """The handler hit the memory limit; the worker exits."""


class Done(Struct, frozen=True):
    """All questions of the task are answered. `worn`: the worker has grown and wants to be replaced."""

    worn: bool


Message = Ready | Decided | Raised | OutOfMemory | Done


def hello_line(hello: Hello) -> bytes:
    """`hello` as one line."""
    return _line("hello", parent=hello.parent, memory=hello.memory, niceness=hello.niceness)


def task_line(task: Task) -> bytes:
    """`task` as one line."""
    questions = [[question.key, question.payload] for question in task.questions]
    return _line("task", questions=questions, budget=task.budget)


def message_line(message: Message) -> bytes:
    """`message` as one line."""
    match message:
        case Ready():
            return _line("ready")
        case Decided(key, Decision(text, standing), milliseconds):
            return _line("decided", key=key, text=text, standing=standing.value, milliseconds=milliseconds)
        case Raised(key, traceback, milliseconds):
            return _line("raised", key=key, traceback=traceback, milliseconds=milliseconds)
        case OutOfMemory():
            return _line("out of memory")
        case Done(worn):
            return _line("done", worn=worn)


def read_hello(line: bytes) -> Hello:
    """The `Hello` that `line` is. Raises `InvalidLine`."""
    return _read(line, {"hello": lambda m: Hello(int(m["parent"]), m["memory"], int(m["niceness"]))})


def read_task(line: bytes) -> Task:
    """The `Task` that `line` is. Raises `InvalidLine`."""
    return _read(line, {"task": _task})


def read_message(line: bytes) -> Message:
    """The message of a worker that `line` is. Raises `InvalidLine`."""
    return _read(line, _MESSAGES)


def _task(fields: dict[str, Any]) -> Task:
    return Task(tuple(Question(str(key), str(payload)) for key, payload in fields["questions"]), int(fields["budget"]))


def _decided(fields: dict[str, Any]) -> Decided:
    decision = Decision(_text(fields["text"]), AnswerStanding(fields["standing"]))
    return Decided(_text(fields["key"]), decision, float(fields["milliseconds"]))


def _raised(fields: dict[str, Any]) -> Raised:
    return Raised(_text(fields["key"]), _text(fields["traceback"]), float(fields["milliseconds"]))


_MESSAGES: dict[str, Callable[[dict[str, Any]], Message]] = {
    "ready": lambda fields: Ready(),
    "decided": _decided,
    "raised": _raised,
    "out of memory": lambda fields: OutOfMemory(),
    "done": lambda fields: Done(bool(fields["worn"])),
}


def _read(line: bytes, readers: dict[str, Callable[[dict[str, Any]], T]]) -> T:
    try:
        fields = json.loads(line)
        return readers[fields["say"]](fields)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InvalidLine(f"not a message: {line[:80]!r}") from error


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"text expected, got {type(value).__name__}")
    return value


def _line(say: str, **fields: object) -> bytes:
    return json.dumps({"say": say, **fields}, separators=(",", ":")).encode("ascii") + b"\n"
