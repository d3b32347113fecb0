"""What is shown of an operator: its row of the language page's table, as Markdown."""

from __future__ import annotations

from rewright.model.operators import Operator


def page(operator: Operator) -> str:
    """How it is called, and what it means, as a list; what of it is not decided."""
    texts = operator.texts
    rows = [
        ("types", texts.types),
        ("shape", texts.shape),
        ("valid when", texts.valid),
        ("defined when", texts.defined),
        ("element at i", texts.element),
    ]
    listed = "\n".join(f"- {title}: {text}" for title, text in rows if text)
    return f"```rw\n{texts.call}\n```\n{listed}{_later(operator)}"


def _later(operator: Operator) -> str:
    """What of the operator this version does not decide."""
    if not operator.decided:
        return "\n\nNot decided in this version: a rule that uses it is unknown."
    return ""
