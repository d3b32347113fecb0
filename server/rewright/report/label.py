"""The few words that stand beside a declaration: the inlay hint and the line of the text view."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from rewright.report.document import Result
from rewright.report.summary import is_unchecked
from rewright.verdict import Condition, Verdict

MOST_CHARACTERS = 64
"""Beside a declaration, unless conditions alone have more."""


def inlay(result: Result) -> str:
    """At most a few words: the verdict's mark and what it covers."""
    verdict = result.verdict
    if verdict is None:
        return "· not checked" if is_unchecked(result) else "… checking"
    words = wording(result, verdict)
    conditions = words.partition(": ")[0] if verdict is Verdict.CONDITIONAL else ""
    return f"{mark(verdict)} {_brief(words, len(conditions))}"


def mark(verdict: Verdict) -> str:
    """One character for a verdict."""
    match verdict:
        case Verdict.PROVED | Verdict.CHECKED:
            return "✓"
        case Verdict.REFUTED | Verdict.INVALID:
            return "✗"
        case Verdict.CONDITIONAL:
            return "≈"
        case Verdict.UNKNOWN:
            return "?"
        case Verdict.ERROR:
            return "!"
        case _:
            assert_never(verdict)


def wording(result: Result, verdict: Verdict) -> str:
    """What a verdict says in a few words; an expected refutation says that it was expected."""
    leading = result.leading
    covered = leading.answer.coverage.text if leading and leading.answer else ""
    match verdict:
        case Verdict.PROVED:
            return f"{covered}{_over(result)}"
        case Verdict.CHECKED:
            return f"checked: {covered}{_over(result)}"
        case Verdict.CONDITIONAL:
            conditions = leading.answer.coverage.conditions if leading and leading.answer else ()
            return f"checked, provided that {provided(conditions)}: {covered}" if conditions else covered
        case Verdict.REFUTED:
            return "refuted, as expected" if result.as_expected else "refuted"
        case Verdict.UNKNOWN:
            return "unknown"
        case Verdict.INVALID:
            return "not checked: has errors"
        case Verdict.ERROR:
            return "internal error"
        case _:
            assert_never(verdict)


def types(result: Result) -> tuple[str, ...]:
    """The element types that a rule was asked about, each once; none for a kernel."""
    asked = (tuple(dict.fromkeys(state.domain.split("/"))) for state in result.questions if state.domain)
    return tuple(dict.fromkeys("/".join(names) for names in asked))


def asked(result: Result, verdict: Verdict) -> str:
    """The types, and directions where there are two, with that verdict, then those with others: `real; proved: int`."""
    turns = len({state.direction for state in result.questions}) > 1
    found: dict[Verdict, dict[str, None]] = {verdict: {}}
    for state in result.questions:
        if state.answer is not None and state.domain:
            names = "/".join(dict.fromkeys(state.domain.split("/")))
            found.setdefault(state.answer.verdict, {})[f"{names} {state.direction}" if turns else names] = None
    own, *others = [(each, ", ".join(names)) for each, names in found.items()]
    return "; ".join(filter(None, [own[1], *(f"{each}: {names}" for each, names in others)]))


def _over(result: Result) -> str:
    """` over int and real`: a verdict says nothing about the types that it leaves out."""
    *others, last = types(result) or ("",)
    return f" over {', '.join(others)} and {last}" if others else f" over {last}" if last else ""


def expectation(result: Result) -> str:
    """What was expected of a result that is not as expected."""
    if result.verdict in result.expected:
        return "but not with the code, or not over the domain, that `@expect` names"
    usual = Verdict.CHECKED in result.expected
    named = [each for each in result.expected if not (usual and each is Verdict.CONDITIONAL)]
    return f"expected {' or '.join(named)}"


def provided(conditions: Sequence[Condition]) -> str:
    """`K % 4 == 0 and 0 <= t[i]`: the conditions in short."""
    return " and ".join(each.short for each in conditions)


def _brief(words: str, at_least: int = 0) -> str:
    """As many parts of what is covered as fit in a few words, at least the first; of a long one what comes first."""
    first, *others = words.split("; ")
    if len(first) > MOST_CHARACTERS and (end := _end(first, at_least)):
        return f"{first[:end]}, …"
    label = first
    for part in others:
        if len(label) + len(part) > MOST_CHARACTERS:
            return f"{label}; …"
        label = f"{label}; {part}"
    return label


def _end(words: str, at_least: int) -> int:
    """Where words are cut that are too long: at their last colon that fits, else at a comma; 0 if at neither."""
    most, at_least = max(MOST_CHARACTERS, at_least), max(at_least, len("checked: "))
    for mark_of_part in (": ", ", "):
        end = words.rfind(mark_of_part, 0, most + len(mark_of_part))
        if end >= at_least:
            return end
    return 0
