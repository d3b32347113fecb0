"""`initialize`: the session begins: what the client can do and wants, where the workspace is, who does the work."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from lsprotocol import types

from rewright.engine.cache import NoCache, open_cache
from rewright.engine.jobs import Limits
from rewright.engine.scheduler import Engine
from rewright.lsp.buffers import Buffers
from rewright.lsp.client import client_of
from rewright.lsp.lifetime import gone
from rewright.lsp.progress import Bar
from rewright.lsp.semantic_tokens import Words
from rewright.lsp.server import RewrightServer
from rewright.lsp.session import Session
from rewright.lsp.settings import Settings, merged
from rewright.lsp.uris import path_of
from rewright.lsp.views import Views
from rewright.workspace import settings as project
from rewright.workspace.batch import FRONT_WORKER, WORKER
from rewright.workspace.workspace import Engines, Workspace

METHOD = types.INITIALIZE

LONGEST_LOWERING = 10.0
"""Seconds that the sources of one moment may take to be lowered."""


def handle(server: RewrightServer, params: types.InitializeParams) -> None:
    """Starts the session, which ends at the latest when the client's process is gone."""
    client = client_of(params.capabilities)
    settings = merged(Settings(), params.initialization_options)
    root = _root(params)
    rules = _project(server, root)
    cache = open_cache(server.cache, server.warn)
    limits = Limits(memory=min(settings.memory, rules.memory) << 20)
    engine = Engine(cache, WORKER, settings.workers or os.cpu_count() or 1, limits)
    front = Engine(NoCache(), FRONT_WORKER, 1, replace(limits, seconds=LONGEST_LOWERING))
    workspace = Workspace(root, Engines(engine, front), rules)
    buffers = Buffers(client.encoding)
    views = Views(server, client, workspace, buffers)
    bar = Bar(server.work_done_progress, workspace.pending)
    session = Session(client, settings, buffers, workspace, views, bar, Words(client.encoding), engine, cache)
    workspace.subscribe(session.changed)
    server.begin(session)
    if params.process_id is not None:
        server.spawn(_leave_with(server, params.process_id))


def _root(params: types.InitializeParams) -> Path | None:
    """The client's first folder; without one, the workspace is where the first file opened is."""
    folders = [folder.uri for folder in params.workspace_folders or []]
    uris = folders or ([params.root_uri] if params.root_uri else [])
    paths = [Path(path_of(uri)) for uri in uris]
    return next((path for path in paths if path.is_absolute()), None)


def _project(server: RewrightServer, root: Path | None) -> project.Settings:
    try:
        return project.load(root) if root is not None else project.Settings()
    except project.SettingsError as error:
        server.warn(str(error))
        return project.Settings()


async def _leave_with(server: RewrightServer, process: int) -> None:
    await gone(process)
    server.leave(0)
