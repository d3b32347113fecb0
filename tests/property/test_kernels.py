"""Random tiny kernels, in both languages, against all their schedules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

from kernel_drafts import Draft, cuda, draft, own_syntax
from kernel_interleaver import Behaviour, DependsOnUndefined, TooMuch, behaviour

from rewright.checks.kernel import answer
from rewright.model.check_declaration import check_declaration
from rewright.model.kernel import Kernel
from rewright.model.surroundings import Surroundings
from rewright.rules.decision import Budget
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text
from rewright.verdict import Answer, KernelWitness, Verdict

COUNT = 500
MOST_STATES = 6000


def test_tiny_kernels_agree_with_all_their_schedules() -> None:
    kinds: Counter[str] = Counter()
    for kernel, expected in drafted(COUNT, seed=3):
        declaration, source = cuda(kernel)
        for text, sources in ((own_syntax(kernel), {}), (declaration, {"tiny.cu": source})):
            hold(text + source, answer(checked(text), sources, Budget()), expected)
        kinds[kind(expected)] += 1
    print(dict(kinds))
    assert kinds["racy"] >= 150
    assert kinds["clean"] >= 150
    assert kinds["divergent"] >= 30


def drafted(count: int, seed: int) -> Iterator[tuple[Draft, Behaviour]]:
    """Different kernels whose behaviour is defined and can be searched, as many of each kind as are wanted."""
    random = Random(seed)
    seen: set[Draft] = set()
    room = Counter(racy=count * 2 // 5, clean=count * 2 // 5, divergent=count, outside=count // 20)
    while len(seen) < count:
        kernel = draft(random)
        if kernel in seen:
            continue
        try:
            expected = behaviour(kernel, MOST_STATES)
        except (TooMuch, DependsOnUndefined):
            continue
        if room[kind(expected)] > 0:
            room[kind(expected)] -= 1
            seen.add(kernel)
            yield kernel, expected


def kind(expected: Behaviour) -> str:
    if expected.racy:
        return "racy"
    if expected.divergent:
        return "divergent"
    return "outside" if expected.outside else "clean"


def checked(text: str) -> Kernel:
    (placed,) = parse(Text.of("tiny.rw", text)).file.declarations
    declared = check_declaration(placed.node, placed.problems, Surroundings())
    assert not declared.findings, (text, declared.findings)
    assert isinstance(declared.value, Kernel)
    return declared.value


def hold(text: str, found: Answer, expected: Behaviour) -> None:
    codes = {finding.code for finding in found.findings}
    assert ("RW301" in codes) == expected.racy, (text, found)
    for code, can_happen in (("RW303", expected.divergent), ("RW304", expected.outside)):
        if code in codes or not expected.racy:
            assert (code in codes) == can_happen, (text, found)
    wrong = expected.racy or expected.divergent or expected.outside
    assert found.verdict is (Verdict.REFUTED if wrong else Verdict.CHECKED), (text, found)
    if wrong:
        assert isinstance(found.witness, KernelWitness)
        assert found.witness.replayed
