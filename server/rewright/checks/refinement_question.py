"""What is asked of a worker about refinements: first what graphs in sources come to, then whether the relation holds.

Plain data, cheap to load. Must not know how a source is read, nor how a refinement is decided.
"""

from __future__ import annotations

from msgspec import Struct

from rewright.checks.kernel_question import NumberedQuestion, SourceText
from rewright.model.foreign_graph import ForeignRefinement
from rewright.model.graph import GraphLemma, Refinement
from rewright.verdict import Finding


class RefinementPayload(Struct, frozen=True):
    """What is asked of a refinement: whether it holds on each of several meshes, or on the only one."""

    members: tuple[Refinement, ...]


class GraphLemmaPayload(Struct, frozen=True):
    """What is asked of a lemma of graphs."""

    lemma: GraphLemma


class ImportPayload(Struct, frozen=True):
    """A refinement whose graphs are to be read from sources; its declaration has so many `sites`.

    `sought` are the paths under which sources were looked for, None if no others will be given.
    """

    refinement: ForeignRefinement
    sites: int
    sources: tuple[SourceText, ...]
    sought: tuple[str, ...] | None = None


class ImportedRefinement(Struct, frozen=True):
    """What a refinement asks whose graphs were read, with what is said of their texts.

    Without a question, `problems` are what keeps it from being asked. `read` are the sources looked for, there or not.
    """

    asking: NumberedQuestion | None
    problems: tuple[Finding, ...]
    read: tuple[str, ...]
