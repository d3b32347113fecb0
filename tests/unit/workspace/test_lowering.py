"""Lowerings: which sources they are given, round by round, what is remembered, what failures say."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from rewright.checks.kernel_question import (
    LoweredKernel,
    LoweringPayload,
    NumberedQuestion,
    OutlinedSource,
    OutlinePayload,
    SourceEntry,
)
from rewright.engine.jobs import FailureKind, JobFailure, Outcome, Reply
from rewright.frontends.preset import Preset
from rewright.rules.decision import Mode
from rewright.syntax.text import Span
from rewright.verdict import Answer, Finding, InSource, Severity, Verdict
from rewright.verdict.codec import decode, encode
from rewright.verdict.diagnostics.kernels import NotChecked
from rewright.verdict.diagnostics.syntax import TextTooLong
from rewright.workspace.documents import Document, document
from rewright.workspace.jobs import How, plan
from rewright.workspace.lowering import LONGEST, Lowerings, of_document, preset, step
from rewright.workspace.settings import KernelSettings
from rewright.workspace.sources import Sources
from rewright.workspace.tracked import Tracked, replanned, track

KERNEL = 'kernel k(y: out f32[4]) from "k.cu"::k {\n  launch block(4)\n}\n'
ASKING = NumberedQuestion("{}", ("k", "y"), ("k.cu", "a.cuh"), "0 5 9 1 2 3")


def replying(key: str, value: object) -> Reply:
    return Reply(key, encode(value), definite=True, milliseconds=1.0, cached=False)


def knowing(how: How, outcome: Outcome) -> How:
    return replace(how, lowerings=how.lowerings.taking(outcome))


def files(folder: Path, **texts: str) -> Sources:
    for name, text in texts.items():
        (folder / name.replace("_", ".")).write_text(text)
    return Sources(folder)


def test_a_lowering_is_given_what_it_looks_for_until_it_looks_for_no_more(tmp_path: Path) -> None:
    sources = files(tmp_path, k_cu="kernel", a_cuh="header", b_cuh="other")
    needed, lowerings = of_document(str(tmp_path / "k.cu"), sources), Lowerings()
    given = []
    for read in (("k.cu", "a.cuh", "gone.cuh"), ("k.cu", "a.cuh", "b.cuh", "gone.cuh"), ("k.cu", "a.cuh", "b.cuh")):
        now = step(needed, sources, lowerings, ())
        assert now.question is not None and now.known is None
        given.append(sorted(now.gathered.texts))
        lowerings = lowerings.taking(replying(now.question.key, OutlinedSource((), (), read)))
    assert given == [["k.cu"], ["a.cuh", "k.cu"], ["a.cuh", "b.cuh", "k.cu"]]
    last = step(needed, sources, lowerings, ())
    assert (last.question, len(last.keys)) == (None, 3)
    assert sorted(last.gathered.files) == ["a.cuh", "b.cuh", "gone.cuh", "k.cu"], "the missing one is watched for, too"
    assert list(last.gathered.unreadable) == ["gone.cuh"]


def test_with_hints_one_round_is_enough(tmp_path: Path) -> None:
    sources = files(tmp_path, k_cu="kernel", a_cuh="header")
    first = step(of_document(str(tmp_path / "k.cu"), sources), sources, Lowerings(), ("a.cuh",))
    assert sorted(first.gathered.texts) == ["a.cuh", "k.cu"]


def test_what_is_outside_the_workspace_is_not_given(tmp_path: Path) -> None:
    (tmp_path / "secret.cuh").write_text("secret")
    inside = tmp_path / "inside"
    inside.mkdir()
    sources = files(inside, k_cu="kernel")
    found = step(of_document(str(inside / "k.cu"), sources), sources, Lowerings(), ("../secret.cuh", "/etc/hostname"))
    assert sorted(found.gathered.texts) == ["k.cu"]
    assert all("outside" in why for why in found.gathered.unreadable.values())


def test_a_key_is_of_texts_and_of_what_is_asked(tmp_path: Path) -> None:
    sources = files(tmp_path, k_cu="one")
    needed = of_document(str(tmp_path / "k.cu"), sources)
    before = step(needed, sources, Lowerings(), ()).question
    sources.open(str(tmp_path / "k.cu"), "two")
    after = step(needed, sources, Lowerings(), ()).question
    sources.close(str(tmp_path / "k.cu"))
    again = step(needed, sources, Lowerings(), ()).question
    assert before is not None and after is not None and again is not None
    assert before.key != after.key and before == again


def test_folders_are_given_as_the_file_means_them_and_their_files_are_given(tmp_path: Path) -> None:
    inside, include = tmp_path / "src" / "deep", tmp_path / "include"
    inside.mkdir(parents=True)
    include.mkdir()
    (tmp_path / "linked").symlink_to(inside)
    (include / "a.h").write_text("header")
    (inside / "k.cu").write_text("kernel")
    settings = KernelSettings((str(include), str(inside)), (("N", "4"),))
    for folder in (inside, tmp_path / "linked"):
        needed, lowerings = of_document(str(folder / "k.cu"), Sources(tmp_path), settings), Lowerings()
        first = step(needed, Sources(tmp_path), lowerings, ()).question
        assert first is not None
        payload: OutlinePayload = decode(OutlinePayload, first.payload)
        nearby = (".", "..", "../..", "../../include")
        assert payload.preset == Preset(("../../include", "."), (("N", "4"),), nearby)
        sought = ("k.cu", "a.h", "../../include/a.h")
        lowerings = lowerings.taking(replying(first.key, OutlinedSource((), (), sought)))
        now = step(needed, Sources(tmp_path), lowerings, ())
        assert now.question is not None and now.gathered.files["../../include/a.h"] == str(include / "a.h")
        assert sorted(now.gathered.texts) == ["../../include/a.h", "k.cu"]


def test_settings_are_part_of_what_is_asked(tmp_path: Path) -> None:
    sources = files(tmp_path, k_cu="kernel")
    (tmp_path / "a.rw").write_text(KERNEL)
    settings = [KernelSettings(), KernelSettings((str(tmp_path),)), KernelSettings((), (("N", "4"),))]
    keys = set()
    for each in (*settings, settings[1]):
        how = How(Mode.NORMAL_FORMS, Lowerings(), each)
        tracked = track(str(tmp_path / "a.rw"), sources, how)
        (of_declaration,) = tracked.awaited if isinstance(tracked, Tracked) else ()
        expected = preset(each, ("k.cu", str(tmp_path / "a.rw")), sources)
        assert decode(LoweringPayload, of_declaration.payload).preset == expected
        found = document(str(tmp_path / "k.cu"), (sources, how), None, frozenset())
        assert isinstance(found, Document) and found.question is not None
        keys |= {of_declaration.key, found.question.key}
    assert len(keys) == 6


@pytest.mark.parametrize(
    ("kind", "verdict"),
    [(FailureKind.CRASHED, Verdict.ERROR), (FailureKind.TIME, Verdict.UNKNOWN), (FailureKind.MEMORY, Verdict.UNKNOWN)],
)
def test_a_lowering_that_failed_is_an_answer(kind: FailureKind, verdict: Verdict) -> None:
    known = Lowerings().taking(JobFailure("key", kind, "why")).get("key")
    assert isinstance(known, Answer) and known.verdict is verdict


def test_a_lowering_that_was_cancelled_is_as_good_as_not_asked() -> None:
    assert Lowerings().taking(JobFailure("key", FailureKind.CANCELLED, "")).get("key") is None


def test_what_nothing_rests_on_is_forgotten() -> None:
    lowerings = Lowerings()
    for key in ("a", "b"):
        lowerings = lowerings.taking(replying(key, LoweredKernel(None, (), ())))
    kept = lowerings.keeping(["b", "c"])
    assert kept.get("a") is None and kept.get("b") is not None


# --------------------------------------------------------------------------------------------------- declarations


def declared(folder: Path, how: How, sources: Sources) -> Tracked:
    (folder / "a.rw").write_text(KERNEL)
    tracked = track(str(folder / "a.rw"), sources, how)
    assert isinstance(tracked, Tracked)
    return tracked


def test_a_declaration_asks_once_it_is_lowered_and_keeps_that_while_a_change_is(tmp_path: Path) -> None:
    sources, how = files(tmp_path, k_cu="kernel"), How(Mode.NORMAL_FORMS, Lowerings())
    (waiting,) = declared(tmp_path, how, sources).planned
    assert waiting.asked == () and waiting.awaited is not None
    how = knowing(how, replying(waiting.awaited.key, LoweredKernel(ASKING, (), ("k.cu",))))
    asking = replanned(waiting, str(tmp_path / "a.rw"), sources, how)
    assert [each.names for each in asking.asked] == [("k", "y")] and asking.awaited is None
    assert replanned(asking, str(tmp_path / "a.rw"), sources, how) is asking

    sources.open(str(tmp_path / "k.cu"), "changed")
    held = replanned(asking, str(tmp_path / "a.rw"), sources, how)
    assert held.awaited is not None and held.keys == asking.keys
    assert held.lowering is not None and [text.text for text in held.lowering.texts] == ["kernel"]
    how = knowing(how, replying(held.awaited.key, LoweredKernel(ASKING, (), ("k.cu",))))
    after = replanned(held, str(tmp_path / "a.rw"), sources, how)
    assert after.keys == asking.keys, "the text is no part of the question"
    assert after.lowering is not None and [text.text for text in after.lowering.texts] == ["changed"]


def test_what_cannot_be_lowered_is_unknown_for_its_reason(tmp_path: Path) -> None:
    sources, how = files(tmp_path, k_cu="kernel"), How(Mode.NORMAL_FORMS, Lowerings())
    (waiting,) = declared(tmp_path, how, sources).planned
    assert waiting.awaited is not None
    problem = Finding(NotChecked("textures"), Severity.WARNING, InSource("k.cu", 0, 3))
    how = knowing(how, replying(waiting.awaited.key, LoweredKernel(None, (problem,), ("k.cu",))))
    settled = plan(waiting.declared, str(tmp_path / "a.rw"), (sources, how))
    assert settled.asked == () and settled.lowering is not None and settled.lowering.settled is not None
    assert (settled.lowering.settled.verdict, settled.lowering.settled.reason) == (Verdict.UNKNOWN, "textures")


# ------------------------------------------------------------------------------------------------------ documents


def outlined(*names: str) -> OutlinedSource:
    kernels = (
        SourceEntry(name, 3 * at, 3 * at + 1, 0, "// rewright: launch block(32)\n", LoweredKernel(ASKING, (), ()))
        for at, name in enumerate(names)
    )
    absent = Finding(NotChecked("gone"), Severity.WARNING, InSource("k.cu", 0, 1))
    return OutlinedSource((*kernels, SourceEntry("bare", 90, 94, 80, "", None)), (absent,), ("k.cu", "a.cuh"))


def looked_at(folder: Path, how: How, sources: Sources, elsewhere: frozenset[str], before: Document | None) -> Document:
    """The document after as many rounds as it takes."""
    for _ in range(5):
        found = document(str(folder / "k.cu"), (sources, how), before, elsewhere)
        assert isinstance(found, Document)
        if found.question is None:
            return found
        how = knowing(how, replying(found.question.key, outlined("f", "g")))
    raise AssertionError("it never ends")


def test_a_document_asks_for_the_kernels_that_are_not_declared_elsewhere(tmp_path: Path) -> None:
    sources, how = files(tmp_path, k_cu="f  g", a_cuh=""), How(Mode.NORMAL_FORMS, Lowerings())
    found = looked_at(tmp_path, how, sources, frozenset({"g"}), None)
    assert [kernel.name for kernel in found.kernels] == ["f", "g", "bare"]
    assert [planned.declared.name for planned in found.planned] == ["f"]
    assert [place.span for place in found.places] == [Span(0, 1)]
    assert found.named() == {str(tmp_path / "k.cu"), str(tmp_path / "a.cuh")}
    assert looked_at(tmp_path, how, sources, frozenset({"g"}), found) is found
    assert len(looked_at(tmp_path, how, sources, frozenset(), found).planned) == 2


def test_a_document_keeps_speaking_of_its_text_while_a_change_is_looked_through(tmp_path: Path) -> None:
    sources, how = files(tmp_path, k_cu="f  g", a_cuh=""), How(Mode.NORMAL_FORMS, Lowerings())
    before = looked_at(tmp_path, how, sources, frozenset(), None)
    sources.open(str(tmp_path / "k.cu"), "// f  g")
    held = document(str(tmp_path / "k.cu"), (sources, how), before, frozenset())
    assert isinstance(held, Document) and held.text.text == "f  g" and held.question is not None
    assert all(planned.awaited == held.question for planned in held.planned)
    assert looked_at(tmp_path, how, sources, frozenset(), held).text.text == "// f  g"


def test_a_document_whose_lowering_fails_says_so_at_its_start(tmp_path: Path) -> None:
    sources, how = files(tmp_path, k_cu="f"), How(Mode.NORMAL_FORMS, Lowerings())
    first = document(str(tmp_path / "k.cu"), (sources, how), None, frozenset())
    assert isinstance(first, Document) and first.question is not None
    how = knowing(how, JobFailure(first.question.key, FailureKind.CRASHED, "a traceback"))
    failed = document(str(tmp_path / "k.cu"), (sources, how), first, frozenset())
    assert isinstance(failed, Document)
    assert [(finding.code, finding.place) for finding in failed.findings] == [("RW901", InSource("k.cu", 0, 0))]
    how = replace(how, lowerings=how.lowerings.keeping(failed.lowered_by()))
    assert document(str(tmp_path / "k.cu"), (sources, how), failed, frozenset()) is failed, "it is not asked again"


def test_a_source_that_is_too_long_is_not_sent_about(tmp_path: Path) -> None:
    sources, how = files(tmp_path, k_cu="x" * (LONGEST + 1)), How(Mode.NORMAL_FORMS, Lowerings())
    found = document(str(tmp_path / "k.cu"), (sources, how), None, frozenset())
    assert isinstance(found, Document) and found.question is None
    (finding,) = found.findings
    assert isinstance(finding.diagnosis, TextTooLong) and "more than the 2 MiB" in finding.diagnosis.reason
    (declaration,) = declared(tmp_path, how, sources).planned
    assert [finding.code for finding in declaration.findings] == ["RW130"]


def test_sites_of_sources_follow_those_of_the_declaration() -> None:
    assert ASKING.places() == (InSource("k.cu", 5, 9), InSource("a.cuh", 2, 3))
