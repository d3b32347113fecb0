"""Texts after edits of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rewright.verdict import Edit, InSource


def edited(texts: Mapping[str, str], edits: Iterable[Edit]) -> dict[str, str]:
    """The texts, by path, after edits of them that do not overlap."""
    data = {path: text.encode() for path, text in texts.items()}
    places = [(edit.place, edit.text) for edit in edits if isinstance(edit.place, InSource)]
    for place, text in sorted(places, key=lambda pair: (-pair[0].start, -pair[0].end)):
        before = data[place.path]
        data[place.path] = before[: place.start] + text.encode() + before[place.end :]
    return {path: text.decode(errors="replace") for path, text in data.items()}
