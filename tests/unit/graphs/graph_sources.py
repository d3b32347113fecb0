"""Refinements of graphs in sources, asked as a worker is: the texts are read, then the question is answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rewright.checks.importing import import_refinement
from rewright.checks.kernel_question import SourceText
from rewright.checks.refinement import answer
from rewright.checks.refinement_question import ImportedRefinement, ImportPayload, RefinementPayload
from rewright.checks.table import named, restore
from rewright.model.declared import Declared
from rewright.model.file import check_file
from rewright.model.foreign_graph import ForeignRefinement
from rewright.rules.decision import Budget
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text
from rewright.verdict import Answer, Finding, InDeclaration, Site, Verdict
from rewright.verdict.codec import decode, encode
from rewright.verdict.witness import Witness

BUDGET = Budget(steps=2_000_000, seconds=2.0)


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer, with the texts at which its findings stand."""

    verdict: Verdict
    findings: tuple[Finding, ...]
    witness: Witness | None
    places: Mapping[Finding, str]


def imported(text: str, sources: Mapping[str, str], name: str) -> tuple[Declared, ImportedRefinement]:
    """A refinement of a text of declarations, by the name of its distributed graph, once its sources are read."""
    declared = {
        str(each.value.distributed.name): each
        for each in check_file(parse(Text.of("test.rw", text)), lambda path: None).declarations
        if isinstance(each.value, ForeignRefinement)
    }[name]
    assert isinstance(declared.value, ForeignRefinement)
    given = tuple(SourceText(path, source) for path, source in sources.items())
    payload = ImportPayload(declared.value, len(declared.sites), given)
    return declared, import_refinement(decode(ImportPayload, encode(payload)))


def asked(text: str, sources: Mapping[str, str], name: str) -> Answered:
    """The answer to that refinement, which its sources let be asked."""
    declared, found = imported(text, sources, name)
    asking = found.asking
    assert asking is not None, found.problems
    payload: RefinementPayload = decode(RefinementPayload, asking.payload)
    said: Answer = restore(encode(answer(payload.members[0], BUDGET)), asking.names)
    places = asking.places()

    def shown(finding: Finding) -> str:
        match finding.place:
            case InDeclaration(_, number) | Site(number) if number >= len(declared.sites):
                at = places[number - len(declared.sites)]
                return sources[at.path].encode()[at.start : at.end].decode()
            case _:
                return ""

    assert named(asking.payload, asking.names)
    return Answered(said.verdict, said.findings, said.witness, {each: shown(each) for each in said.findings})


def answered(folder: Path, name: str) -> Answered:
    """The answer to a refinement of a folder of declarations and texts."""
    sources = {
        each.name: each.read_text(encoding="utf-8") for each in folder.iterdir() if each.suffix in (".mlir", ".txt")
    }
    for file in sorted(folder.glob("*.rw")):
        text = file.read_text(encoding="utf-8")
        if f"refine {name} of" in text:
            return asked(text, sources, name)
    raise KeyError(name)
