"""Names in the comments above a kernel that nothing uses: a parameter misspelled, a macro that no text mentions.

Must not know what entries mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from rewright.frontends.cuda.launches.comments import MARK as MARK
from rewright.frontends.cuda.launches.comments import CommentEntry, EntryKind, LaunchComment
from rewright.frontends.cuda.launches.signatures import Signature
from rewright.frontends.cuda.launches.text import names_in
from rewright.verdict import Finding, InSource, Severity
from rewright.verdict.diagnostics.names import UnknownName

_DEFINED = re.compile(r"define\s+([A-Za-z_]\w*)")
_COMMENT = re.compile(rf"//[^\n]*{MARK}[^\n]*")
_VARIABLE = r"\b__(?:device|constant|managed)__\b[^;(){{}}]*\b{}\b"
_PASTES = "##"


def unused(path: str, signature: Signature, comment: LaunchComment, texts: Mapping[str, str]) -> Iterator[Finding]:
    """An error for each name that a comment of the source at `path` gives a value to and nothing uses."""
    known = {each.name for each in signature.parameters if not each.depth}
    known |= {each.name for each in signature.template}
    for entry in comment.entries:
        match entry.kind:
            case EntryKind.VALUE if entry.name not in known | _words(comment, entry):
                if not _is_variable(entry.name, texts):
                    place = InSource(path, entry.name_start, entry.name_start + len(entry.name.encode()))
                    yield _unknown(place, ("parameter", entry.name), sorted(known))
            case EntryKind.DEFINE if (named := _DEFINED.match(entry.text)) and not _is_mentioned(named[1], texts):
                start = entry.start + len(entry.text[: named.start(1)].encode())
                yield _unknown(InSource(path, start, start + len(named[1].encode())), ("macro", named[1]), [])
            case _:
                pass


def _words(comment: LaunchComment, entry: CommentEntry) -> set[str]:
    """The names that the other entries use."""
    return {name for other in comment.entries if other is not entry for name in names_in(other.text)}


def _is_variable(name: str, texts: Mapping[str, str]) -> bool:
    """Whether a text has a variable of the device by this name."""
    pattern = re.compile(_VARIABLE.format(re.escape(name)))
    return any(pattern.search(text) for text in texts.values())


def _is_mentioned(name: str, texts: Mapping[str, str]) -> bool:
    """Whether a text has the name outside of comments for us, or could make it by pasting."""
    pattern = re.compile(rf"\b{re.escape(name)}\b")
    return any(_PASTES in text or pattern.search(_COMMENT.sub("", text)) for text in texts.values())


def _unknown(place: InSource, what: tuple[str, str], known: list[str]) -> Finding:
    kind, name = what
    nearest = get_close_matches(name, known, n=1)
    return Finding(UnknownName(kind, name, nearest[0] if nearest else None), Severity.ERROR, place)
