"""`initialize`: the session begins: what the client can do and wants, where the workspace is, who does the work."""

from __future__ import annotations

from lsprotocol import types
from msgspec.structs import replace

from rewright.engine.cache import NoCache
from rewright.engine.jobs import WorkerLimits
from rewright.engine.opening import open_cache
from rewright.engine.scheduler import Engine
from rewright.lsp import machine
from rewright.lsp.buffers import Buffers
from rewright.lsp.client import client_of
from rewright.lsp.folders import folders_of, project_of
from rewright.lsp.lifetime import gone
from rewright.lsp.progress import Bar
from rewright.lsp.publishing import Publisher
from rewright.lsp.server import RewrightServer
from rewright.lsp.session import Session
from rewright.lsp.settings import UserSettings, merged
from rewright.workspace.batch import FRONT_WORKER, WORKER
from rewright.workspace.engines import Engines
from rewright.workspace.ground import Ground
from rewright.workspace.recollection import Recollection

LONGEST_LOWERING = 10.0
"""Seconds that the sources of one moment may take to be lowered."""


def handle(server: RewrightServer, params: types.InitializeParams) -> None:
    """Starts the session, which ends at the latest when the client's process is gone."""
    client = client_of(params.capabilities)
    settings = merged(UserSettings(), params.initialization_options)
    folders = {folder: project_of(server, folder) for folder in folders_of(_uris(params))}
    cache = open_cache(server.cache, server.warn)
    memory = min([machine.memory(settings.memory), *(said.memory for said in folders.values())])
    limits = WorkerLimits(memory=memory << 20)
    engine = Engine(cache, WORKER, machine.workers(settings.workers), limits)
    front = Engine(NoCache(), FRONT_WORKER, 1, replace(limits, seconds=LONGEST_LOWERING))
    ground = Ground()
    for folder, said in folders.items():
        ground.add(folder, said)
    buffers, recollection = Buffers(client.encoding), Recollection(ground, cache)
    publisher = Publisher(server, client, recollection, buffers)
    bar = Bar(server.work_done_progress, lambda: server.session.viewed.pending())
    engines = Engines(engine, front)
    session = Session(client, settings, buffers, ground, recollection, publisher, bar, engines, cache)
    server.protocol.trace = params.trace or types.TraceValue.Off
    server.begin(session)
    if params.process_id is not None:
        server.spawn(_leave_with(server, params.process_id))


def _uris(params: types.InitializeParams) -> list[str]:
    """The client's folders; without one, the workspace is where the first file opened is."""
    folders = [folder.uri for folder in params.workspace_folders or []]
    return folders or ([params.root_uri] if params.root_uri else [])


async def _leave_with(server: RewrightServer, process: int) -> None:
    await gone(process)
    server.leave(0)
