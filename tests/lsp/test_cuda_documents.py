"""Stories of CUDA files by themselves: a launch in a comment, verdicts, both ends of a race, included sources."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from lsp_editor import Document, Editor, started
from lsp_kernels import BARRIER, HEADER, NAME, OTHER, READ, SUMS, WRITTEN, written
from lsp_sources import CUDA, KERNEL
from lsprotocol import types

SHIFT = "// rewright: launch block(64); x: in f32[64]; y: out f32[64]\n" + CUDA


def codes(found: list[types.Diagnostic]) -> list[object]:
    return [each.code for each in found]


async def verdict(editor: Editor, document: Document, name: str = NAME) -> str:
    """The verdict behind a kernel's name, once there is one."""
    line = document.range(name).start.line
    while line not in (hints := await editor.settled(document)):
        await editor.until(lambda: True)
    return hints[line]


@pytest.mark.asyncio(loop_scope="module")
async def test_a_kernel_with_a_comment_is_checked_when_its_file_is_opened(shared: Editor, folder: Path) -> None:
    source = await shared.open(written(folder))
    assert (await verdict(shared, source)).startswith("✓ checked")
    assert shared.pushed(source.path) == []
    assert "sums" in await shared.hover(source, NAME, 6)


@pytest.mark.asyncio(loop_scope="module")
async def test_a_deleted_barrier_underlines_both_accesses_on_save(shared: Editor, folder: Path) -> None:
    source = await shared.open(written(folder))
    await verdict(shared, source)
    shared.replace(source, BARRIER, "")
    shared.save(source)
    assert (await verdict(shared, source)).startswith("✗ refuted")
    first, second = sorted(shared.pushed(source.path), key=lambda found: found.range.start.line)
    for found, other, text in ((first, second, WRITTEN), (second, first, READ)):
        assert found.code == "RW301"
        assert found.range.start == source.range(text).start
        (related,) = found.related_information or ()
        assert (related.location.uri, related.location.range) == (source.uri, other.range)
    assert "race" in await shared.hover(source, READ)

    shared.replace(source, "= sum;\n", "= sum;\n" + BARRIER)
    shared.save(source)
    assert (await verdict(shared, source)).startswith("✓ checked")
    assert shared.pushed(source.path) == []


@pytest.mark.asyncio(loop_scope="module")
async def test_a_comment_or_another_kernel_asks_nothing_anew(shared: Editor, folder: Path) -> None:
    source = await shared.open(written(folder))
    known = await verdict(shared, source)
    seen = len(shared.statuses)
    shared.replace(source, "// rewright", "// The sum of a vector.\n// rewright")
    shared.replace(source, "2.0f * x[i]", "3.0f * x[i]")
    shared.save(source)
    assert await verdict(shared, source) == known
    assert all(status.refuted == 0 for status in shared.statuses[seen:])
    assert shared.pushed(source.path) == []


@pytest.mark.asyncio(loop_scope="module")
async def test_what_is_not_handled_is_reported_while_typing_and_others_keep_their_verdict(
    shared: Editor, folder: Path
) -> None:
    path = written(folder)
    path.write_text(
        SUMS.replace("__global__ void twice", "// rewright: launch block(64); n = 64\n__global__ void twice")
    )
    source = await shared.open(path)
    assert (await verdict(shared, source, OTHER)).startswith("✓ checked")
    shared.replace(source, "2.0f * x[i]", "__mystery(x[i])")
    await shared.eventually(lambda: codes(shared.pushed(path)) == ["RW310"])
    (found,) = shared.pushed(path)
    assert found.range.start.line == source.range("__mystery").start.line
    assert (await verdict(shared, source)).startswith("✓ checked")
    assert (await shared.hint(source, OTHER)).startswith("? unknown")
    shared.replace(source, "__mystery(x[i])", "2.0f * x[i]")
    await shared.eventually(lambda: shared.pushed(path) == [])
    assert (await verdict(shared, source, OTHER)).startswith("✓ checked")


@pytest.mark.asyncio(loop_scope="module")
async def test_a_click_gives_a_kernel_its_launch(shared: Editor, folder: Path) -> None:
    source = await shared.open(written(folder))
    await verdict(shared, source)
    line = source.range(OTHER).start.line
    (lens,) = [lens for lens in await shared.lenses(source) if lens.range.start.line == line]
    assert lens.command is not None and lens.command.title == "Rewright: give a launch"
    await shared.run(lens.command.command, *(lens.command.arguments or ()))
    await shared.eventually(lambda: bool(shared.proposed))
    ((uri, (edit,)),) = (shared.proposed[-1].changes or {}).items()
    assert uri == source.uri and isinstance(edit, types.TextEdit)
    assert edit.range.start == types.Position(line, 0)
    assert edit.new_text.startswith("// rewright: launch grid(") and edit.new_text.endswith("\n")
    shared.apply(source, edit)
    shared.save(source)
    assert (await verdict(shared, source, OTHER)).startswith("✓ checked")
    assert (await shared.titles(source))[line + 1] == "Rewright: ✓ checked"


@pytest.mark.asyncio(loop_scope="module")
async def test_a_lens_shows_the_launch_that_was_found_and_what_is_free(shared: Editor, folder: Path) -> None:
    path = folder / "twice.cu"
    call = "void run(float *x, float *y, int count) { twice<<<(count + 127) / 128, 128>>>(x, y, count); }\n"
    path.write_text(SUMS[SUMS.index("__global__ void twice") :] + call)
    source = await shared.open(path)
    assert (await verdict(shared, source, OTHER)).startswith("✓ checked")
    assert (await shared.titles(source))[0] == "Rewright: ✓ checked · <<<(n + 127) / 128, 128>>> · n free"
    hover = await shared.hover(source, OTHER, 6)
    assert "- launch `<<<(n + 127) / 128, 128>>>`, by `twice<<<(count + 127) / 128, 128>>>`; free: `n`" in hover


@pytest.mark.asyncio(loop_scope="module")
async def test_a_kernel_that_is_declared_is_reported_once(shared: Editor, folder: Path) -> None:
    (folder / "shift.rw").write_text(KERNEL)
    (folder / "shift.cu").write_text(SHIFT.replace("  __syncthreads();\n", ""))
    source = await shared.open(folder / "shift.cu")
    declaration = await shared.open(folder / "shift.rw")
    await shared.settled(declaration)
    assert (await verdict(shared, source, "void shift")).startswith("✗ refuted")
    assert codes(shared.pushed(source.path)) == ["RW301", "RW301"]
    lens = (await shared.lenses(source))[0].command
    assert lens is not None and lens.title == "Rewright: ✗ refuted, declared in shift.rw"
    await shared.run(lens.command, *(lens.arguments or ()))
    await shared.eventually(lambda: bool(shared.shown) and shared.shown[-1].uri == declaration.uri)

    shared.replace(declaration, KERNEL, "")
    shared.save(declaration)
    await shared.eventually(lambda: len(shared.pushed(source.path)) == 2)
    assert (await verdict(shared, source, "void shift")).startswith("✗ refuted")
    assert (await shared.titles(source))[1] == "Rewright: ✗ refuted"


@pytest.mark.asyncio(loop_scope="module")
async def test_the_save_of_an_included_file_checks_what_includes_it(shared: Editor, folder: Path) -> None:
    source = await shared.open(written(folder))
    assert (await verdict(shared, source)).startswith("✓ checked")
    header = await shared.open(folder / "warps.cuh")
    shared.replace(header, "offset > 0", "offset > 0 && threadIdx.x < 40")
    shared.save(header)
    assert (await verdict(shared, source)).startswith("✗ refuted")
    assert {params.uri for params in shared.published if params.diagnostics} >= {header.uri}
    shared.replace(header, " && threadIdx.x < 40", "")
    shared.save(header)
    assert (await verdict(shared, source)).startswith("✓ checked")


@pytest.mark.asyncio(loop_scope="module")
async def test_an_included_file_that_is_not_there_is_reported_where_it_is_included(
    shared: Editor, folder: Path
) -> None:
    path, header = written(folder), folder / "no_other_of_this_name.cuh"
    path.write_text(path.read_text().replace("warps.cuh", header.name))
    source = await shared.open(path)
    await shared.eventually(lambda: bool(shared.pushed(path)))
    assert source.range(header.name).start.line in {found.range.start.line for found in shared.pushed(path)}
    header.write_text(HEADER)
    changed = types.FileEvent(header.as_uri(), types.FileChangeType.Created)
    shared.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([changed]))
    await shared.eventually(lambda: shared.pushed(path) == [])
    assert (await verdict(shared, source)).startswith("✓ checked")


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("name", ["a b.cu", "größe 𝒳.cu", "c++.cuh"])
async def test_names_and_line_ends_of_every_kind(shared: Editor, folder: Path, name: str) -> None:
    path = folder / name
    path.write_bytes(("// ∀𝒳\n" + SHIFT.replace(BARRIER, "")).replace("\n", "\r\n").encode())
    source = await shared.open(path)
    assert (await verdict(shared, source, "void shift")).startswith("✗ refuted")
    await shared.eventually(lambda: len(shared.pushed(path)) == 2)
    lines = sorted(found.range.start.line for found in shared.pushed(path))
    assert lines == [source.range("tile[threadIdx.x]").start.line, source.range("tile[63").start.line]


@pytest.mark.asyncio(loop_scope="module")
async def test_bytes_that_are_no_text_and_a_file_typed_from_nothing(shared: Editor, folder: Path) -> None:
    path = folder / "bytes.cu"
    path.write_bytes(b"// \xff\xfe\n" + SHIFT.encode())
    document = await shared.open(path, "")
    for end in range(0, len(SHIFT), 7):
        document.text = SHIFT[: end + 7]
        document.version += 1
        identifier = types.VersionedTextDocumentIdentifier(document.version, document.uri)
        whole = types.TextDocumentContentChangeWholeDocument(document.text)
        shared.client.text_document_did_change(types.DidChangeTextDocumentParams(identifier, [whole]))
    shared.save(document)
    assert (await verdict(shared, document, "void shift")).startswith("✓ checked")
    assert [status for status in shared.statuses if status.state == "error"] == []


@pytest.mark.asyncio(loop_scope="module")
async def test_a_source_alone_shows_what_a_closed_file_declares_of_it(tmp_path: Path) -> None:
    (tmp_path / "shift.rw").write_text(KERNEL)
    (tmp_path / "shift.cu").write_text(CUDA)
    async with started(tmp_path) as editor:
        source = await editor.open(tmp_path / "shift.cu")
        assert (await verdict(editor, source, "void shift")).startswith("✓ checked")
        editor.replace(source, BARRIER, "")
        editor.save(source)
        assert (await verdict(editor, source, "void shift")).startswith("✗ refuted")
        assert codes(editor.pushed(source.path)) == ["RW301", "RW301"]


@pytest.mark.asyncio(loop_scope="module")
async def test_a_file_opened_by_another_name_is_the_same_file(shared: Editor, folder: Path) -> None:
    path = written(folder)
    link = folder / "link"
    link.symlink_to(folder, target_is_directory=True)
    source = await shared.open(link / path.name, SUMS.replace(BARRIER, ""))
    assert (await verdict(shared, source)).startswith("✗ refuted"), "the buffer speaks, not the file"
    assert codes(shared.pushed(source.path)) == ["RW301", "RW301"]


@pytest.mark.asyncio(loop_scope="module")
async def test_a_barrier_that_is_not_needed_is_greyed_and_removed(shared: Editor, folder: Path) -> None:
    path = folder / "twice.cu"
    path.write_text(SHIFT.replace(BARRIER, BARRIER + "  __syncthreads();  // why?\n"))
    source = await shared.open(path)
    assert (await verdict(shared, source, "void shift")).startswith("✓ checked")
    found = [each for each in shared.pushed(path) if each.code == "RW312"]
    assert [each.range.start.line for each in found] == [4, 5]
    assert all(list(each.tags or ()) == [types.DiagnosticTag.Unnecessary] for each in found)
    assert all(each.severity is types.DiagnosticSeverity.Hint for each in found)
    (action, *_) = await shared.fixes(source, found[0])
    assert action.edit is not None and action.edit.changes is not None
    ((_, (edit,)),) = action.edit.changes.items()
    assert isinstance(edit, types.TextEdit)
    shared.apply(source, edit)
    shared.save(source)
    await shared.eventually(lambda: shared.pushed(path) == [])
    assert (await verdict(shared, source, "void shift")).startswith("✓ checked")
    assert source.text.count("__syncthreads") == 1


@pytest.mark.asyncio(loop_scope="module")
async def test_sources_are_read_as_the_project_says(tmp_path: Path) -> None:
    (tmp_path / "include/x").mkdir(parents=True)
    (tmp_path / "src").mkdir()
    (tmp_path / "rewright.toml").write_text('[kernels]\ninclude = ["include"]\ndefine = { SIZE = 64 }\n')
    (tmp_path / "include/x/wait.h").write_text("#define WAIT __syncthreads()\n#define LAST (SIZE - 1)\n")
    text = "#include <x/wait.h>\n" + SHIFT.replace("__syncthreads()", "WAIT").replace("63", "LAST")
    (tmp_path / "src/shift.cu").write_text(text.replace("tile[64]", "tile[SIZE]"))
    async with started(tmp_path) as editor:
        source = await editor.open(tmp_path / "src/shift.cu")
        assert (await verdict(editor, source, "void shift")).startswith("✓ checked")
        header = await editor.open(tmp_path / "include/x/wait.h")
        editor.replace(header, "WAIT __syncthreads()", "WAIT")
        editor.save(header)
        assert (await verdict(editor, source, "void shift")).startswith("✗ refuted")
        await editor.eventually(lambda: codes(editor.pushed(source.path)) == ["RW301", "RW301"])
        (fix, *_) = await editor.fixes(source, editor.pushed(source.path)[0])
        assert fix.edit is not None and list(fix.edit.changes or {}) == [source.uri]
        editor.replace(source, "<x/wait.h>", '"waits.h"')
        await editor.eventually(lambda: "RW310" in codes(editor.pushed(source.path)))
        (tmp_path / "third/deep").mkdir(parents=True)
        (tmp_path / "include/x/wait.h").rename(tmp_path / "third/deep/waits.h")
        made = types.FileEvent((tmp_path / "third/deep/waits.h").as_uri(), types.FileChangeType.Created)
        editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([made]))
        assert (await verdict(editor, source, "void shift")).startswith("✗ refuted")
        assert "`../third/deep/waits.h`: no include folder has it" in await editor.hover(source, "waits.h")

        (tmp_path / "include").rename(tmp_path / "headers")
        (tmp_path / "rewright.toml").write_text('[kernels]\ninclude = ["headers"]\ndefine = { SIZE = 1 }\n')
        changed = types.FileEvent((tmp_path / "rewright.toml").as_uri(), types.FileChangeType.Changed)
        editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([changed]))
        await editor.eventually(lambda: "RW304" in codes(editor.pushed(source.path)))


@pytest.mark.asyncio(loop_scope="module")
async def test_a_source_is_read_as_its_build_does_and_again_when_that_changes(tmp_path: Path) -> None:
    (tmp_path / "shift.cu").write_text(SHIFT.replace("63", "LAST"))
    commands = tmp_path / "build/compile_commands.json"
    async with started(tmp_path) as editor:

        def say(text: str, kind: types.FileChangeType) -> None:
            commands.parent.mkdir(exist_ok=True)
            commands.write_text(text)
            event = types.FileEvent(commands.as_uri(), kind)
            editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))

        def built(last: int) -> str:
            return json.dumps([{"directory": str(tmp_path), "file": "shift.cu", "command": f"nvcc -DLAST={last}"}])

        source = await editor.open(tmp_path / "shift.cu")
        assert (await verdict(editor, source, "void shift")).startswith("? unknown")
        kind = types.FileChangeType.Created
        for last, expected in ((63, "✓ checked"), (64, "✗ refuted")):
            say(built(last), kind)
            async with asyncio.timeout(30):
                while not (await verdict(editor, source, "void shift")).startswith(expected):
                    await asyncio.sleep(0.01)
            kind = types.FileChangeType.Changed
        say("[", kind)
        await editor.eventually(lambda: codes(editor.pushed(commands)) == ["RW132"])
        say(built(63), kind)
        await editor.eventually(lambda: editor.pushed(commands) == [])
        assert (await verdict(editor, source, "void shift")).startswith("✓ checked")
