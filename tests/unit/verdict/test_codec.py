"""The wire form of plain data: what is written is read back, and what does not fit is refused."""

from dataclasses import dataclass

import pytest

from rewright.verdict import (
    AccessKind,
    Answer,
    Coverage,
    Edit,
    Failure,
    Finding,
    Fix,
    InSource,
    Instance,
    KernelWitness,
    Method,
    Related,
    Role,
    RuleWitness,
    Severity,
    Site,
    Step,
    TensorValue,
    ThreadId,
    Verdict,
    worst,
)
from rewright.verdict.codec import CodecError, decode, encode
from rewright.verdict.diagnostics.kernels import Act, ArrayElement, Collision, DataRace, Who

INSTANCE = Instance(
    ranks=(("A", 1),), maps=(("n", (2,)),), integers=(("k", -3),), tensors=(("X", TensorValue((2,), ("1", "-inf"))),)
)
RULE = RuleWitness(
    Failure.VALUE,
    "int",
    "=>",
    INSTANCE,
    (("A", (0,)),),
    "1",
    "0",
    (Step("left", 4, TensorValue((), ("1/3",))),),
    replayed=True,
)
KERNEL = KernelWitness(
    Failure.RACE,
    (1,),
    (256,),
    (("N", "512"),),
    (ThreadId((0,), (0,)), ThreadId((0,), (1,))),
    "buf",
    (1,),
    0,
    replayed=True,
)


ACT = Act(Who((0, 1), (2,), (1, 3)), AccessKind.WRITE)
RACE = DataRace(Collision(ArrayElement("größe", (3,)), ACT, ACT), interval=4)


@pytest.mark.parametrize("witness", [None, RULE, KERNEL])
def test_an_answer_survives_the_wire(witness: RuleWitness | KernelWitness | None) -> None:
    related = Related(Role.SECOND, InSource("reduce.cu", 3, 9))
    finding = Finding(RACE, Severity.ERROR, Site(7), (related,), (("mode", "1"),), "grid 1, block 2")
    coverage = Coverage("all ranks and sizes", bounded=False, method="exact", assumptions=("x is finite",))
    answer = Answer(
        Verdict.REFUTED, coverage, Method.SOLVER, (("A", 2),), (("A", "two folds"),), None, (finding,), witness
    )
    assert decode(Answer, encode(answer)) == answer


def test_a_fix_survives_the_wire() -> None:
    fix = Fix("insert a barrier", (Edit(InSource("reduce.cu", 3, 3), "__syncthreads();\n"), Edit(Site(2), "")))
    assert decode(Fix, encode(fix)) == fix


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        '{"is":"Coverage","text":"x"}',
        '{"is":"Coverage","text":1,"bounded":false,"method":"exact","assumptions":[]}',
        '{"is":"Coverage","text":"x","bounded":0,"method":"exact","assumptions":[]}',
        '{"is":"Coverage","text":"x","bounded":false,"method":"exact","assumptions":"no"}',
        '{"is":"Coverage","text":"x","bounded":false,"method":"exact","assumptions":[],"more":1}',
        '{"is":"Site","number":1}',
    ],
)
def test_what_does_not_fit_is_refused(text: str) -> None:
    with pytest.raises(CodecError):
        decode(Coverage, text)


@dataclass(frozen=True, slots=True)
class Holder:
    verdict: Verdict


def test_an_unknown_enum_value_is_refused() -> None:
    with pytest.raises(CodecError):
        decode(Holder, '{"is":"Holder","verdict":"fine"}')


@pytest.mark.parametrize("variant", ['"Coverage"', "null", "[]", "{}", "1"])
def test_an_unknown_variant_is_refused(variant: str) -> None:
    site = '{"is":"Site","number":7}'
    text = encode(Finding(RACE, Severity.ERROR, Site(7)))
    with pytest.raises(CodecError):
        decode(Finding, text.replace(site, site.replace('"Site"', variant)))


@pytest.mark.parametrize("variant", ['"NoSuchDiagnosis"', '"Site"', '"Diagnosis"', "null", "[]", "{}", "1"])
def test_an_unknown_diagnosis_is_refused(variant: str) -> None:
    text = encode(Finding(RACE, Severity.ERROR, Site(7)))
    with pytest.raises(CodecError):
        decode(Finding, text.replace('"DataRace"', variant))


def test_the_worst_verdict() -> None:
    assert worst([Verdict.PROVED, Verdict.CHECKED]) is Verdict.CHECKED
    assert worst([Verdict.UNKNOWN, Verdict.REFUTED, Verdict.PROVED]) is Verdict.REFUTED
    assert worst([Verdict.REFUTED, Verdict.INVALID, Verdict.ERROR]) is Verdict.ERROR
