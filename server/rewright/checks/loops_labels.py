"""Labels of statements of a transform that has none: those of the statements that they can only be."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from rewright.model.nest import Nest, NestGuard, NestItem, NestLoop, NestStatement, Transformation, statements


def labelled(asked: Transformation) -> Nest:
    """The transform; a statement has a label if all that are like it in the specification combine in any order.

    So what a `reduction` allows does not depend on whether the label is written twice.
    """
    free = asked.transformed.relaxed.reductions
    specified = tuple(statements(asked.specification.body))
    known = {each.label for each in specified}

    def label_of(statement: NestStatement) -> str:
        if statement.label in known and statement.label:
            return statement.label
        alike = [each for each in specified if _is_alike(each, statement)]
        all_free = bool(alike) and all(each.label in free for each in alike)
        return alike[0].label if all_free else statement.label

    def items(body: tuple[NestItem, ...]) -> tuple[NestItem, ...]:
        return tuple(map(item, body))

    def item(one: NestItem) -> NestItem:
        match one:
            case NestStatement():
                return replace(one, label=label_of(one))
            case NestLoop(body=body):
                return replace(one, body=items(body))
            case NestGuard(then=then, otherwise=otherwise):
                return replace(one, then=items(then), otherwise=items(otherwise))
            case _:
                assert_never(one)

    return replace(asked.transformed, body=items(asked.transformed.body)) if free else asked.transformed


def _is_alike(one: NestStatement, other: NestStatement) -> bool:
    return one.signature == other.signature and one.write.array == other.write.array
