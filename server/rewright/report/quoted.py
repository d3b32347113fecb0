"""What an author wrote, as Markdown that only shows: no picture is fetched, nothing is run, no HTML is read.

A hover is Markdown, and some of it is the text of a file that may be anyone's: an editor would fetch the pictures that
a comment names when the mouse rests on it. Invariant: whatever the text, what is returned holds no picture, no HTML and
no link but to a web page; where it held none before, it is the same.
"""

from __future__ import annotations

import re

BREAK = "\N{WORD JOINER}"
"""Stands, unseen, between two characters that would begin a picture, an element or a link to something else.

Markdown has many ways to quote (code, escapes, fences), and editors read them differently: a character that does no
harm in any of them needs no reading of the text.
"""

WEB = r"[ \t]*<?https?://"

NOT_SHOWN = re.compile(
    r"(?P<picture>!)(?=\[)"
    r"|(?P<element><)(?=[A-Za-z/!?])(?!https?://)"
    rf"|(?P<link>\])(?=\((?!{WEB}))"
    rf"|(?P<definition>\])(?=:(?!\s*{WEB}))",
)


def quoted(text: str) -> str:
    """The text with its emphasis, lists, code and links to web pages, and without all that is more than shown."""
    return NOT_SHOWN.sub(lambda found: found[0] + BREAK, text)
