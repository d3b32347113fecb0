"""Text of an author in a hover: it shows, and does no more."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewright.report.quoted import BREAK, quoted
from rewright.report.tables import code

PIECES = ("!", "[", "]", "(", ")", ":", "<", ">", "`", "\\", "\n", " ", "img src=x", "http://e/p.png", "command:x", "a")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("![p](http://e/p.png)", "!~[p](http://e/p.png)"),
        ("[![p](http://e/p.png)](https://e)", "[!~[p](http://e/p.png)](https://e)"),
        ("`\n\n![p][r]\n\n[r]: file:///p.png `", "`\n\n!~[p][r]\n\n[r]~: file:///p.png `"),
        ("\\` ![p](p.png) `", "\\` !~[p]~(p.png) `"),
        ("[run](command:rewright.restart)", "[run]~(command:rewright.restart)"),
        ("[run]( <command:x>)", "[run]~( <~command:x>)"),
        ("[run][r]\n[r]: command:x", "[run][r]\n[r]~: command:x"),
        ("[page]( https://arxiv.org/abs/1)", "[page]( https://arxiv.org/abs/1)"),
        ("[page][r]\n\n[r]: <https://arxiv.org>", "[page][r]\n\n[r]: <https://arxiv.org>"),
        ("<img src='http://e/p.png'>", "<~img src='http://e/p.png'>"),
        ("</b><!-- x --><?x?>", "<~/b><~!-- x --><~?x?>"),
        ("*kept* `X[i] < n`, start <= limit, n != [0]", "*kept* `X[i] < n`, start <= limit, n != [0]"),
    ],
)
def test_pictures_elements_and_links_to_no_page_are_only_shown(text: str, shown: str) -> None:
    assert quoted(text) == shown.replace("~", BREAK)


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_nothing_is_lost_and_nothing_left(text: str) -> None:
    escaped = quoted(text)
    assert escaped.replace(BREAK, "") == text
    assert quoted(escaped) == escaped
    assert "![" not in escaped and "<img" not in escaped and "](command:" not in escaped


def test_code_ends_where_it_should() -> None:
    assert code("a") == "`a`"
    assert code("`") == "`` ` ``"
    assert code("x /* ``![p](p.png) */ y") == "```x /* ``![p](p.png) */ y```"
    assert code("a\n\n![p](p.png)") == "`a  ![p](p.png)`"
