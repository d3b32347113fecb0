"""What is wrong with the names, types and shapes of a declaration: RW101 to RW122."""

from __future__ import annotations

from enum import StrEnum

from rewright.verdict.diagnosis import Diagnosis

# --------------------------------------------------------------------------------------------------------------- names


class UnknownName(Diagnosis, code="RW101"):
    """A name that is not declared, as what it was looked up ("axis"), and the declared name spelled most alike."""

    what: str
    name: str
    nearest: str | None


class TakenBy(StrEnum):
    """What has a name already."""

    BUILT_IN = "built-in"
    IMPORT = "import"
    DECLARATION = "declaration"


class NameTaken(Diagnosis, code="RW102"):
    """A name that something else has already."""

    name: str
    by: TakenBy


class AnotherKind(Diagnosis, code="RW103"):
    """A name that stands for something else than its place takes; `fix` says what to write, empty if unknown."""

    name: str
    kind: str
    expected: str
    fix: str


class MapOnAnotherGroup(Diagnosis, code="RW104"):
    """A map on one axis group, used on another."""

    name: str
    on: str
    used: str


class UnknownOperator(Diagnosis, code="RW109"):
    """An operator that there is not, and the one spelled most alike."""

    name: str
    nearest: str | None


class LetNeedsItself(Diagnosis, code="RW119"):
    """A `let` that needs its own value."""

    name: str


# --------------------------------------------------------------------------------------------------------------- types


class ElementTypesDiffer(Diagnosis, code="RW106"):
    """Two element types that should be one."""

    operator: str
    left: str
    right: str


class OperandType(Diagnosis, code="RW106"):
    """An operand, counted from 1, whose type is not the parameter's."""

    operator: str
    operand: int
    expected: str
    given: str


class TypeNotUnique(Diagnosis, code="RW107"):
    """Nothing says which element type is meant; `fix` is what to write, empty if unknown."""

    what: str
    fix: str


class NotDefinedOnType(Diagnosis, code="RW115"):
    """An operator needs something of its element type that this type does not have."""

    operator: str
    need: str
    type: str
    constraint: str


class UnknownElementType(Diagnosis, code="RW120"):
    """A name that is no element type; `accepted` are those that there are, as text."""

    name: str
    accepted: str


class TypeNotAdmitted(Diagnosis, code="RW122"):
    """A type parameter with this constraint cannot be this type."""

    name: str
    constraint: str
    type: str


# -------------------------------------------------------------------------------------------------------------- groups


class GroupsDiffer(Diagnosis, code="RW105"):
    """Axis groups that should be the same."""

    operator: str
    left: tuple[str, ...]
    right: tuple[str, ...]


class NeedsSingleAxis(Diagnosis, code="RW110"):
    """An operator that works along one axis is given an axis group."""

    operator: str
    group: str


class GroupAbsent(Diagnosis, code="RW114"):
    """A group that the operand does not have; `groups` are those that it has."""

    operator: str
    group: str
    groups: tuple[str, ...]


class GroupPresent(Diagnosis, code="RW114"):
    """A group to be added that is there already."""

    operator: str
    group: str
    groups: tuple[str, ...]


class GroupWithoutRole(Diagnosis, code="RW114"):
    """A group that is given no role; `given` are those that it could be given, as they are written."""

    operator: str
    group: str
    given: str


class GroupOfBoth(Diagnosis, code="RW114"):
    """A group with a role that only one of the operands may have."""

    operator: str
    group: str
    role: str


class SurplusGroup(Diagnosis, code="RW114"):
    """A second group where one axis is taken."""

    operator: str
    group: str


class GroupTwice(Diagnosis, code="RW114"):
    """A group that is there twice."""

    group: str


class OtherRankClass(Diagnosis, code="RW121"):
    """A group cannot be renamed to one of another rank class."""

    source: str
    target: str


class RankClassTwice(Diagnosis, code="RW121"):
    """A group, or a single axis, that is linked in a rank class and declared in another one."""

    group: str


class MixedRankClass(Diagnosis, code="RW121"):
    """A rank class of single axes that names an axis group, or one of groups that names an axis (`single`)."""

    name: str
    single: bool


# ----------------------------------------------------------------------------------------------------------- arguments


class OperandCount(Diagnosis, code="RW108"):
    """Another number of operands than an operator takes."""

    operator: str
    expected: int
    given: int


class SurplusAttribute(Diagnosis, code="RW108"):
    """An attribute beyond those that an operator takes."""

    operator: str
    accepted: str


class UnknownOperatorAttribute(Diagnosis, code="RW108"):
    """An attribute that an operator does not have; `accepted` are those that it has, empty if none."""

    operator: str
    attribute: str
    accepted: str


class OperatorNeeds(Diagnosis, code="RW108"):
    """An argument that an operator needs, as it is called or written."""

    operator: str
    attribute: str


class OperatorAttributeTwice(Diagnosis, code="RW108"):
    """An attribute of an operator that is given twice."""

    operator: str
    attribute: str


class MixedAttributes(Diagnosis, code="RW108"):
    """Attributes by position and by axis group in one call."""

    operator: str


class NeededByGroup(Diagnosis, code="RW108"):
    """Attributes that have to be given by axis group, as in `form`; `groups` are those of the tensor, if known."""

    operator: str
    form: str
    groups: tuple[str, ...] | None


# -------------------------------------------------------------------------------------------------------- declarations


class UnknownAttribute(Diagnosis, code="RW111"):
    """An attribute above a declaration that there is not; `accepted` are those that there are."""

    attribute: str
    accepted: str


class AttributeTwice(Diagnosis, code="RW111"):
    """An attribute above a declaration that is given twice."""

    attribute: str


class NotAskedOver(Diagnosis, code="RW111"):
    """An expectation over a domain that is not asked about; `accepted` are those that are, empty if none."""

    domain: str
    accepted: str


class WrongAttribute(Diagnosis, code="RW111"):
    """An attribute above a declaration with something else than it takes."""

    attribute: str
    accepted: str


class NoRewrite(Diagnosis, code="RW112"):
    """A rule without a rewrite."""


class AnotherRewrite(Diagnosis, code="RW112"):
    """A second rewrite of a rule."""


class ImportFault(StrEnum):
    """Why an import brings nothing: no such file, no `.rw` file, one that imports this file, one too many."""

    MISSING = "missing"
    FOREIGN = "foreign"
    CYCLE = "cycle"
    MANY = "many"


class UnusableImport(Diagnosis, code="RW113"):
    """An import that brings nothing."""

    path: str
    fault: ImportFault


class ImportClash(Diagnosis, code="RW113"):
    """An import brings a name that an earlier one brings, too."""

    path: str
    name: str


class PinnedRank(Diagnosis, code="RW116"):
    """A rank that a group cannot have; `accepted` are those that it can, as text."""

    name: str
    rank: int
    accepted: str


class PinnedAxes(Diagnosis, code="RW116"):
    """A value that gives a group another rank than it has."""

    name: str
    group: str
    rank: int
    known: int


class CannotStandHere(Diagnosis, code="RW117"):
    """Something at a place that takes something else, both as they are called."""

    what: str
    expected: str


class NotAScalar(Diagnosis, code="RW117"):
    """A tensor over these groups where a scalar is taken."""

    groups: tuple[str, ...]
    expected: str


class WrongPart(StrEnum):
    """Which part of a declaration is missing or too much."""

    CONSTRAINT = "constraint"
    VALUE = "value"
    SIZE = "size"
    ARRAY = "array"
    SHAPE = "shape"
    FUNCTION_SHAPE = "function shape"
    PARAMETERS = "parameters"
    GROUP = "group"
    PLUS = "plus"
    TYPE_PARAMETER = "no type parameter"


class IncompleteDeclaration(Diagnosis, code="RW118"):
    """A declaration of a name, or of the kind that `item` says, whose part is missing or too much."""

    item: str
    part: WrongPart
