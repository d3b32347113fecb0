"""Stories of loop nests in C files by themselves: verdicts, places in both directions, bad input, other orders."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from lsp_editor import PATIENCE, Document, Editor
from lsprotocol import types

SEIDEL = """#define min(a, b) ((a) < (b) ? (a) : (b))

void seidel(int T, int N, double A[N][N]) {
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < N; i++)
      for (int j = 1; j < N; j++)
        A[i][j] = A[i - 1][j] + A[i][j - 1];
#pragma endscop
}

#pragma rewright transform tiled of seidel
void seidel_tiled(int T, int N, double A[N][N]) {
  for (int t = 0; t < T; t++)
    for (int ii = 1; ii < N; ii += 32)
      for (int i = ii; i < min(ii + 32, N); i++)
        for (int j = 1; j < N; j++)
          A[i][j] = A[i - 1][j] + A[i][j - 1];
}
"""
REORDER = "rewright.server.reorder"
PROVED = "✓ all sizes, T, N >= 1"


def written(folder: Path, text: str = SEIDEL) -> Path:
    path = folder / "seidel.c"
    path.write_bytes(text.encode())
    return path


async def verdict(editor: Editor, document: Document, name: str) -> str:
    """The verdict behind a name, once there is one."""
    line = document.range(name).start.line
    async with asyncio.timeout(PATIENCE):
        while line not in (hints := await editor.settled(document)):
            await asyncio.sleep(0.05)
    return hints[line]


async def found(editor: Editor, document: Document, *codes: str) -> list[types.Diagnostic]:
    """What is shown of a document, once it has these codes."""
    await editor.eventually(lambda: [each.code for each in editor.pushed(document.path)] == list(codes))
    return editor.pushed(document.path)


@pytest.mark.asyncio(loop_scope="module")
async def test_a_bound_that_is_broken_and_mended(shared: Editor, folder: Path) -> None:
    source = await shared.open(written(folder))
    assert await verdict(shared, source, "seidel(") == PROVED
    assert await verdict(shared, source, "tiled of") == PROVED
    assert shared.pushed(source.path) == []
    async with asyncio.timeout(PATIENCE):
        while "carried by" not in (said := await shared.hover(source, "A[i][j] = A")):
            await asyncio.sleep(0.05)
    assert "`T * (N - 1) * (N - 1)` times" in said and "| (0, 1, 0) | loop `i` |" in said
    assert "can be tiled together with `j`" in await shared.hover(source, "int i = 1")

    shared.replace(source, "i < min(ii + 32, N)", "i < min(ii + 31, N)")
    shared.save(source)
    assert (await verdict(shared, source, "tiled of")).startswith("✗")
    (missing,) = await found(shared, source, "RW502")
    assert missing.range.start.line == 17
    assert "is never executed" in missing.message
    places = {each.location.range.start.line for each in missing.related_information or ()}
    assert places == {7, 15}, "the statement of the specification, and the loop that loses it"

    (fix, *_) = await shared.fixes(source, missing)
    assert fix.title == "Run `int i = ii; i < min(ii + 32, N); i++`"
    assert fix.edit is not None
    shared.apply(source, only_edit(fix.edit))
    assert source.text == SEIDEL
    shared.save(source)
    assert await verdict(shared, source, "tiled of") == PROVED
    assert shared.pushed(source.path) == []


@pytest.mark.asyncio(loop_scope="module")
async def test_a_place_that_is_related_leads_to_the_other(shared: Editor, folder: Path) -> None:
    """A race stands at both accesses; what is wrong with a transform in `.rw` leads to the nest in C."""
    racing = SEIDEL.replace("      for (int j = 1", "#pragma omp parallel for\n      for (int j = 1", 1)
    source = await shared.open(written(folder, racing))
    one, other = await found(shared, source, "RW506", "RW506")
    assert one.range != other.range
    for here, there in ((one, other), (other, one)):
        assert there.range in [each.location.range for each in here.related_information or ()]
    shared.replace(source, "#pragma omp parallel for\n", "")
    shared.save(source)
    await found(shared, source)

    short = (
        "transform short of seidel { for t in 0..T, i in 1..N, j in 2..N { A[i, j] = A[i - 1, j] + A[i, j - 1] } }\n"
    )
    path = folder / "short.rw"
    path.write_text(f'loops seidel from "seidel.c"\n{short}')
    document = await shared.open(path)
    (missing,) = await found(shared, document, "RW502")
    assert missing.range.start == document.range("A[i, j] = A").start
    assert {each.location.uri for each in missing.related_information or ()} == {source.uri, document.uri}
    (in_c,) = [each.location for each in missing.related_information or () if each.location.uri == source.uri]
    assert in_c.range.start == source.range("A[i][j] = A").start


@pytest.mark.asyncio(loop_scope="module")
async def test_what_is_not_affine_is_said_while_typing(shared: Editor, folder: Path) -> None:
    source = await shared.open(written(folder))
    await verdict(shared, source, "tiled of")
    shared.replace(source, "A[i][j] = A[i - 1][j]", "A[i][j * t] = A[i - 1][j]")
    (said, *_) = await found(shared, source, "RW205", "RW205")
    assert said.range.start == source.range("j * t").start
    assert "not affine" in said.message
    shared.replace(source, "A[i][j * t]", "A[i][j]")
    await found(shared, source)
    assert source.path.read_text() == SEIDEL, "nothing was saved"


@pytest.mark.asyncio(loop_scope="module")
async def test_half_typed_text_takes_nothing_else_away(shared: Editor, folder: Path) -> None:
    source = await shared.open(written(folder))
    await verdict(shared, source, "tiled of")
    shared.replace(
        source,
        "        for (int j = 1; j < N; j++)\n          A[i][j]",
        "        for (int j = 1; j <\n          A[i][j]",
    )
    await shared.eventually(lambda: shared.pushed(source.path) != [])
    assert await verdict(shared, source, "seidel(") == PROVED
    shared.replace(source, "#pragma endscop\n", "")
    await shared.eventually(lambda: any("not closed" in each.message for each in shared.pushed(source.path)))
    shared.save(source)
    await shared.settled(source)


@pytest.mark.asyncio(loop_scope="module")
async def test_two_regions_of_one_name(shared: Editor, folder: Path) -> None:
    text = SEIDEL.replace("transform tiled of seidel", "transform seidel of seidel")
    source = await shared.open(written(folder, text))
    await shared.eventually(lambda: any(each.code == "RW102" for each in shared.pushed(source.path)))
    (taken,) = [each for each in shared.pushed(source.path) if each.code == "RW102"]
    assert taken.range.start.line == 11


@pytest.mark.asyncio(loop_scope="module")
async def test_line_ends_and_letters_of_several_bytes(shared: Editor, folder: Path) -> None:
    text = (
        ("/* Größe 𝄞 */\n" + SEIDEL)
        .replace("j < N; j++)\n          A", "j < N - 1; j++)\n          A")
        .replace("\n", "\r\n")
    )
    source = await shared.open(written(folder, text))
    (missing,) = await found(shared, source, "RW502")
    assert missing.range.start.line == 18


@pytest.mark.asyncio(loop_scope="module")
async def test_what_was_not_run_is_greyed(shared: Editor, folder: Path) -> None:
    text = SEIDEL.replace(
        "for (int t = 0; t < T; t++)\n    for (int ii", "int t = 0;\n  while (t++ < T)\n    for (int ii"
    )
    text = text.replace("          A[i][j] = A", "          if (j < 900) A[i][j] = A").removesuffix("}\n")
    source = await shared.open(written(folder, f"{text}  if (N > 900)\n    A[0][0] = A[1][0];\n}}\n"))
    assert (await verdict(shared, source, "tiled of")).startswith("✓")
    await shared.eventually(lambda: any(each.code == "RW508" for each in shared.pushed(source.path)))
    (greyed, *_) = [each for each in shared.pushed(source.path) if each.code == "RW508"]
    assert list(greyed.tags or ()) == [types.DiagnosticTag.Unnecessary]
    assert greyed.range.start.line == source.range("A[0][0]").start.line


@pytest.mark.asyncio(loop_scope="module")
async def test_a_file_of_ten_thousand_lines(shared: Editor, folder: Path) -> None:
    filler = "".join(f"int f{number}(int x) {{ return x + {number}; }}\n" for number in range(10_000))
    source = await shared.open(written(folder, filler + SEIDEL))
    assert await verdict(shared, source, "tiled of") == PROVED


@pytest.mark.asyncio(loop_scope="module")
async def test_files_without_a_region_are_left_alone(shared: Editor, folder: Path) -> None:
    plain = await shared.open(written(folder, SEIDEL.replace("#pragma", "// pragma")))
    assert await shared.hints(plain) == {} and await shared.problems(plain) == []


@pytest.mark.asyncio(loop_scope="module")
async def test_another_order_is_inserted_proved(shared: Editor, folder: Path) -> None:
    source = await shared.open(written(folder))
    await verdict(shared, source, "tiled of")
    assert await orders(shared, source, "t < T") == [
        "Insert, once proved: tiled by 32",
        "Insert, once proved: skewed so that it can be tiled",
        "Insert, once proved: skewed, and tiled by 32",
        "Insert, once proved: loops `t` and `i` interchanged",
        "Insert, once proved: loops `i` and `j` interchanged",
        "Insert, once proved: innermost loops unrolled by 4",
        "Insert, once proved: the order that isl's scheduler finds",
    ]
    known = len(shared.proposed)
    await shared.run(REORDER, source.uri, "seidel", "interchange(i, j)")
    await shared.eventually(lambda: len(shared.proposed) > known)
    shared.apply(source, only_edit(shared.proposed[-1]))
    assert "#pragma rewright transform seidel_interchanged of seidel\n" in source.text
    shared.save(source)
    assert await verdict(shared, source, "seidel_interchanged of") == PROVED


@pytest.mark.asyncio(loop_scope="module")
async def test_a_nest_without_a_transform_is_tiled_from_its_lens(shared: Editor, folder: Path) -> None:
    source = await shared.open(written(folder, SEIDEL.partition("#pragma rewright")[0]))
    assert await verdict(shared, source, "seidel(") == PROVED
    (lens,) = [each.command for each in await shared.lenses(source) if each.command and "insert" in each.command.title]
    assert lens.title == "Rewright: insert it tiled by 32"
    known = len(shared.proposed)
    await shared.run(lens.command, *(lens.arguments or ()))
    await shared.eventually(lambda: len(shared.proposed) > known)
    shared.apply(source, only_edit(shared.proposed[-1]))
    shared.save(source)
    assert await verdict(shared, source, "seidel_tiled of") == PROVED
    assert not any("insert" in title for title in (await shared.titles(source)).values())


@pytest.mark.asyncio(loop_scope="module")
async def test_another_order_of_a_declaration(shared: Editor, folder: Path) -> None:
    path = folder / "copy.rw"
    path.write_text("// größer\nloops copy(N) {\n  array A, B: f64[N]\n  for i in 0..N { A[i] = B[i] }\n}\n")
    document = await shared.open(path)
    known = len(shared.proposed)
    assert "Insert, once proved: innermost loops unrolled by 4" in await orders(shared, document, "for i")
    await shared.run(REORDER, document.uri, "copy", "reverse(i)")
    await shared.eventually(lambda: len(shared.proposed) > known)
    shared.apply(document, only_edit(shared.proposed[-1]))
    assert document.text.endswith(
        "}\n\ntransform copy_reversed of copy {\n  for i in N - 1..-1 step -1 {\n    A[i] = B[i]\n  }\n}\n"
    )


async def orders(editor: Editor, document: Document, at: str) -> list[str]:
    """The titles of the other orders that are offered at a place, none of which was looked for yet.

    The client's library takes an action without an edit for a command, so the titles are all that is looked at.
    """
    context = types.CodeActionContext([], only=[types.CodeActionKind.RefactorRewrite])
    params = types.CodeActionParams(document.identifier, document.range(at), context)
    return [each.title for each in await editor.client.text_document_code_action_async(params) or ()]


def only_edit(edit: types.WorkspaceEdit) -> types.TextEdit:
    assert edit.changes is not None
    ((_, (only,)),) = edit.changes.items()
    assert isinstance(only, types.TextEdit)
    return only
