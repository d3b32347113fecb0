"""The preprocessor against a compiler's on random programs; on any text it ends, and each byte has a place."""

from __future__ import annotations

import os
import shutil
import subprocess
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from preprocessor_programs import program

from rewright.frontends.preprocessor import Expanded, preprocess
from rewright.frontends.preprocessor.tokens import tokens

PROGRAMS = int(os.environ.get("REWRIGHT_PREPROCESSED", "200"))
COMPILER = shutil.which("gcc") or "cc"
PIECES = (
    *("#define F(x, ...) x ## __VA_ARGS__\n", "#if ", "#else\n", "#endif\n", '#include "a.h"\n', "F(", "F", "#", "##"),
    *("(", ")", ",", "\n", "\\\n", "\r\n", '"', "'", "/*", "*/", "//", 'R"(', "1'0", "é", "\x00", " ", "x", "defined"),
    *("#define x F(x\n", "#pragma once\n", "__LINE__", "#error no\n", "\ud800", "#define N ", "?", ":", "-", "1u"),
)


def _words(data: bytes) -> list[bytes]:
    return [token.text for token in tokens(data, 0, len(data))]


def test_programs_expand_as_a_compiler_expands_them() -> None:
    compared = 0
    for seed in range(PROGRAMS):
        source = program(Random(seed))
        command = [COMPILER, "-E", "-P", "-x", "c++", "-std=c++17", "-undef", "-w", "-"]
        done = subprocess.run(command, input=source.encode(), capture_output=True)
        ours = preprocess("k.cu", {"k.cu": source}, {})
        if done.returncode == 0:
            compared += 1
            assert _words(ours.text) == _words(done.stdout), (seed, source)
            assert not ours.notes, (seed, ours.notes)
        elif b"does not give a valid preprocessing token" not in done.stderr:
            assert ours.notes, (seed, source)
    assert compared > PROGRAMS // 2


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
@settings(max_examples=200)
def test_any_text_ends_and_has_places(text: str) -> None:
    sources = {"k.cu": text, "a.h": '#include "k.cu"\nint a = F(1);\n'}
    expanded = preprocess("k.cu", sources, {"N": 3})
    lengths = {path: len(source.encode("utf-8", "surrogatepass")) for path, source in sources.items()}
    size = len(expanded.text)
    for start in range(0, size, max(size // 8, 1)):
        for end in (start, start + 1, min(start + 9, size), size):
            place = expanded.place(start, end)
            assert 0 <= place.start <= place.end <= lengths[place.path]


@given(st.integers(0, 10_000))
@settings(max_examples=100)
def test_what_was_copied_has_its_own_place(seed: int) -> None:
    source = program(Random(seed))
    expanded = preprocess("k.cu", {"k.cu": source}, {})
    data = source.encode()
    for piece, end in _copied(expanded):
        before = 0
        for at in range(piece, end):
            place = expanded.place(at, at + 1)
            assert place.start >= before and place.end == place.start + 1
            assert expanded.text[at : at + 1] in (data[place.start : place.end], b" ")
            before = place.start


def _copied(expanded: Expanded) -> list[tuple[int, int]]:
    ends = [piece.begin for piece in expanded.pieces[1:]] + [len(expanded.text)]
    return [(piece.begin, end) for piece, end in zip(expanded.pieces, ends, strict=True) if piece.copied]
