"""What a declaration may know of what stands around it: the top-level names it mentions, and no more.

Invariant: surroundings hold only the names that the declaration itself mentions, so that renaming one declaration does
not make the others be checked again. Must not know files.
"""

from __future__ import annotations

from msgspec import Struct

from rewright.model.declaration_kind import DeclarationKind
from rewright.model.declared import Declared
from rewright.verdict.diagnostics.names import ImportClash, TakenBy, UnusableImport

ImportProblem = UnusableImport | ImportClash
"""What is wrong with the file that an import names."""


class Neighbour(Struct, frozen=True, eq=False):
    """A graph, an operator, a lemma or a loop nest that is mentioned, in the file or imported.

    It is a function of its text and of those that it mentions itself, by whose `digest` it is compared.
    """

    name: str
    digest: str
    valid: bool
    declared: Declared

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Neighbour) and self._compared == other._compared

    def __hash__(self) -> int:
        return hash(self._compared)

    @property
    def _compared(self) -> tuple[str, str, bool]:
        return self.name, self.digest, self.valid


class Surroundings(Struct, frozen=True):
    """The kinds of the mentioned top-level names that exist, in the file or imported; of some what they are, too.

    `taken_by` says that the declaration's own name is taken, by an earlier declaration or by an import.
    `import_problem` is what is wrong with the file that an import names, None if nothing is.
    """

    kinds: tuple[tuple[str, DeclarationKind], ...] = ()
    taken_by: TakenBy | None = None
    import_problem: ImportProblem | None = None
    neighbours: tuple[Neighbour, ...] = ()

    def kind(self, name: str) -> DeclarationKind | None:
        """The kind of a top-level declaration, None if there is none of that name."""
        return dict(self.kinds).get(name)

    def neighbour(self, name: str) -> Declared | None:
        """What is called so and may be used, None if nothing is."""
        return next((each.declared for each in self.neighbours if each.name == name), None)
