"""Diagnoses: frozen values of their facts, none of which may be missing; the type checker says so, too.

Where a line is wrong on purpose it says which error the type checker has for it, and `make lint` fails if it has none.
"""

from __future__ import annotations

import subprocess
import sys
from collections import Counter

import pytest
from msgspec.structs import replace

from rewright.verdict import diagnostics
from rewright.verdict.codec import from_plain, to_plain
from rewright.verdict.diagnosis import Diagnosis
from rewright.verdict.diagnostics.names import GroupAbsent, NameTaken, UnknownName
from rewright.verdict.diagnostics.syntax import UnclosedString, UnexpectedText


def test_a_missing_fact_is_an_error() -> None:
    with pytest.raises(TypeError, match="nearest"):
        UnknownName("axis", "Q")  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        UnclosedString("x")
    with pytest.raises(TypeError):
        UnknownName("axis", "Q", nearest=None, most="Z")  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        UnknownName("axis", "Q", None, name="Q")  # type: ignore[misc]


def test_a_fact_of_another_type_is_an_error_of_types() -> None:
    UnexpectedText(1)  # type: ignore[arg-type]
    NameTaken("a", "import")  # type: ignore[arg-type]


def test_it_is_a_value() -> None:
    one, same = UnknownName("axis", "Q", None), UnknownName(nearest=None, name="Q", what="axis")
    assert one == same and hash(one) == hash(same) and len({one, same}) == 1
    assert one != replace(one, name="R")
    assert repr(one) == "UnknownName(what='axis', name='Q', nearest=None)"
    assert one.__struct_fields__ == ("what", "name", "nearest")


def test_it_is_frozen() -> None:
    one = UnknownName("axis", "Q", None)
    with pytest.raises(AttributeError):
        one.name = "R"
    with pytest.raises(AttributeError):
        del one.name


@pytest.mark.parametrize(
    "diagnosis", [UnclosedString(), UnknownName("axis", "Q", None), GroupAbsent("slice", "B", ("A",))]
)
def test_it_survives_the_wire(diagnosis: Diagnosis) -> None:
    assert from_plain(Diagnosis, to_plain(diagnosis)) == diagnosis


def test_a_class_has_a_name_of_its_own() -> None:
    """The wire knows it by that."""
    assert [name for name, count in Counter(each.__name__ for each in _classes(Diagnosis)).items() if count > 1] == []
    assert set(diagnostics.every().values()) == set(_classes(Diagnosis))


def _classes(of: type[Diagnosis]) -> list[type[Diagnosis]]:
    diagnostics.every()
    return [each for direct in of.__subclasses__() for each in (direct, *_classes(direct))]


def test_what_the_command_line_starts_with_loads_no_diagnoses_of_kernels_for_the_wire() -> None:
    """Which classes there are is asked only where one is read."""
    program = "import sys, rewright.verdict.codec; print([m for m in sys.modules if 'diagnostics.' in m])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['rewright.verdict.diagnostics.internal']"
