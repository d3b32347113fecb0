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
from rewright.frontends.cuda.launches.host import (
    Choices,
    FreeSizes,
    Host,
    HostCode,
    enclosing_function,
    line,
    settled,
)
from rewright.frontends.cuda.launches.host_expressions import FREE, integer, is_truth, number, triple
from rewright.frontends.cuda.launches.instances import USUAL_TYPE, deduced, instantiated, type_text
from rewright.frontends.cuda.launches.parts import LaunchPart, LaunchParts
from rewright.frontends.cuda.launches.shown import launch_shown
from rewright.frontends.cuda.launches.signatures import Signature, scalar_of
from rewright.frontends.cuda.launches.text import WORD
from rewright.frontends.cuda.reading.declarators import declared_name, function_declarator, parameters_in
from rewright.frontends.cuda.reading.tree import parts, text
from rewright.model.simt.types import Scalar

LARGEST_VALUE = 1 << 16
"""A parameter whose value is a constant above this is free: what goes wrong there goes wrong at a smaller one."""

_QUOTIENT = re.compile(r"\(([A-Za-z_]\w*) / ([0-9]+)\)")
_INTEGER = re.compile(r"\(?(-?[0-9]+)\)?")

MOST_WAYS = 16
"""Ways of host code to one call that are looked at."""

_MOST_DEPTH = 8
"""Variables, and parameters of wrappers, that are followed one after the other."""

_RUNTIME = {
    "cudaLaunchKernel": (0, 1, 2, 4, 3),
    "cudaLaunchCooperativeKernel": (0, 1, 2, 4, 3),
    "hipLaunchKernelGGL": (0, 1, 2, 3),
}
"""Functions that launch: which of their arguments are kernel, grid, block, dynamic shared memory, and the array of
addresses of what is passed; without the last, what is passed follows."""

_OWN_OF_HIP = 5
"""Arguments of `hipLaunchKernelGGL` in front of those of the kernel."""

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
    def function(self) -> Node:
        """What is called: the kernel, a variable that stands for it, or a function that launches."""
        return self.node.child_by_field_name("function") or self.node

    @property
    def written(self) -> str:
        """The call as it stands in the text up to its arguments, on one line: `` `k<float><<<grid, 128>>>` ``."""
        listed = self.node.child_by_field_name("arguments")
        whole = self.node.text or b""
        is_called = any(child.type == "kernel_call_syntax" for child in self.node.children)
        upto = len(whole) if listed is None or not is_called else listed.start_byte - self.node.start_byte
        shown = " ".join(whole[:upto].decode(errors="replace").split())
        return f"`{shown if len(shown) <= LONGEST_SHOWN else shown[: LONGEST_SHOWN - 1] + '…'}`"


def launch_sites(roots: list[Node], data: bytes) -> list[LaunchSite]:
    """The launches in a text that the trees were made of, in order: `<<<…>>>`, and calls of the runtime that launch."""
    code = HostCode(roots, data)
    calls = (*_calls(roots, data), *(node for name in _RUNTIME for node in _runtime_calls(code, name)))
    return [site for call in sorted(calls, key=lambda each: each.start_byte) for site in _sites(call, code)]


def _calls(roots: list[Node], data: bytes) -> Iterator[Node]:
    """The calls with `<<<…>>>` in the trees."""
    for match in re.finditer(rb"<<<", data):
        for root in roots:
            node = root.descendant_for_byte_range(match.start(), match.end())
            if node is not None and node.type == "<<<" and node.parent is not None and node.parent.parent is not None:
                yield node.parent.parent


def _runtime_calls(code: HostCode, name: str) -> Iterator[Node]:
    for node in code.mentions(name):
        if node.parent is not None and node.parent.type == "call_expression":
            yield node.parent


def _sites(call: Node, code: HostCode) -> Iterator[LaunchSite]:
    """The launches that a call is: one for each kernel that it may launch."""
    function, written = call.child_by_field_name("function"), call.child_by_field_name("arguments")
    if function is None:
        return
    arguments = tuple(parts(written)) if written is not None else ()
    syntax = next((child for child in call.children if child.type == "kernel_call_syntax"), None)
    if syntax is not None:
        configuration = tuple(parts(syntax))
    elif text(function) in _RUNTIME and len(arguments) >= len(_RUNTIME[text(function)]):
        given = _RUNTIME[text(function)]
        function, *rest = (arguments[each] for each in given[:4])
        configuration, arguments = tuple(rest), _listed(code, arguments, given[4:])
    else:
        return
    for name, template in _kernels(code, function, 0):
        yield LaunchSite(name, template, configuration, arguments, call, code)


def _listed(code: HostCode, arguments: tuple[Node, ...], place: tuple[int, ...]) -> tuple[Node, ...]:
    """What a runtime call passes: an array of addresses, or what follows its own arguments."""
    if not place:
        return arguments[_OWN_OF_HIP:]
    listed: Node | None = arguments[place[0]]
    if listed is not None and listed.type == "identifier":
        listed = code.value(text(listed), "", listed, Choices())
    if listed is None or listed.type != "initializer_list":
        return ()
    return tuple(_pointed(each) for each in parts(listed))


def _pointed(node: Node) -> Node:
    """What an address is the address of: `(void *)&n`."""
    while True:
        inner = node.child_by_field_name("value") or node.child_by_field_name("argument")
        if node.type not in ("cast_expression", "pointer_expression", "parenthesized_expression"):
            return node
        inner = inner or next(iter(parts(node)), None)
        if inner is None:
            return node
        node = inner


def _kernels(code: HostCode, function: Node, depth: int) -> Iterator[tuple[str, tuple[Node, ...]]]:
    """The kernels that an expression may stand for, with arguments of their templates."""
    function = _pointed(function)
    while function.type == "qualified_identifier" and (name := function.child_by_field_name("name")) is not None:
        function = name
    if function.type == "template_function":
        given, name = function.child_by_field_name("arguments"), function.child_by_field_name("name")
        if name is not None:
            yield text(name), tuple(parts(given)) if given is not None else ()
        return
    values = _pointing(code, function) if function.type == "identifier" and depth < _MOST_DEPTH else []
    for value in values:
        yield from _kernels(code, value, depth + 1)
    if not values:
        yield text(function), ()


def _pointing(code: HostCode, name: Node) -> list[Node]:
    """What a variable, or a parameter of a host function, is set to that a call launches."""
    around = enclosing_function(name)
    declarator = None if around is None else function_declarator(around)
    own = None if declarator is None else declared_name(declarator)
    if around is None or declarator is None or own is None:
        return []
    names = [declared_name(each.child_by_field_name("declarator") or each) for each in parameters_in(declarator)]
    for at, each in enumerate(names):
        if each is not None and text(each) == text(name):
            passed = (_passed_to(node, at) for node in code.mentions(text(own)) if node.start_byte != own.start_byte)
            return [node for node in passed if node is not None]
    return code.values(name)


def _passed_to(function: Node, at: int) -> Node | None:
    """The argument at a place of the call of a function whose name stands there, None if it is none."""
    call = function.parent
    while call is not None and call.type in ("template_function", "qualified_identifier"):
        call = call.parent
    listed = None if call is None or call.type != "call_expression" else call.child_by_field_name("arguments")
    return None if listed is None or len(parts(listed)) <= at else parts(listed)[at]


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


# ------------------------------------------------------------------------------------------------------ what calls say


def parts_of_site(site: LaunchSite, signature: Signature) -> Iterator[LaunchParts | str]:
    """What a call says of its launches, one for each way of the host code to it; or why that is not known."""
    path: tuple[int, ...] | None = ()
    for _ in range(MOST_WAYS):
        if path is None:
            return
        choices = Choices(path)
        yield _parts(site, signature, choices)
        path = choices.following()


def _parts(site: LaunchSite, signature: Signature, choices: Choices) -> LaunchParts | str:
    if len(site.configuration) < 2:
        return "it states no block"
    host = instantiated(Host(site.code, choices), site.node)
    host = replace(host, known=_settled(host, site.node))
    template = _template(site, signature, host)
    free = FreeSizes(frozenset((*signature.names, *(each.name for each in signature.template))))
    values, known = _passed(site, signature, (replace(host, free=free), template))
    inside = replace(host, known=known, free=free)
    body = text(signature.node)
    grid = triple(inside, site.configuration[0], _axes(body, "blockIdx"))
    block = triple(inside, site.configuration[1], _axes(body, "threadIdx"))
    if grid is None or block is None:
        return f"`{line(site.configuration[grid is not None])}` cannot be read"
    launch = f"launch grid({', '.join(grid)}), block({', '.join(block)})"
    shared = None
    used = _words(launch, *(each.text for each in values.values()))
    if len(site.configuration) > 2:
        shared = integer(inside, site.configuration[2])
        is_known = shared is not None and not (_words(shared) & set(free.names.values()) - used)
        launch += f", shared({shared})" if is_known else ""
        shared = shared if is_known else None
    known_as = {each: said for each, said in known.items() if each not in host.known}
    equations = _equations(replace(inside, known=known_as), site.node, used | {*signature.names})
    required = tuple(LaunchPart(f"requires {each}") for each in (*demands(site.node, inside), *equations))
    used |= _words(*(each.text for each in required))
    sizes = tuple(each for each in free.names.values() if each in used)
    return LaunchParts(
        (LaunchPart(launch), *required), values, {}, template, sizes, shown=launch_shown(grid, block, shared)
    )


def _settled(host: Host, call: Node) -> dict[str, str]:
    """The names of the host that have a constant value where a call stands, because of the branch that it is in."""
    pairs = ((named, integer(host, value)) for named, value in settled(call) if named.type in FREE)
    return {line(named): value for named, value in pairs if value is not None and value.isdigit()}


def _equations(host: Host, call: Node, names: set[str]) -> list[str]:
    """What a branch that a call is in says of these names: what it is chosen by equals its value."""
    pairs = ((integer(host, named), integer(host, value)) for named, value in settled(call))
    return [_solved(left, right) for left, right in pairs if left and right and _words(left, right) <= names]


def _solved(left: str, right: str) -> str:
    """An equation; of a quotient, that nothing is left over: `k / 4 == 32` of `k == 128`."""
    quotient = _QUOTIENT.fullmatch(left)
    if quotient is None or not right.isdigit():
        return f"{left} == {right}"
    return f"{quotient[1]} == {int(quotient[2]) * int(right)}"


def _axes(body: str, index: str) -> int:
    """How many axes of a grid or block a kernel's text speaks of."""
    return max((axis for axis in (1, 2, 3) if re.search(rf"\b{index}\s*\.\s*{'xyz'[axis - 1]}\b", body)), default=1)


def _words(*texts: str) -> set[str]:
    return {word for each in texts for word in WORD.findall(each)}


def _passed(
    site: LaunchSite, signature: Signature, where: tuple[Host, Mapping[str, str]]
) -> tuple[dict[str, LaunchPart], dict[str, str]]:
    """The values of scalar parameters, and what of the host is a parameter in the launch.

    A parameter that is computed of what is known has that value; one that is passed as it is, and no constant, is free.
    """
    host, template = where
    strict = replace(host, free=None)
    values: dict[str, LaunchPart] = {}
    known = dict(host.known)
    computed: list[tuple[str, Scalar, Node]] = []
    for parameter, node in zip(signature.parameters, site.arguments, strict=False):
        scalar = None if parameter.depth else scalar_of(parameter, signature, template)
        if parameter.depth or not parameter.name or scalar is None:
            continue
        constant = number(strict, node)
        if constant is not None and not _is_large(constant):
            said = _as_value(constant, scalar)
            values |= {} if said is None else {parameter.name: LaunchPart(said)}
        chain, is_leaf = _followed(strict, node)
        if constant is None and is_leaf:
            if scalar is not Scalar.PRED:  # a truth, which stands for no number
                known |= {each: parameter.name for each in chain if each not in known}
        else:
            computed.append((parameter.name, scalar, node))
    for name, scalar, node in computed:
        value = None if name in values else number(replace(strict if scalar.is_float else host, known=known), node)
        if value is not None and not _is_large(value) and (said := _as_value(value, scalar)) is not None:
            values[name] = LaunchPart(said)
        if node.type == "identifier" and scalar is not Scalar.PRED:
            known.setdefault(text(node), name)
    return values, known


def _followed(host: Host, node: Node) -> tuple[list[str], bool]:
    """The names that an expression has while variables are followed, and whether it ends where nothing is known."""
    chain: list[str] = []
    for _ in range(_MOST_DEPTH):
        node = _unconverted(node)
        if node.type not in FREE:
            return chain, False
        chain.append(line(node))
        value = host.value(node) if node.type == "identifier" else None
        if value is None:
            return chain, True
        if integer(host, value) is not None:
            return chain, False
        node = value
    return chain, False


def _unconverted(node: Node) -> Node:
    """An expression without the conversions of integers and parentheses around it."""
    while node.type in ("cast_expression", "parenthesized_expression", "initializer_list", "argument_list"):
        inner = node.child_by_field_name("value") or (parts(node)[0] if len(parts(node)) == 1 else None)
        if inner is None:
            return node
        node = inner
    return node


def overflowing(site: LaunchSite, signature: Signature) -> Iterator[tuple[Node, int, Scalar]]:
    """The constants that a call passes to integers that cannot hold them; negative ones wrap where there is no sign."""
    host = instantiated(Host(site.code), site.node)
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
        return value if is_truth(value) else f"{value} != 0"
    match = _INTEGER.fullmatch(value)
    if match is not None and int(match[1]) < 0 and scalar.is_integer and not scalar.is_signed:
        return str(int(match[1]) + (1 << scalar.bits))
    is_whole = scalar.is_float or not re.search(r"\d\.", value)
    return value if is_whole and not _is_large(value) else None


def _is_large(value: str) -> bool:
    return value.isdigit() and int(value) > LARGEST_VALUE


def _template(site: LaunchSite, signature: Signature, host: Host) -> dict[str, str]:
    """The arguments of the template by name: those of the call, then types of what it passes, then `float`."""
    found: dict[str, str] = {}
    for parameter, written in zip(signature.template, site.template, strict=False):
        said = None if parameter.is_type else integer(host, written)
        said = said or type_text(host, written)
        found |= {} if said is None else {parameter.name: said}
    for parameter in signature.template:
        if parameter.name in found or not parameter.is_type or parameter.default is not None:
            continue
        pairs = zip(signature.parameters, site.arguments, strict=False)
        fitting = ((each, node) for each, node in pairs if each.words == (parameter.name,))
        types = (deduced(host, node, each.depth) for each, node in fitting)
        found[parameter.name] = next((each for each in types if each is not None), USUAL_TYPE)
    return found
