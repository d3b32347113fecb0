"""Random tiny kernels in which threads hand data over by fences and atomic flags, rightly and wrongly.

Drafts as those of `kernel_drafts`, with ("fence",). Data is in `a`, flags in `b`. A wait asks for a flag once or twice;
then the thread leaves, or goes on all the same.
"""

from __future__ import annotations

from random import Random

from kernel_drafts import Body, Draft, Stmt


def handover(random: Random) -> Draft:
    """A kernel of two or three threads, each of a warp of its own or all of one, that hand over one or two elements."""
    threads, warp = random.choice(((2, 1), (2, 2), (3, 1), (2, 1)))
    writer = _Writer(random)
    cleared = tuple(("store", array, at, 0) for array in ("a", "b") for at in (0, 1))
    body: Body = (("if", ("==", "t", 0), cleared, ()), ("barrier",))
    for t in range(threads):
        body += (("if", ("==", "t", t), writer.part(t, threads), ()),)
    if random.random() < 0.2:
        body += (("barrier",), writer.access())
    return Draft(threads, warp, body, tuple(writer.variables))


class _Writer:
    def __init__(self, random: Random) -> None:
        self.random = random
        self.variables: list[str] = []

    def fresh(self) -> str:
        self.variables.append(f"v{len(self.variables)}")
        return self.variables[-1]

    def part(self, t: int, threads: int) -> Body:
        """What one thread does: the first gives, the last takes, one between may do both."""
        gives, takes = t < threads - 1, t > 0
        statements: Body = ()
        if takes and self.random.random() < 0.85:
            statements += self.take()
        statements += (self.access(),)
        if gives:
            statements += self.give()
        if self.random.random() < 0.15:
            statements += (("return",),)
        elif self.random.random() < 0.2:
            statements += (self.access(),)
        return statements

    def give(self) -> Body:
        """A fence and a flag, mostly in this order."""
        flag: Stmt = ("atomic", self.random.choice(("exch", "add")), self.fresh(), "b", self.flag(), 1)
        return self.random.choice(((("fence",), flag), (("fence",), flag), (flag,), (flag, ("fence",))))

    def take(self) -> Body:
        """A wait for a flag, and mostly a fence behind it."""
        seen, flag = self.fresh(), self.flag()
        ask: Stmt = ("atomic", self.random.choice(("add", "exch", "cas")), seen, "b", flag, 0)
        leave: Body = (("if", ("==", seen, 0), (("return",),), ()),)
        style = self.random.random()
        if style < 0.5:
            waiting: Body = (ask, *leave)
        elif style < 0.8:
            again: Stmt = ("if", ("==", seen, 0), (ask,), ())
            waiting = (ask, again, *leave)
        else:
            waiting = (ask,)
        return (*waiting, ("fence",)) if self.random.random() < 0.7 else waiting

    def flag(self) -> int:
        return 0 if self.random.random() < 0.85 else 1

    def access(self) -> Stmt:
        at = 0 if self.random.random() < 0.85 else 1
        if self.random.random() < 0.7:
            return ("store", "a", at, self.random.randint(1, 3))
        return ("load", self.fresh(), "a", at)
