"""The table of diagnostic codes: one module per code, found by its name.

A module `rw201` holds `CODE`, a `Code`: title, the sentence made of a diagnosis, the sentences of its related places,
and the page that explains it. `docs/codes/RW201.md` is generated from the page.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

from msgspec import Struct, field

from rewright.verdict import Diagnosis, Finding, Role

D = TypeVar("D")

PAGES = "https://github.com/rewright/rewright/blob/main/docs/codes/"


class Code(Struct, Generic[D], frozen=True):
    """A diagnostic code, and the words of the diagnoses that have it.

    `message` makes the sentence of a diagnosis; `related` maps a role to the sentence of that related place; `page` is
    Markdown: what it means, an example, what to do.
    """

    code: str
    title: str
    message: Callable[[D], str]
    page: str
    related: Mapping[Role, Callable[[D], str]] = field(default_factory=dict)


def lookup(code: str) -> Code[Any] | None:
    """The entry of a code such as "RW201", None if there is no such code."""
    if not (code.isascii() and code.isalnum()):
        return None
    try:
        module = importlib.import_module(f"{__name__}.{code.lower()}")
    except ModuleNotFoundError:
        return None
    found: Code[Any] = module.CODE
    return found


def message(finding: Finding) -> str:
    """What a finding says; one that has a `launch` shows at that one, not at the one that the counterexample names."""
    said = sentence(finding.diagnosis)
    said = f"{said}, in step `{finding.step}`" if finding.step else said
    return f"{said}, at {finding.launch}" if finding.launch else said


def sentence(diagnosis: Diagnosis) -> str:
    """What a diagnosis says, without its places. Raises `KeyError` where its code has no module."""
    return _entry(diagnosis.code).message(diagnosis)


def related(diagnosis: Diagnosis, role: Role) -> str:
    """What a diagnosis says at a related place. Raises `KeyError` where it has none in this role."""
    return _entry(diagnosis.code).related[role](diagnosis)


def _entry(code: str) -> Code[Any]:
    found = lookup(code)
    if found is None:
        raise KeyError(code)
    return found


def every() -> tuple[Code[Any], ...]:
    """Every code, in order."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    return tuple(code for name in names if (code := lookup(name)) is not None)


def page_url(code: str) -> str:
    """Where the page of a code can be read."""
    return f"{PAGES}{code}.md"


def page(code: Code[Any]) -> str:
    """The whole Markdown page of a code, as it stands in `docs/codes/`."""
    return f"# {code.code}: {code.title}\n\n{code.page.strip()}\n"
