"""The table of diagnostic codes: one module per code, found by its name.

A module `rw201` holds `CODE`, a `Code`: title, the sentence made of a finding's arguments, the sentences of its related
places, and the page that explains it. `docs/codes/RW201.md` is generated from the page.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

Facts = Mapping[str, str]
"""The arguments of a finding or of a related place."""

PAGES = "https://github.com/rewright/rewright/blob/main/docs/codes/"


@dataclass(frozen=True, slots=True)
class Code:
    """A diagnostic code.

    `message` makes the sentence from a finding's arguments; `related` maps a role to the sentence of that related
    place; `page` is Markdown: what it means, an example, what to do.
    """

    code: str
    title: str
    message: Callable[[Facts], str]
    page: str
    related: Mapping[str, Callable[[Facts], str]] = field(default_factory=dict)


def lookup(code: str) -> Code | None:
    """The entry of a code such as "RW201", None if there is no such code."""
    if not (code.isascii() and code.isalnum()):
        return None
    try:
        module = importlib.import_module(f"{__name__}.{code.lower()}")
    except ModuleNotFoundError:
        return None
    found: Code = module.CODE
    return found


def sentence(code: str, role: str | None, facts: Facts) -> str:
    """What a finding says, or with a role what it says at that related place. Raises `KeyError` for unknown ones.

    A finding that has a `launch` shows at that one, not at the one that the counterexample names.
    """
    entry = lookup(code)
    if entry is None:
        raise KeyError(code)
    if role is not None:
        return entry.related[role](facts)
    launch = facts.get("launch")
    return f"{entry.message(facts)}, at {launch}" if launch else entry.message(facts)


def every() -> tuple[Code, ...]:
    """Every code, in order."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    return tuple(code for name in names if (code := lookup(name)) is not None)


def page_url(code: str) -> str:
    """Where the page of a code can be read."""
    return f"{PAGES}{code}.md"


def page(code: Code) -> str:
    """The whole Markdown page of a code, as it stands in `docs/codes/`."""
    return f"# {code.code}: {code.title}\n\n{code.page.strip()}\n"
