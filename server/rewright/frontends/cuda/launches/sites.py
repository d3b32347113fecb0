"""Calls `kernel<<<grid, block, shared>>>(…)` of a document, as what is known of a launch by them.

Host variables that are passed to the kernel as they are have its parameters' names in the launch; such a parameter has
the variable's value if that is a small constant, else it is free. Must not know comments.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tree_sitter import Node

from rewright.frontends.cuda.launches.demands import demands
from rewright.frontends.cuda.launches.host import Host, HostCode
from rewright.frontends.cuda.launches.host_expressions import integer, number, triple
from rewright.frontends.cuda.launches.parts import LaunchPart, LaunchParts
from rewright.frontends.cuda.launches.signatures import Signature, scalar_of
from rewright.frontends.cuda.reading.tree import parts, text
from rewright.model.simt.types import Scalar

LARGEST_VALUE = 1 << 16
"""A parameter whose value is a constant above this is free: what goes wrong there goes wrong at a smaller one."""

_INTEGER = re.compile(r"\(?(-?[0-9]+)\)?")

LONGEST_SHOWN = 72
"""Characters of a call that are shown."""


@dataclass(frozen=True, slots=True)
class LaunchSite:
    """A call of a kernel: by which name, with which arguments of its template, in which host code."""

    kernel: str
    template: tuple[Node, ...]
    configuration: tuple[Node, ...]
    arguments: tuple[Node, ...]
    node: Node
    code: HostCode

    @property
    def written(self) -> str:
        """The call as it stands in the text up to its arguments, on one line: `` `k<float><<<grid, 128>>>` ``."""
        listed = self.node.child_by_field_name("arguments")
        whole = self.node.text or b""
        upto = len(whole) if listed is None else listed.start_byte - self.node.start_byte
        shown = " ".join(whole[:upto].decode(errors="replace").split())
        return f"`{shown if len(shown) <= LONGEST_SHOWN else shown[: LONGEST_SHOWN - 1] + '…'}`"


def launch_sites(roots: list[Node], data: bytes) -> list[LaunchSite]:
    """The launches in a text that the trees were made of, in order."""
    code = HostCode(roots)
    found = (_site(node, code) for node in _calls(roots, data))
    return [site for site in found if site is not None]


def _calls(roots: list[Node], data: bytes) -> Iterator[Node]:
    """The `<<<…>>>` in the trees."""
    for match in re.finditer(rb"<<<", data):
        for root in roots:
            node = root.descendant_for_byte_range(match.start(), match.end())
            if node is not None and node.type == "<<<" and node.parent is not None:
                yield node.parent


def _site(syntax: Node, code: HostCode) -> LaunchSite | None:
    call = syntax.parent
    function = call.child_by_field_name("function") if call is not None else None
    written = call.child_by_field_name("arguments") if call is not None else None
    if call is None or function is None:
        return None
    while function.type == "qualified_identifier" and (name := function.child_by_field_name("name")) is not None:
        function = name
    template: tuple[Node, ...] = ()
    if function.type == "template_function":
        given, name = function.child_by_field_name("arguments"), function.child_by_field_name("name")
        template = tuple(parts(given)) if given is not None else ()
        function = name or function
    arguments = tuple(parts(written)) if written is not None else ()
    return LaunchSite(text(function), template, tuple(parts(syntax)), arguments, call, code)


def called_by(site: LaunchSite, alike: Sequence[Signature]) -> Signature | None:
    """Which of the kernels of one name a call launches, None if the numbers of arguments do not tell.

    A full specialisation comes before its template.
    """
    if len(alike) == 1:
        return alike[0]
    given = tuple(map(text, site.template))
    fitting = [each for each in alike if len(each.parameters) == len(site.arguments)]
    special = [each for each in fitting if each.special and each.special == given]
    plain = [
        each
        for each in fitting
        if not each.special and (len(given) <= len(each.template) if each.template else not given)
    ]
    found = special or plain
    return found[0] if len(found) == 1 else None


def parts_of_site(site: LaunchSite, signature: Signature) -> LaunchParts | None:
    """What a call says of the launch, None if its sizes do not follow from the text."""
    if len(site.configuration) < 2:
        return None
    host = site.code.around(site.node)
    template = _template(site, signature, host)
    values, known = _passed(site, signature, (host, template))
    inside = replace(host, known=known)
    grid, block = (triple(inside, each) for each in site.configuration[:2])
    if grid is None or block is None:
        return None
    launch = f"launch grid({', '.join(grid)}), block({', '.join(block)})"
    if len(site.configuration) > 2:
        shared = integer(inside, site.configuration[2])
        launch += "" if shared is None else f", shared({shared})"
    required = tuple(LaunchPart(f"requires {each}") for each in demands(site.node, inside))
    return LaunchParts((LaunchPart(launch), *required), values, {}, template)


def _passed(
    site: LaunchSite, signature: Signature, where: tuple[Host, Mapping[str, str]]
) -> tuple[dict[str, LaunchPart], dict[str, str]]:
    """The values of scalar parameters, and the host variables that have the name of a parameter in the launch."""
    host, template = where
    values: dict[str, LaunchPart] = {}
    known: dict[str, str] = {}
    for parameter, node in zip(signature.parameters, site.arguments, strict=False):
        if parameter.depth or not parameter.name:
            continue
        scalar = scalar_of(parameter, signature, template)
        constant = number(host, node)
        is_small = constant is not None and not _is_large(constant)
        value = constant if is_small else number(replace(host, known=known), node)
        if scalar is not None and value is not None and (said := _as_value(value, scalar)) is not None:
            values[parameter.name] = LaunchPart(said)
        if node.type == "identifier":
            known.setdefault(text(node), parameter.name)
    return values, known


def overflowing(site: LaunchSite, signature: Signature) -> Iterator[tuple[Node, int, Scalar]]:
    """The constants that a call passes to integers that cannot hold them; negative ones wrap where there is no sign."""
    host = site.code.around(site.node)
    template = _template(site, signature, host)
    for parameter, node in zip(signature.parameters, site.arguments, strict=False):
        scalar = None if parameter.depth else scalar_of(parameter, signature, template)
        constant = number(host, node)
        match = _INTEGER.fullmatch(constant or "")
        if scalar is not None and scalar.is_integer and match is not None:
            value = int(match[1])
            if value >= 1 << (scalar.bits - scalar.is_signed) or value < -(1 << (scalar.bits - 1)):
                yield node, value, scalar


def _as_value(value: str, scalar: Scalar) -> str | None:
    """What a declaration gives a parameter of the type, None if that is nothing."""
    if scalar is Scalar.PRED:
        return f"{value} != 0"
    match = _INTEGER.fullmatch(value)
    if match is not None and int(match[1]) < 0 and scalar.is_integer and not scalar.is_signed:
        return str(int(match[1]) + (1 << scalar.bits))
    is_whole = scalar.is_float or not re.search(r"\d\.", value)
    return value if is_whole and not _is_large(value) else None


def _is_large(value: str) -> bool:
    return value.isdigit() and int(value) > LARGEST_VALUE


def _template(site: LaunchSite, signature: Signature, host: Host) -> dict[str, str]:
    """The arguments of the template by name: integers where they are known, else as written."""
    pairs = zip(signature.template, site.template, strict=False)
    return {
        parameter.name: text(written) if parameter.is_type else integer(host, written) or text(written)
        for parameter, written in pairs
    }
