"""A proved rule with reductions says which reduced indices correspond to which."""

from __future__ import annotations

from rewright.checks.rule import answer
from rewright.model.file import check_file
from rewright.model.rule import Rule, RuleQuestion
from rewright.rules.decision import Budget, Mode
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text
from rewright.verdict import Answer, Method, Verdict
from rewright.verdict.codec import decode, encode

WINDOWS = """rule asked<T: int> {
axes A
map n, a, b on A
tensor X: T[A: n]
reduce_window(max, reduce_window(max, X, A: (size = a)), A: (size = b)) => reduce_window(max, X, A: (size = a + b - 1))
where 1 <= a, 1 <= b, a + b <= n
}
"""


def test_the_answer_and_what_is_kept_of_it_name_the_correspondence() -> None:
    (declaration,) = check_file(parse(Text.of("asked.rw", WINDOWS)), lambda path: None).declarations
    assert isinstance(declaration.value, Rule), declaration
    question = RuleQuestion(declaration.value, declaration.value.domains[0], "=>")
    found = answer(question, Budget(), Mode.NORMAL_FORMS)
    assert (found.verdict, found.by, found.bound) == (Verdict.PROVED, Method.NORMAL_FORM, None)
    assert found.correspondence == ("k, l of A on the left correspond to k + l of A on the right",)
    assert decode(Answer, encode(found)) == found
