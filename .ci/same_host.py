"""Fails where a page of a built site asks another host for something: a script, a style, a font, an image.

usage: same_host.py SITE. Links that a reader follows are no requests. The theme's own script asks other hosts for what
some elements need (diagrams, source panels); a page that has one of these elements fails, too.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

ELSEWHERE = re.compile(r"(?:https?:)?//", re.IGNORECASE)
STYLE = re.compile(r"(?:url\(|@import)\s*[\"']?\s*((?:https?:)?//[^\"')\s;]*)", re.IGNORECASE)
IN_SCRIPT = re.compile(r"[\"'`](https?://[^\"'`\s]*)", re.IGNORECASE)
ASKING = {"src", "srcset", "poster", "data", "action", "formaction", "background"}
NO_REQUEST = {"canonical", "license", "author", "alternate", "next", "prev"}
"""What a `<link>` may point to elsewhere: a browser does not load it."""
FED_FROM_ELSEWHERE = {"mermaid", "glightbox", "pyodide"}
"""Classes of elements for which Zensical's script loads a library from a CDN."""


class Page(HTMLParser):
    """What a page asks for, in the order of the page: addresses on other hosts, and elements fed from elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []
        self.inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.inside = tag
        given = {name: value or "" for name, value in attrs}
        asking = {name: value for name, value in given.items() if name in ASKING}
        if tag == "link" and not NO_REQUEST & set(given.get("rel", "").split()):
            asking["href"] = given.get("href", "")
        self.asked += [value for value in asking.values() if ELSEWHERE.match(value.strip())]
        self.asked += STYLE.findall(given.get("style", ""))
        self.asked += sorted(FED_FROM_ELSEWHERE & set(given.get("class", "").split()))
        if given.get("data-md-component") == "source":
            self.asked.append("the source panel")

    def handle_endtag(self, tag: str) -> None:
        self.inside = ""

    def handle_data(self, data: str) -> None:
        if self.inside == "style":
            self.asked += STYLE.findall(data)
        elif self.inside == "script":
            self.asked += IN_SCRIPT.findall(data)


def asked_by(path: Path) -> list[str]:
    """What a page or style sheet asks other hosts for, empty if nothing."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".css":
        return STYLE.findall(text)
    page = Page()
    page.feed(text)
    return page.asked


def requests(site: Path) -> Iterator[str]:
    """A line for each request of a site to another host."""
    for path in sorted([*site.rglob("*.html"), *site.rglob("*.css")]):
        for address in asked_by(path):
            yield f"{path.relative_to(site)} asks another host: {address}"


def main() -> None:
    """Prints each request; exits with 1 if there is one, or no page."""
    site = Path(sys.argv[1])
    found = list(requests(site))
    if not list(site.rglob("*.html")):
        found.append(f"{site} has no page")
    print("\n".join(found) or f"{site}: no page asks another host")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
