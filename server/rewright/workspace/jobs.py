"""From a declaration to the engine's job: its questions with their content keys.

Invariant: the key of a question is made of what it asks, canonically, and of a digest of what decides it; names, spans
and budgets are not in it. Must not know how a job is run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rewright.checks.table import Asked, questions
from rewright.engine.jobs import Job, Question
from rewright.engine.keys import digest, digest_of_deciders
from rewright.model.declared import Declared
from rewright.model.kernel import Foreign, Kernel
from rewright.model.rule import Rule
from rewright.rules.decision import Mode
from rewright.verdict import Finding, Severity, Site
from rewright.workspace.sources import Reads, Unreadable

SHARED = ("rewright.verdict", "rewright.model", "rewright.replay", "rewright.checks")
DECIDERS = {
    Rule: (*SHARED, "rewright.terms", "rewright.solve", "rewright.equality", "rewright.rules"),
    Kernel: (*SHARED, "rewright.kernels"),
}
LIBRARIES = {Rule: ("z3-solver", "cvc5", "numpy"), Kernel: ("numpy", "tree-sitter", "tree-sitter-cuda")}


@dataclass(frozen=True, slots=True)
class Planned:
    """What a declaration asks, in the texts of one snapshot.

    `keys` are the content keys of `asked`, in order. `sources` maps each path that the declaration names to the file it
    means, there or not; `findings` are about sources that cannot be read, and then nothing is asked.
    """

    declared: Declared
    asked: tuple[Asked, ...]
    keys: tuple[str, ...]
    sources: tuple[tuple[str, str], ...]
    findings: tuple[Finding, ...]

    def questions(self) -> tuple[Question, ...]:
        """The questions as the engine takes them."""
        return tuple(Question(key, asked.payload) for key, asked in zip(self.keys, self.asked, strict=True))


def plan(declared: Declared, path: str, sources: Reads, mode: Mode) -> Planned:
    """What the declaration in the file at `path` asks; nothing if it has errors or is not supported."""
    resolved: dict[str, str] = {}
    texts: dict[str, str] = {}
    findings: list[Finding] = []
    for name, site in _named_sources(declared).items():
        target = sources.resolve(name, path)
        text = target if isinstance(target, Unreadable) else sources.read(target)
        if not isinstance(target, Unreadable):
            resolved[name] = target
        if isinstance(text, Unreadable):
            findings.append(Finding("RW130", Severity.ERROR, Site(site), (("path", name), ("reason", text.reason))))
        else:
            texts[name] = text.text
    asked = () if findings else _asked(declared, texts, mode)
    keys = tuple(_key(declared, each.payload) for each in asked)
    return Planned(declared, asked, keys, tuple(resolved.items()), tuple(findings))


def job(planned: Planned, path: str, budget: int, priority: int) -> Job:
    """The engine's job for a declaration of the file at `path`."""
    declared = planned.declared
    name = digest(path, declared.kind, declared.name)
    return Job(name, planned.questions(), budget * declared.budget, priority)


def _named_sources(declared: Declared) -> dict[str, int]:
    match declared.value:
        case Kernel(body=Foreign(path=path, site=site)):
            return {path: site}
        case _:
            return {}


def _asked(declared: Declared, texts: Mapping[str, str], mode: Mode) -> tuple[Asked, ...]:
    if declared.value is None or declared.has_errors or declared.unsupported:
        return ()
    return questions(declared.value, texts, mode)


def _key(declared: Declared, payload: str) -> str:
    kind = type(declared.value)
    return digest(digest_of_deciders(DECIDERS[kind], LIBRARIES[kind]), payload)
