"""Terms as text, for people and for tests. Must not be parsed back."""

from __future__ import annotations

from rewright.terms.node import (
    Absolute,
    Access,
    And,
    Applied,
    AxisProduct,
    Bound,
    Choose,
    Coefficient,
    Constant,
    Digit,
    ElementOf,
    Exponential,
    Extremum,
    FloorDivide,
    Fold,
    IndexOf,
    Infinity,
    Logarithm,
    Monomial,
    Negative,
    NonNegative,
    Not,
    Number,
    Opened,
    Polynomial,
    Position,
    Reciprocal,
    Reduce,
    Root,
    Special,
    Term,
    TruncatedDivide,
    Variable,
    Zero,
)

_REDUCERS = {"add": "Σ", "multiply": "Π", "maximum": "max", "minimum": "min", "and": "all"}


def show(term: Term) -> str:
    """The term as text."""
    match term:
        case Variable(name=name):
            return name
        case Bound(level=level, position=position):
            return f"#{level}.{position}"
        case Opened(number=level, position=position):
            return f"@{level}.{position}"
        case Number(value=value):
            return str(value)
        case Infinity(positive=positive):
            return "highest" if positive else "lowest"
        case Polynomial(monomials=monomials):
            return "(" + " + ".join(_monomial(*item) for item in monomials) + ")"
        case FloorDivide(left=left, right=right):
            return f"({show(left)} // {show(right)})"
        case Extremum(greatest=greatest, operands=operands):
            return ("max" if greatest else "min") + _list(operands)
        case AxisProduct(rank_class=rank_class, factor=factor):
            return f"prod({rank_class}: {show(factor)})"
        case Position(rank_class=rank_class, index=index, size=size):
            return f"position({rank_class}: {show(index)} of {show(size)})"
        case Digit(rank_class=rank_class, place=place, size=size):
            return f"index({rank_class}: {show(place)} of {show(size)})"
        case ElementOf(index=inner):
            return f"elem({show(inner)})"
        case IndexOf(element=inner):
            return f"index({show(inner)})"
        case Choose(condition=condition, consequent=consequent, alternative=alternative):
            return f"({show(condition)} ? {show(consequent)} : {show(alternative)})"
        case Access(tensor=tensor, slots=slots):
            return tensor + "[" + ", ".join(f"{slot.group}: {show(slot.index)}" for slot in slots) + "]"
        case Reduce(monoid=monoid, level=level, ranges=ranges, body=body):
            bounds = ", ".join(f"#{level}.{place} < {show(item.size)}" for place, item in enumerate(ranges))
            within = show(body) if isinstance(body, Polynomial | Choose | And) else f"({show(body)})"
            return f"{_REDUCERS.get(monoid, monoid)}[{bounds}]{within}"
        case Reciprocal() | TruncatedDivide() | Absolute() | Exponential() | Root() | Logarithm():
            return _function(term)
        case Applied(function=function, operands=operands) | Special(function=function, operands=operands):
            return function + _list(operands)
        case _:
            return _truth(term)


def _function(term: Reciprocal | TruncatedDivide | Absolute | Exponential | Root | Logarithm) -> str:
    match term:
        case Reciprocal(operand=inner):
            return f"inv({show(inner)})"
        case TruncatedDivide(left=left, right=right):
            return f"({show(left)} / {show(right)})"
        case Absolute(operand=inner):
            return f"abs({show(inner)})"
        case Exponential(operand=inner):
            return f"exp({show(inner)})"
        case Root(operand=inner):
            return f"sqrt({show(inner)})"
        case Logarithm(operand=inner):
            return f"log({show(inner)})"


def _truth(term: Term) -> str:
    match term:
        case Constant(value=value):
            return str(value).lower()
        case Not(operand=operand):
            return f"not {show(operand)}"
        case And(operands=operands):
            return "(" + " and ".join(map(show, operands)) + ")"
        case Fold(rank_class=rank_class, predicate=predicate):
            return f"all {rank_class}: {show(predicate)}"
        case NonNegative(polynomial=polynomial):
            return f"{show(polynomial)} >= 0"
        case Negative(polynomial=polynomial):
            return f"{show(polynomial)} < 0"
        case Zero(polynomial=polynomial):
            return f"{show(polynomial)} == 0"
    raise TypeError(type(term).__name__)


def _list(terms: tuple[Term, ...]) -> str:
    return "(" + ", ".join(map(show, terms)) + ")"


def _monomial(monomial: Monomial, factor: Coefficient) -> str:
    atoms = [show(atom) + (f"^{power}" if power > 1 else "") for atom, power in monomial]
    if factor != 1 or not atoms:
        atoms.insert(0, str(factor))
    return "*".join(atoms)
