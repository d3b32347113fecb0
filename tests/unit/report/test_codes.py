"""Each diagnostic code has one module and one page that is up to date; that something gives it, `test_pages` says."""

import os
import re
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

from rewright.report import codes
from rewright.verdict import Role
from rewright.verdict.diagnostics import every

ROOT = Path(__file__).parents[3]
PAGES = ROOT / "docs" / "codes"
TABLE = ROOT / "docs" / "codes.md"
CODES = codes.every()
TABLE_HEAD = """# Diagnostic codes

RW0 is about the form of a text, RW1 about names and types, RW2 about rules, RW3 about kernels, RW4 about graphs. RW901
is an internal error. `rewright explain RW201` prints a page on the command line. In the editor a click on a code opens
its page.
"""


@pytest.mark.parametrize("code", CODES, ids=lambda code: code.code)
def test_the_page_is_what_the_module_says(code: codes.Code[Any]) -> None:
    page = PAGES / f"{code.code}.md"
    if os.environ.get("REWRIGHT_UPDATE"):
        page.write_text(codes.page(code), encoding="utf-8")
    assert page.read_text(encoding="utf-8") == codes.page(code)


def test_the_table_of_codes_is_what_the_modules_say() -> None:
    rows = "".join(f"| [{code.code}](codes/{code.code}.md) | {code.title} |\n" for code in CODES)
    table = f"{TABLE_HEAD}\n| code | what it says |\n|---|---|\n{rows}"
    if os.environ.get("REWRIGHT_UPDATE"):
        TABLE.write_text(table, encoding="utf-8")
    assert TABLE.read_text(encoding="utf-8") == table


def test_there_is_no_page_without_a_code() -> None:
    assert {page.stem for page in PAGES.glob("*.md")} == {code.code for code in CODES}


def test_a_code_is_named_where_its_classes_and_its_words_are_and_nowhere_else() -> None:
    server = ROOT / "server" / "rewright"
    named = {path for path in server.rglob("*.py") if re.search(r"\"RW\d{3}\"", path.read_text(encoding="utf-8"))}
    assert {path.parent for path in named} == {server / "verdict" / "diagnostics", server / "report" / "codes"}


@pytest.mark.parametrize("code", CODES, ids=lambda code: code.code)
def test_a_module_has_the_words_of_each_class_of_its_code(code: codes.Code[Any]) -> None:
    hint = get_type_hints(code.message)["diagnosis"]
    classes = {each for each in every().values() if each.code == code.code}
    assert set(get_args(hint) or (hint,)) == classes != set()
    assert set(code.related) <= set(Role)


def test_each_class_of_diagnoses_has_its_module() -> None:
    assert {each.code for each in every().values()} == {code.code for code in CODES}


def test_there_is_no_entry_for_what_is_no_code() -> None:
    assert codes.lookup("RW999") is None
    assert codes.lookup("../rw201") is None
    assert codes.lookup("") is None
