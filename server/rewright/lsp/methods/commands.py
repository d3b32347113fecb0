"""`workspace/executeCommand`: what can be asked for by name. All of it only enqueues, or asks the client; the LaTeX of
a formula is returned, and made in a thread.

The names differ from the extension's own commands, because editors make a command of each.
"""

from __future__ import annotations

import asyncio
from typing import Any

from lsprotocol import types

from rewright.lsp.edits import workspace_edit
from rewright.lsp.formulas import formula_of
from rewright.lsp.names import spot_at
from rewright.lsp.panel import pin, shown_page
from rewright.lsp.places import declared_at
from rewright.lsp.positions import range_of
from rewright.lsp.server import RewrightServer
from rewright.lsp.uris import path_of
from rewright.report.formulas.latex import latex
from rewright.syntax.text import Span
from rewright.workspace.transforming import Came, OrderReply, OrderRequest


def check(server: RewrightServer, *uris: Any) -> None:
    """Has the documents with these URIs checked; without any, everything."""
    if uris:
        server.check([path_of(uri) for uri in uris if isinstance(uri, str)])
    else:
        server.check_all()


def stop(server: RewrightServer, *_: Any) -> None:
    """Stops all checks."""
    server.session.workspace.stop()


def clear_cache(server: RewrightServer, *_: Any) -> None:
    """Forgets all answers that were kept."""
    server.session.cache.clear()
    server.session.workspace.forget()


def give_launch(server: RewrightServer, uri: Any = None, name: Any = None, *_: Any) -> None:
    """Writes a launch above a kernel of a source, for a person to correct."""
    session = server.session
    path = path_of(uri) if isinstance(uri, str) else ""
    buffer = session.buffers.get(path)
    kernel = next((kernel for kernel, _ in session.workspace.kernels(path) if kernel.name == name), None)
    if buffer is None or kernel is None:
        return
    launch = kernel.launch.replace("\n", "\r\n") if "\r\n" in buffer.text.text else kernel.launch
    edit = workspace_edit(session, {path: [(Span(kernel.insert, kernel.insert), launch)]})
    server.apply(edit, f"Give `{name}` a launch")


def show(server: RewrightServer, uri: Any = None, name: Any = None, *_: Any) -> None:
    """Shows the declaration with a name in a file."""
    session = server.session
    file = session.workspace.file(path_of(uri)) if isinstance(uri, str) else None
    result = next((result for result in file.results if result.name == name), None) if file is not None else None
    if file is not None and result is not None:
        place = range_of(file.text, result.name_span, session.client.encoding)
        server.show(types.ShowDocumentParams(uri, take_focus=True, selection=place))


LOOKED_AT = (
    "comparisons of sizes, attributes and scalars with each other, with their sums and products and with 0, 1, 2 and "
    "-1, divisibility, either of two, and all of these on some axis"
)
"""How far preconditions are searched for."""


def searched(server: RewrightServer, uri: Any = None, name: Any = None, *_: Any) -> None:
    """Says how far the search for fixes of a declaration has come, to who chose the line that speaks of it."""
    if isinstance(uri, str) and isinstance(name, str):
        workspace = server.session.workspace
        if workspace.is_searching(path_of(uri), name):
            state = "are still being searched for and are listed once they are checked"
        elif (steps := workspace.found_nothing(path_of(uri), name)) is not None:
            state = f"were searched for in {steps:,} steps, and none was proved: {LOOKED_AT}"
        else:
            state = "were searched for: see the menu"
        server.inform(f"fixes of `{name}` {state}")


async def latex_at(server: RewrightServer, uri: Any = None, line: Any = None, character: Any = None, *_: Any) -> str:
    """The LaTeX of the reduction at a place, which the client copies; printed in a thread, since it loads sympy."""
    if not (isinstance(uri, str) and isinstance(line, int) and isinstance(character, int)):
        return ""
    spot = spot_at(server.session, uri, types.Position(line, character))
    formula = formula_of(spot) if spot is not None else None
    return "" if formula is None else await asyncio.to_thread(latex, formula)


def check_named(server: RewrightServer, uri: Any = None, *names: Any) -> None:
    """Has the declarations of these names in a document checked."""
    if isinstance(uri, str):
        server.check_named(path_of(uri), frozenset(name for name in names if isinstance(name, str)))


def check_at(server: RewrightServer, uri: Any = None, line: Any = None, *_: Any) -> None:
    """Has the declaration at a line checked, or above it; of a source, what is asked about the kernel there."""
    if not (isinstance(uri, str) and isinstance(line, int)):
        return
    named = declared_at(server.session, path_of(uri), line)
    for path, name in named:
        server.check_named(path, frozenset({name}))
    if not named:
        server.inform("there is no declaration at the cursor")


def counterexample(server: RewrightServer, uri: Any = None, name: Any = None, *_: Any) -> Any:
    """What a panel shows of a declaration's counterexample, or why it has none."""
    if not (isinstance(uri, str) and isinstance(name, str)):
        return None
    return shown_page(server.session, uri, name)


def pin_example(server: RewrightServer, uri: Any = None, name: Any = None, *_: Any) -> None:
    """Writes the counterexample of a rule into it as an `example`."""
    if isinstance(uri, str) and isinstance(name, str):
        edit = pin(server.session, path_of(uri), name)
        if edit is not None:
            server.apply(edit, f"Pin the counterexample of `{name}`")


def reorder(server: RewrightServer, uri: Any = None, name: Any = None, schedule: Any = None, *_: Any) -> None:
    """Writes a loop nest in another order after it, once that is proved; else says what is against it."""
    if not (isinstance(uri, str) and isinstance(name, str) and isinstance(schedule, str)):
        return
    path = path_of(uri)

    def take(reply: OrderReply) -> None:
        if reply.came is not Came.PROVED:
            server.warn(reply.said)
            return
        edit = workspace_edit(server.session, {path: [(Span(reply.at, reply.at), reply.text)]})
        server.apply(edit, f"Write `{name}` in another order")
        server.inform(reply.said)

    server.session.workspace.nests.write(path, OrderRequest(name, schedule), take)
