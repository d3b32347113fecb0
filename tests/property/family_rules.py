"""Random rules about families, each as text twice: of any number of operands, and with a number of them written out.

Owns the two readings of one draft. Invariant: in the text that is written out there is no family, so what decides or
evaluates it knows nothing of them.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import reduce

LONGEST = 3
"""Members that are written out; a wrong rule is wrong of two, or of one."""


@dataclass(frozen=True)
class Side:
    """One side: text in which `«…»` is an operand for each member, and `Xs` and `Ys` are the member's."""

    text: str

    def of_any(self) -> str:
        return self.text.replace("«", "").replace("»", "...")

    def of(self, count: int) -> str:
        """With so many members written out: `add` and the like of two at a time, `concatenate` of all."""
        text = self.text.replace("elem(k)", f"elem({count})")
        while "«" in text:
            start = text.rindex("«")
            end = text.index("»", start)
            members = [
                text[start + 1 : end].replace("Xs", f"X{number}").replace("Ys", f"Y{number}")
                for number in range(1, count + 1)
            ]
            word = _word_before(text, start - 1)
            if word == "concatenate":
                text = text[:start] + ", ".join(members) + text[end + 1 :]
                continue
            folded = reduce(lambda left, right, word=word: f"{word}({left}, {right})", members)  # type: ignore[misc]
            text = text[: start - 1 - len(word)] + f"({folded})" + text[end + 2 :]
        return text


@dataclass(frozen=True)
class Draft:
    """A rule: true ones, and what is left of them after a change."""

    left: Side
    right: Side
    changed: bool

    def of_any(self) -> str:
        return _rule("int k", "Xs...k, Ys...k, C", self.left.of_any(), self.right.of_any())

    def of(self, count: int) -> str:
        names = [f"{name}{number}" for name in "XY" for number in range(1, count + 1)]
        return _rule("", ", ".join((*names, "C")), self.left.of(count), self.right.of(count))


def _rule(counted: str, tensors: str, left: str, right: str) -> str:
    return f"""rule drawn<T: int> {{
  axes A
  axis d
  {counted}
  map n on A
  int p
  tensor {tensors}: T[A: n, d: p]

  {left}
    => {right}
}}
"""


def drafts(rng: random.Random, count: int) -> Iterator[Draft]:
    """Random rules; every other one is changed, which may leave it true."""
    for number in range(count):
        draft = _true(rng)
        yield _changed(draft, rng) if number % 2 else draft


def _true(rng: random.Random) -> Draft:
    """A law of families, of members and beside other things that are old."""
    one, other = _member(rng), _member(rng)
    fold = rng.choice(["add", "max", "min"])
    left, right = rng.choice(
        [
            (f"add(«{one} + {other}»)", f"(add(«{one}») + add(«{other}»))"),
            (f"{fold}(«{one}»)", f"{fold}(«{one}»)"),
            (f"max(«max({one}, {other})»)", f"max(max(«{one}»), max(«{other}»))"),
            (f"add(«{one} + C»)", f"(add(«{one}») + elem(k) * C)"),
            (f"max(«{one} + C»)", f"(max(«{one}») + C)"),
            (f"min(«-{one}»)", f"(-max(«{one}»))"),
            (f"add(«{one} * C»)", f"(add(«{one}») * C)"),
            (f"concatenate(«{one} + {other}», d)", f"(concatenate(«{one}», d) + concatenate(«{other}», d))"),
            (f"abs(concatenate(«{one}», d))", f"concatenate(«abs({one})», d)"),
            (f"reduce(add, concatenate(«{one}», d), d)", f"add(«reduce(add, {one}, d)»)"),
            (f"reduce(max, concatenate(«{one}», d), A)", f"concatenate(«reduce(max, {one}, A)», d)"),
            (f"reverse(concatenate(«{one}», d), A)", f"concatenate(«reverse({one}, A)», d)"),
            (
                f"dot(concatenate(«{one}», d), concatenate(«{other}», d), contract = d, batch = A)",
                f"add(«dot({one}, {other}, contract = d, batch = A)»)",
            ),
        ]
    )
    around = rng.choice(["{}", "abs({})", "(-{})", "({} * 2)", "max({}, 0)"])
    return Draft(Side(around.format(left)), Side(around.format(right)), changed=False)


def _member(rng: random.Random) -> str:
    """What is made of a member by operators that know nothing of families."""
    made = rng.choice(["Xs", "Ys", "Xs"])
    for _ in range(rng.randrange(3)):
        made = rng.choice(
            ["abs({})", "({} * C)", "({} - Ys)", "reverse({}, A)", "max({}, C)", "({} * Xs)", "reverse({}, d)"]
        ).format(made)
    return made


def _changed(draft: Draft, rng: random.Random) -> Draft:
    """One word of the right side is another."""
    text = draft.right.text
    changes = [
        (place, old, new)
        for old, new in [
            ("add(", "max("),
            ("max(", "min("),
            ("Xs", "Ys"),
            ("abs(", "(-"),
            ("C", "Ys"),
            ("elem(k)", "2"),
        ]
        for place in range(len(text))
        if text.startswith(old, place) and (new != "Ys" or text.count("«", 0, place) > text.count("»", 0, place))
    ]
    if not changes:
        return draft
    place, old, new = rng.choice(changes)
    return replace(draft, right=Side(text[:place] + new + text[place + len(old) :]), changed=True)


def _word_before(text: str, place: int) -> str:
    found = re.search(r"\w+$", text[:place])
    return found.group() if found else ""
