"""What the comments above a kernel say of its launches, as parts of declarations, and what in them says nothing.

A comment with a launch speaks of that launch; what stands in a comment without one holds for all. Must not know calls.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from msgspec import Struct, field

from rewright.frontends.cuda.launches.comments import CommentEntry, EntryKind, LaunchComment
from rewright.frontends.cuda.launches.parts import LaunchPart, LaunchParts, merged, without_launch
from rewright.frontends.cuda.launches.signatures import Signature
from rewright.frontends.cuda.launches.text import NAME, WORD
from rewright.frontends.cuda.launches.unused import unused
from rewright.model.written import integer_of
from rewright.verdict import Finding, InSource, Severity
from rewright.verdict.diagnostics.names import CannotStandHere

_FORALL = re.compile(r"forall\s+NAME(?:\s*,\s*NAME)*\s*".replace("NAME", NAME.pattern))
_BUDGET = re.compile(r"@budget\s*\(\s*([0-9]{1,4})\s*\)")


class Commented(Struct, frozen=True):
    """What comments say: `launches` are those that they state, `every` is what holds for a call beside what it says.

    `budget` is the factor of the steps that the kernel may take.
    """

    launches: tuple[LaunchParts, ...] = ()
    every: LaunchParts = field(default_factory=LaunchParts)
    budget: int = 1
    wrong: tuple[Finding, ...] = ()


def commented(path: str, signature: Signature, comment: LaunchComment, texts: Mapping[str, str]) -> Commented:
    """What the comments of a kernel in the source at `path` say; `texts` has it and what it includes, by path.

    Of one comment with a launch, what it says beside holds for calls too: the arrays and requirements of the kernel.
    """
    generic = {each.name for each in signature.template}
    signature = signature.flattened({each.name: each.text for each in comment.entries if each.name in generic})
    stated = dict.fromkeys(each.line for each in comment.entries if each.kind is EntryKind.LAUNCH)
    general = [each for each in comment.entries if len(stated) < 2 or each.line not in stated]
    constants = comment.constants
    every = _parts(general, signature, constants)
    own = {line: [each for each in comment.entries if each.line == line] for line in stated}
    several = len(stated) > 1
    launches = [merged(_parts(own[line], signature, constants), every) if several else every for line in stated]
    unfit = tuple(_unfit(path, each, signature) for each in comment.entries if not _fits(each, signature))
    wrong = (*unfit, *unused(path, signature, comment, texts))
    budgets = [_budget(each) or 1 for each in comment.entries if each.kind is EntryKind.BUDGET]
    return Commented(tuple(launches), without_launch(every), max(budgets, default=1), wrong)


def _fits(entry: CommentEntry, signature: Signature) -> bool:
    match entry.kind:
        case EntryKind.UNKNOWN:
            return False
        case EntryKind.BUDGET:
            return _budget(entry) is not None
        case EntryKind.FORALL:
            return _FORALL.fullmatch(entry.text) is not None
        case EntryKind.ARRAY:
            arrays = [each.name for each in signature.parameters if each.depth]
            return entry.name in (*arrays, *(each.name for each in signature.variables))
        case EntryKind.VALUE:
            return all(each.name != entry.name for each in signature.variables if each.extents)
        case _:
            return True


def _budget(entry: CommentEntry) -> int | None:
    """The factor in `@budget(3)`, None if it is none."""
    match = _BUDGET.fullmatch(entry.text)
    return int(match[1]) if match is not None and int(match[1]) else None


def _quantified(entry: CommentEntry) -> dict[str, LaunchPart]:
    """The names in `forall n, m`, each with its place."""
    words = list(NAME.finditer(entry.text))[1:]
    return {word[0]: LaunchPart(word[0], entry.start + len(entry.text[: word.start()].encode())) for word in words}


def _parts(entries: Iterable[CommentEntry], signature: Signature, constants: Mapping[str, int]) -> LaunchParts:
    """What entries say of a launch, the document's constants among the sizes that they use."""
    items: list[LaunchPart] = []
    values = {name: LaunchPart(str(value)) for name, value in constants.items()}
    arrays: dict[str, LaunchPart] = {}
    template: dict[str, str] = {}
    quantified: dict[str, LaunchPart] = {}
    generic = {each.name for each in signature.template}
    for entry in entries:
        part = LaunchPart(entry.text, entry.start)
        match entry.kind:
            case EntryKind.VALUE if entry.name in generic:
                template[entry.name] = str(constants.get(entry.text, entry.text))
            case EntryKind.VALUE if _fits(entry, signature):
                values[entry.name] = part
            case EntryKind.ARRAY if _fits(entry, signature):
                arrays[entry.name] = part
            case EntryKind.FORALL if _fits(entry, signature):
                quantified |= _quantified(entry)
            case EntryKind.LAUNCH | EntryKind.REQUIRES | EntryKind.DEFINE:
                items.append(part)
            case _:
                continue
    used = {word for part in (*items, *values.values(), *arrays.values()) for word in WORD.findall(part.text)}
    sizes = {name: LaunchPart(said) for name, said in template.items() if name in used and integer_of(said) is not None}
    return LaunchParts(tuple(items), {**sizes, **values}, arrays, template, quantified=quantified)


def _unfit(path: str, entry: CommentEntry, signature: Signature) -> Finding:
    place = InSource(path, entry.name_start, entry.end)
    pointer = next((each.name for each in signature.parameters if each.depth), "x")
    accepted = f"`launch …`, `n = 1024`, `{pointer}: in f32[n]`, `forall n`, `requires …`, `define …` or `@budget(3)`"
    return Finding(CannotStandHere(f"`{entry.name or entry.text}`", accepted), Severity.ERROR, place)
