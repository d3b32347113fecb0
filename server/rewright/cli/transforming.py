"""What `rewright transform` does once the command line is read: a nest in another order, proved, as text.

Exit status: 0 if a transform was proved, 1 if a dependence forbids the order, 2 if none could be written.
"""

from __future__ import annotations

import codecs
import os
from contextlib import closing
from pathlib import Path

from msgspec import Struct

from rewright.cli.printing import put, refuse, say, visible_lines
from rewright.engine.batch import running
from rewright.engine.jobs import Ended, WorkerLimits
from rewright.engine.opening import open_cache
from rewright.engine.scheduler import Engine
from rewright.workspace.batch import WORKER
from rewright.workspace.settings import Settings, SettingsError, load
from rewright.workspace.sources import Sources, workspace_root
from rewright.workspace.transforming import Came, OrderJob, OrderReply, OrderRequest, job_for

SECONDS = 60.0
"""What it may take to write and prove a transform."""

STATUS = {Came.PROVED: 0, Came.FORBIDDEN: 1, Came.NOTHING: 2}


class TransformRun(Struct, frozen=True):
    """What is asked of a file; `write` the transform there, else print it. `cache` is the folder of answers."""

    path: Path
    request: OrderRequest
    write: bool
    cache: Path | None


def transform(run: TransformRun) -> int:
    """Prints or writes the transform, or says why there is none; the exit status."""
    root = workspace_root(Path(os.path.abspath(run.path)))
    try:
        settings = load(root)
    except SettingsError as error:
        refuse(str(error))
    asked = job_for(os.path.abspath(run.path), run.request, Sources(root), settings)
    reply = asked if isinstance(asked, OrderReply) else _reply(asked, run.cache, settings)
    if reply.came is Came.PROVED and run.write:
        _write(reply, run.path)
    elif reply.came is Came.PROVED:
        put(visible_lines(reply.text.replace("\r\n", "\n").strip("\n")))
    say(reply.said)
    return STATUS[reply.came]


def _reply(asked: OrderJob, cache: Path | None, settings: Settings) -> OrderReply:
    limits = WorkerLimits(SECONDS, settings.memory << 20, niceness=0)
    with closing(open_cache(cache, say)) as kept, running(Engine(kept, WORKER, 1, limits), 1) as at_work:
        ended = next(event for event in at_work.ask([asked.job]) if isinstance(event, Ended))
    return asked.reply(ended.outcomes[0])


def _write(reply: OrderReply, path: Path) -> None:
    try:
        raw = path.read_bytes()
        at = len(raw) - len(raw.removeprefix(codecs.BOM_UTF8)) + reply.at
        path.write_bytes(raw[:at] + reply.text.encode() + raw[at:])
    except OSError as error:
        refuse(f"cannot write {path}: {error.strerror}")
