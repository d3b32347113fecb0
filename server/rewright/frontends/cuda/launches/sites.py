"""Calls `kernel<<<grid, block, shared>>>(…)` of a document, as what is known of a launch by them.

Must not know comments.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace
from tree_sitter import Node

from rewright.frontends.cuda.launches.demands import demands, is_excluded
from rewright.frontends.cuda.launches.forwarded import forwardings
from rewright.frontends.cuda.launches.host import (
    Choices,
    FreeSizes,
    Host,
    HostCode,
    enclosing_function,
    line,
    settled,
)
from rewright.frontends.cuda.launches.host_expressions import FREE, integer, number, triple
from rewright.frontends.cuda.launches.instances import deduced, instantiated
from rewright.frontends.cuda.launches.overloads import defaults, launched, may_launch
from rewright.frontends.cuda.launches.parts import LaunchPart, LaunchParts
from rewright.frontends.cuda.launches.passed import INTEGER, large_constants, passed, passed_scalars, passed_twice
from rewright.frontends.cuda.launches.shown import launch_shown
from rewright.frontends.cuda.launches.signatures import Parameter, Signature, scalar_of
from rewright.frontends.cuda.launches.text import WORD
from rewright.frontends.cuda.launches.type_texts import USUAL_TYPE, type_text
from rewright.frontends.cuda.reading.declarators import declared_name, function_declarator, parameters_in
from rewright.frontends.cuda.reading.tree import parts, text, walk
from rewright.model.simt.types import Scalar

_DYNAMIC_SHARED = re.compile(r"\bextern\b[^;]*\b__shared__\b")
_CONSTANT = re.compile(r"(?:std::)?(?:bool_constant<|integral_constant<[\w ]+,)\s*(\w+)\s*>")
_QUOTIENT = re.compile(r"\(([A-Za-z_]\w*) / ([0-9]+)\)")

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

_OWN_OF_LAUNCH = 3
"""What a launch says that counts: grid, block and dynamic shared memory."""

LONGEST_SHOWN = 72
"""Characters of a call that are shown."""


class LaunchSite(Struct, frozen=True):
    """A call of a kernel: by which name, with which arguments of its template, in which host code.

    `alike` are the kernels of the name. It is `one_of_several` where host code chooses what the call launches.
    """

    kernel: str
    template: tuple[Node, ...]
    configuration: tuple[Node, ...]
    arguments: tuple[Node, ...]
    node: Node
    code: HostCode
    alike: tuple[Signature, ...] = ()
    one_of_several: bool = False

    def may_launch(self, signature: Signature) -> bool:
        """Whether it may launch a kernel of its name, as far as numbers tell; the only one it does."""
        given, arguments = len(self.template), len(self.arguments)
        return len(self.alike) == 1 or may_launch(given, arguments, signature, self.alike)

    def passed_to(self, signature: Signature) -> tuple[Node, ...]:
        """What is passed to a kernel: the arguments, then the defaults of its last parameters."""
        missing = len(signature.parameters) - len(self.arguments)
        given = defaults(signature, self.alike)
        return (*self.arguments, *(given[-missing:] if 0 < missing <= len(given) else ()))

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
    whole = list(forwardings(code, call, _pointed(function)))
    for forwarding, kernel in whole:
        stated, passed_on = forwarding.of(configuration[:_OWN_OF_LAUNCH]), forwarding.of(arguments)
        for name, template in _kernels(code, kernel, 1):
            if stated is None or passed_on is None:
                yield LaunchSite(name, template, configuration, arguments, call, code)
            else:
                yield LaunchSite(name, template, stated, passed_on, forwarding.call, code)
    found = [] if whole else list(dict.fromkeys(_kernels(code, function, 0)))
    is_chosen = len({(name, tuple(map(text, template))) for name, template in found}) > 1
    for name, template in found:
        yield LaunchSite(name, template, configuration, arguments, call, code, one_of_several=is_chosen)


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
    values = _pointing(code, function) if depth < _MOST_DEPTH else []
    for value in values:
        yield from _kernels(code, value, depth + 1)
    if not values:
        yield text(function), ()


def _pointing(code: HostCode, function: Node) -> list[Node]:
    """What an expression that a call launches stands for: what a variable is set to, either way, what is returned."""
    match function.type:
        case "identifier":
            return _set_to(code, function)
        case "conditional_expression":
            ways = (function.child_by_field_name(each) for each in ("consequence", "alternative"))
            return [each for each in ways if each is not None]
        case "call_expression":
            called = function.child_by_field_name("function")
            body = None if called is None else code.functions.get(text(called))
            returned = () if body is None else (each for each in walk(body) if each.type == "return_statement")
            return [value for each in returned for value in parts(each)[:1]]
        case _:
            return []


def _set_to(code: HostCode, name: Node) -> list[Node]:
    """What a variable, or a parameter of a host function, is set to."""
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


# ------------------------------------------------------------------------------------------------------ what calls say


def parts_of_site(site: LaunchSite, signature: Signature) -> Iterator[LaunchParts | str]:
    """What a call says of its launches of a kernel, one for each way of the host code to it; or why that is not known.

    Nothing of a way on which it launches another kernel of the name.
    """
    path: tuple[int, ...] | None = ()
    barred: list[LaunchParts | str] = []
    is_found = False
    for _ in range(MOST_WAYS):
        if path is None:
            break
        choices = Choices(path)
        host = instantiated(Host(site.code, choices), site.node)
        said = _parts(site, signature, host)
        if site.one_of_several and choices.following() is not None:
            yield "which of its kernels it launches with which of its sizes is not known"
            return
        if said is not None and is_excluded(site.node, host):
            barred.append(said)
        elif said is not None:
            is_found = True
            yield said
        path = choices.following()
    if not is_found:  # the instance that comes here is not in the text
        yield from barred


def _parts(site: LaunchSite, signature: Signature, host: Host) -> LaunchParts | str | None:
    if len(site.configuration) < 2:
        return "it states no block"
    meant = _launched(site, host)
    if meant is None:
        return f"which of the kernels `{site.kernel}` it launches is not known"
    if meant.entry != signature.entry:
        return None
    host = replace(host, known=_settled(host, site.node))
    template = _template(site, signature, host)
    free = FreeSizes(frozenset((*signature.names, *(each.name for each in signature.template))))
    parameters = passed_scalars(signature, site.passed_to(signature), template)
    values, known = passed(replace(host, free=free), parameters)
    inside = replace(host, known=known, free=free)
    body = text(signature.node)
    grid = triple(inside, site.configuration[0], _axes(body, "blockIdx"))
    block = triple(inside, site.configuration[1], _axes(body, "threadIdx"))
    if grid is None or block is None:
        return f"`{line(site.configuration[grid is not None])}` cannot be read"
    launch = f"launch grid({', '.join(grid)}), block({', '.join(block)})"
    shared = "0" if len(site.configuration) == 2 and _DYNAMIC_SHARED.search(body) else None
    launch += "" if shared is None else ", shared(0)"
    used = _words(launch, *(each.text for each in values.values()))
    if len(site.configuration) > 2:
        shared = integer(inside, site.configuration[2])
        is_known = shared is not None and not (_words(shared) & set(free.names.values()) - used)
        launch += f", shared({shared})" if is_known else ""
        shared = shared if is_known else None
    known_as = {each: said for each, said in known.items() if each not in host.known}
    names = used | _words(*signature.names, *(each.name for each in parameters))
    equations = _equations(replace(inside, known=known_as), site.node, names)
    required = tuple(LaunchPart(f"requires {each}") for each in (*demands(site.node, inside), *equations))
    used |= _words(*(each.text for each in required))
    sizes = tuple(each for each in free.names.values() if each in used)
    return LaunchParts(
        (LaunchPart(launch), *required),
        values,
        {},
        template,
        sizes,
        shown=launch_shown(grid, block, shared),
        passed=large_constants(host, parameters),
        same=passed_twice(signature, site.passed_to(signature)),
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


def _launched(site: LaunchSite, host: Host) -> Signature | None:
    """Which of the kernels of its name a call launches."""
    if len(site.alike) == 1:
        return site.alike[0]
    return launched(host, site.template, site.arguments, site.alike)


def overflowing(site: LaunchSite, signature: Signature) -> Iterator[tuple[Node, int, Scalar]]:
    """The constants that a call passes to integers that cannot hold them; negative ones wrap where there is no sign."""
    host = instantiated(Host(site.code), site.node)
    meant = _launched(site, host)
    if meant is None or meant.entry != signature.entry:
        return
    template = _template(site, signature, host)
    for parameter, node in zip(signature.parameters, site.arguments, strict=False):
        scalar = None if parameter.depth else scalar_of(parameter, signature, template)
        constant = number(host, node)
        match = INTEGER.fullmatch(constant or "")
        if scalar is not None and scalar.is_integer and match is not None:
            value = int(match[1])
            if value >= 1 << (scalar.bits - scalar.is_signed) or value < -(1 << (scalar.bits - 1)):
                yield node, value, scalar


def _constant(host: Host, parameter: Parameter, passed: Node, name: str) -> str | None:
    """The number that `std::bool_constant<true>{}` gives the parameter `name` of a template."""
    taken = _CONSTANT.search(text(parameter.node))
    given = _CONSTANT.fullmatch(deduced(host, passed, 0) or "") if taken is not None and taken[1] == name else None
    return None if given is None else {"true": "1", "false": "0"}.get(given[1], given[1])


def _template(site: LaunchSite, signature: Signature, host: Host) -> dict[str, str]:
    """The arguments of the template by name: those of the call, then types of what it passes, then `float`."""
    found: dict[str, str] = {}
    for parameter, written in zip(signature.template, site.template, strict=False):
        said = None if parameter.is_type else integer(host, written)
        said = said or type_text(host, written)
        found |= {} if said is None else {parameter.name: said}
    pairs = list(zip(signature.parameters, site.arguments, strict=False))
    for parameter in signature.template:
        if parameter.name not in found and not parameter.is_type:
            values = (_constant(host, each, node, parameter.name) for each, node in pairs)
            stated = next((each for each in values if each is not None), None)
            found |= {} if stated is None else {parameter.name: stated}
        if parameter.name in found or not parameter.is_type or parameter.default is not None:
            continue
        fitting = ((each, node) for each, node in pairs if each.words == (parameter.name,))
        types = (deduced(host, node, each.depth) for each, node in fitting)
        found[parameter.name] = next((each for each in types if each is not None), USUAL_TYPE)
    return found
