"""Which of several kernels of one name a call launches: by numbers, template arguments, and types of what it passes.

Where it depends on a type that is not known, none is. Must not know sizes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum, auto

from msgspec import Struct, field
from tree_sitter import Node

from rewright.emit.types import scalar_named, vector
from rewright.frontends.cuda.launches.host import Host
from rewright.frontends.cuda.launches.host_expressions import integer
from rewright.frontends.cuda.launches.instances import Described, type_of
from rewright.frontends.cuda.launches.signatures import Parameter, Signature
from rewright.frontends.cuda.launches.text import WORD
from rewright.frontends.cuda.launches.type_texts import defines_class, type_text
from rewright.model.simt.types import Scalar

_NAMESPACES = ("const ", "typename ", "::", "std::", "at::", "c10::")
_CLASSES = ("struct", "class", "union", "enum")
_MOST_ALIASES = 8


def may_launch(given: int, arguments: int, signature: Signature, alike: Sequence[Signature]) -> bool:
    """Whether a call with so many template arguments and arguments may launch a kernel, one of those of its name."""
    if not 0 <= len(signature.parameters) - arguments <= len(defaults(signature, alike)):
        return False
    if signature.is_special:
        return not given or not signature.special or given <= len(signature.special)
    return given <= len(signature.template) if signature.template else not given


def defaults(signature: Signature, alike: Sequence[Signature]) -> tuple[Node, ...]:
    """The values of the last parameters that have defaults; a full specialisation has those of its template."""
    among = [signature, *(each for each in alike if signature.is_special and each.template)]
    fitting = (each.parameters for each in among if len(each.parameters) == len(signature.parameters))
    for parameters in fitting:
        found = tuple(node for each in parameters if (node := each.node.child_by_field_name("default_value")))
        if found:
            return found
    return ()


def launched(
    host: Host, template: Sequence[Node], arguments: Sequence[Node], alike: Sequence[Signature]
) -> Signature | None:
    """Which of the kernels of one name a call launches, None if that is not decided.

    A function comes before a template that fits as well, a full specialisation before its template.
    """
    able = [each for each in alike if may_launch(len(template), len(arguments), each, alike)]
    if len(able) < 2:
        return able[0] if able else None
    written = tuple(integer(host, each) or type_text(host, each) or "" for each in template)
    passed = tuple(type_of(host, each) for each in arguments)
    judged = [_Judged(host, each) for each in able]
    has_template = any(each.template for each in able)
    fits = [(each, each.of(written, passed)) for each in judged if not (each.is_implied(written) and has_template)]
    templates = [each for each, fit in fits if fit is not None and each.signature.template]
    fits += [(each, each.of_templates(templates)) for each in judged if each.is_implied(written) and has_template]
    fitting = [(each.signature, fit) for each, fit in fits if fit is not None]
    if len(fitting) < 2:
        return fitting[0][0] if fitting else None
    best = min(fit for _, fit in fitting)
    found = [each for each, fit in fitting if fit == best]
    is_decided = len(found) == 1 and all(fit[0] >= 0 for _, fit in fitting)
    return found[0] if is_decided else None


_Fit = tuple[int, int]
"""How many arguments are converted, -1 if types are missing that tell; of what is converted as often, a function comes
first (0), then a specialisation (1), then a template (2)."""


class _Match(Enum):
    """What becomes of an argument whose type is known."""

    EXACT = auto()
    CONVERTED = auto()
    UNKNOWN = auto()
    WRONG = auto()


class _Judged(Struct):
    """A kernel as what a call may launch; `bound` are the types that its template's parameters stand for."""

    host: Host
    signature: Signature
    bound: dict[str, Described] = field(default_factory=dict)

    def is_implied(self, written: Sequence[str]) -> bool:
        """Whether it is a full specialisation, and its template tells whether it is meant."""
        return self.signature.is_special and not (self.signature.special and written)

    def of_templates(self, templates: Sequence[_Judged]) -> _Fit | None:
        """How well a specialisation fits a call that so many templates fit: if one of them would be this kernel."""
        found = [self._special_of(each) for each in templates]
        if _Match.EXACT in found:
            return (0, 1)
        return (-1, 1) if _Match.UNKNOWN in found else None

    def _special_of(self, template: _Judged) -> _Match:
        """Whether what the parameters of a template stand for makes it this specialisation."""
        if len(template.signature.parameters) != len(self.signature.parameters):
            return _Match.WRONG
        if not template.is_bound():
            return _Match.UNKNOWN
        found: list[_Match] = []
        for generic, said in zip(template.signature.template, self.signature.special, strict=False):
            known = template.bound.get(generic.name, ("", 0))
            found.append(self._same(said, known[0] + "*" * known[1]) if known[0] else _Match.UNKNOWN)
        for one, other in zip(self.signature.parameters, template.signature.parameters, strict=True):
            name, depth = template.bound.get(" ".join(other.words), (" ".join(other.words), 0))
            is_same = depth + other.depth == one.depth
            found.append(self._same(" ".join(one.words), name) if is_same else _Match.WRONG)
        return next((each for each in (_Match.WRONG, _Match.UNKNOWN) if each in found), _Match.EXACT)

    def of(self, written: Sequence[str], passed: Sequence[Described | None]) -> _Fit | None:
        """How well the kernel fits a call; None if it cannot be what is called."""
        signature = self.signature
        kind = 1 if signature.is_special else 2 if signature.template else 0
        if signature.special and written:
            pairs = zip(signature.special, written, strict=False)
            found = [self._same(one, other) for one, other in pairs]
            return None if _Match.WRONG in found else (-(_Match.UNKNOWN in found), kind)
        for parameter, given in zip(signature.template, written, strict=False):
            if given and parameter.is_type == given.isdigit():
                return None
            self.bound[parameter.name] = (given, 0)
        found = [
            _Match.UNKNOWN if said is None else self._match(parameter, said)
            for parameter, said in zip(signature.parameters, passed, strict=False)
        ]
        if _Match.WRONG in found:
            return None
        is_open = _Match.UNKNOWN in found and not self.is_bound()
        return (-1 if is_open else found.count(_Match.CONVERTED), kind)

    def is_bound(self) -> bool:
        """Whether what is known says all types that the template stands for."""
        types = [each.name for each in self.signature.template if each.is_type and not each.default]
        return bool(self.signature.template) and all(self.bound.get(each, ("", 0))[0] for each in types)

    def _match(self, parameter: Parameter, said: Described) -> _Match:
        """Whether something of a type can be passed; binds the types of the template that it tells."""
        name, depth = " ".join(parameter.words), parameter.depth
        if name in {each.name for each in self.signature.template if each.is_type}:
            if name not in self.bound and said[1] < depth:
                return _Match.WRONG if self._is_plain(said[0]) else _Match.UNKNOWN
            name, stars = self.bound.setdefault(name, (said[0], said[1] - depth))
            depth += stars
        if depth != said[1]:
            return _Match.WRONG if self._is_plain(name) and self._is_plain(said[0]) else _Match.UNKNOWN
        if name == "void":
            return _Match.CONVERTED
        found = self._same(name, said[0])
        is_number = depth == 0 and found is _Match.WRONG
        return _Match.CONVERTED if is_number else found

    def _same(self, one: str, other: str) -> _Match:
        """Whether two types are one: two names are, and two types of which each is known may not be."""
        if _meant(self.signature.aliases, one) == _meant(self.signature.aliases, other):
            return _Match.EXACT
        return _Match.WRONG if self._is_plain(one) and self._is_plain(other) else _Match.UNKNOWN

    def _is_plain(self, name: str) -> bool:
        """Whether a type is known: a scalar, a vector, a class of the text; no name for another one."""
        meant = _meant(self.signature.aliases, name)
        return isinstance(meant, Scalar) or vector(meant) is not None or defines_class(self.host, meant)


def _meant(aliases: Mapping[str, tuple[str, ...]], written: str) -> Scalar | str:
    """What tells a type from others: its scalar, else its name."""
    for each in _NAMESPACES:
        written = written.removeprefix(each)
    words = tuple(written.split())
    for _ in range(_MOST_ALIASES):
        scalar = scalar_named(words)
        if scalar is not None:
            return scalar
        said = aliases.get(words[0], words) if len(words) == 1 else words
        if said[0] in _CLASSES:  # `typedef struct tag {…} name`: the tag if there is one
            said = said[1:2] if len(said) > 1 and WORD.fullmatch(said[1]) else words
        if said == words:
            break
        words = said
    return " ".join(words)
