"""From the kernel that a declaration names in a CUDA source to its program, or to what stands in the way.

Must not know what constructs come to.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace
from tree_sitter import Node

from rewright.emit.builder import Label
from rewright.emit.emitter import Emitter, Refused
from rewright.emit.problem import Problem
from rewright.emit.types import VOID, TemplateArgument
from rewright.frontends.cuda.cxx.frames import FunctionFrame
from rewright.frontends.cuda.cxx.functions import facts, parameters_of
from rewright.frontends.cuda.cxx.gotos import check_labels
from rewright.frontends.cuda.cxx.lowering import Lowering
from rewright.frontends.cuda.cxx.scopes import Binding, FunctionText, Namespace, OverloadSet, Scope
from rewright.frontends.cuda.cxx.statements import statement
from rewright.frontends.cuda.cxx.templates import argument, bind, bound_arguments
from rewright.frontends.cuda.lower.names import names_of
from rewright.frontends.cuda.lower.parameters import bind_parameters, template_arguments
from rewright.frontends.cuda.reading.declarators import function_declarator, is_kernel
from rewright.frontends.cuda.reading.texts import ReadText, read_text, remarks, sought
from rewright.frontends.cuda.reading.tree import broken, parse, parts, walk
from rewright.frontends.lowered import Lowered
from rewright.frontends.preprocessor import Expanded
from rewright.frontends.preset import NO_PRESET, Preset
from rewright.model.kernel import Foreign, Kernel
from rewright.model.simt.instructions import Branch, Instruction, Jump
from rewright.model.simt.program import Loop, Program
from rewright.verdict import Place, Site


def lower_cuda(kernel: Kernel, foreign: Foreign, texts: Mapping[str, str], preset: Preset = NO_PRESET) -> Lowered:
    """The program of the kernel that `foreign` names, its text and those it includes given by path."""
    if foreign.path not in texts:
        return Lowered(None, (Problem(f"`{foreign.path}` cannot be read", Site(foreign.site)),), ())
    try:
        read = read_text(foreign.path, texts, {define.name: define.value for define in foreign.defines}, preset)
        program, problems = _lowered(kernel, foreign, read)
    except RecursionError:
        reason = f"`{foreign.path}` is nested too deeply"
        return Lowered(None, (Problem(reason, Site(foreign.site)),), (foreign.path,))
    expanded = read.expanded
    said = tuple(dict.fromkeys((*problems, *remarks(expanded))))
    return Lowered(program, said, sought(expanded))


def _lowered(kernel: Kernel, foreign: Foreign, read: ReadText) -> tuple[Program | None, tuple[Problem, ...]]:
    expanded, trees = read.expanded, read.trees
    emitter, names = Emitter(expanded.place, kernel.launch.shared, stand_ins=expanded.stand_ins), names_of(read)
    with emitter.noting():
        function = _found(emitter, foreign, names.scope, trees)
        _note_text(emitter, function, expanded)
        if not emitter.problems:
            _body(Lowering(emitter, names), kernel, foreign, function)
    if emitter.problems:
        return None, tuple(emitter.problems)
    return _program(emitter), ()


# ------------------------------------------------------------------------------------------------------------ function


def _found(emitter: Emitter, foreign: Foreign, scope: Scope, trees: tuple[Node, ...]) -> FunctionText:
    """The kernel's definition; refuses if there is none, or more than one."""
    *namespaces, name = foreign.entry.split("::")
    name, _, number = name.partition("'")
    candidates = [function for function in functions_named(scope, namespaces, name) if _has_body(function)]
    kernels = [function for function in candidates if is_kernel(function.node)]
    if len(kernels) == 1:
        return kernels[0]
    if number and int(number) <= len(kernels):
        return sorted(kernels, key=lambda each: each.node.start_byte)[int(number) - 1]
    path, entry = foreign.path, foreign.entry
    if len(kernels) > 1:
        matching = [function for function in kernels if _takes(function, foreign)]
        if len(matching) == 1:
            return matching[0]
        raise Refused(Problem(f"`{path}` defines `{entry}` {len(kernels)} times", Site(foreign.site)))
    if candidates:
        declarator = function_declarator(candidates[0].node) or candidates[0].node
        emitter.refuse(declarator, "the function is not `__global__`")
    emitter.note(Refused(Problem(f"`{path}` defines no function `{entry}`", Site(foreign.site))))
    for tree in trees:
        for node in broken(tree):
            emitter.note(Refused(Problem("syntax error", emitter.place(node))))
    raise Refused(None)


def functions_named(scope: Scope, namespaces: list[str], name: str) -> list[FunctionText]:
    """The functions of the name, in any namespace if none is given."""
    found: list[FunctionText] = []
    binding: Binding | None = scope.names.get(name) if not namespaces else None
    if isinstance(binding, OverloadSet):
        found += binding.of
    for inner, known in scope.names.items():
        if isinstance(known, Namespace) and known.scope is not scope and (not namespaces or inner == namespaces[0]):
            found += functions_named(known.scope, namespaces[1:], name)
    return found


def _has_body(function: FunctionText) -> bool:
    return function.node.child_by_field_name("body") is not None


def _takes(function: FunctionText, foreign: Foreign) -> bool:
    count = 0 if function.template is None else len(parts(function.template))
    return count >= len(foreign.arguments) and (count > 0) == bool(foreign.arguments)


def _note_text(emitter: Emitter, function: FunctionText, expanded: Expanded) -> None:
    """Notes syntax errors in the function, and what the preprocessor noted in it."""
    for node in broken(function.node):
        emitter.note(Refused(Problem("syntax error", emitter.place(node))))
    for note in expanded.notes:
        if function.node.start_byte <= note.offset < function.node.end_byte:
            emitter.note(Refused(Problem(note.reason, note.place)))


# ---------------------------------------------------------------------------------------------------------------- body


def _body(lowering: Lowering, kernel: Kernel, foreign: Foreign, function: FunctionText) -> None:
    names = lowering.names
    body = function.node.child_by_field_name("body")
    declarator = function_declarator(function.node)
    listed = None if declarator is None else declarator.child_by_field_name("parameters")
    if body is None or listed is None:
        return
    seen = facts(names, body)
    scope = Scope(function.scope)
    bind_template(lowering, scope, function, foreign)
    names.frame = FunctionFrame((), VOID, Label(), is_direct=False, addressed=seen.addressed, assigned=seen.assigned)
    with names.inside(Scope(scope)):
        bind_parameters(lowering, kernel, parameters_of(function), listed)
        statement(lowering, body)
        check_labels(lowering.emitter, names.frame, body)


def bind_template(lowering: Lowering, scope: Scope, function: FunctionText, foreign: Foreign) -> None:
    """Binds the parameters of the kernel's template to the declaration's arguments; raises `Refused` if they misfit."""
    site, count = Site(foreign.site), len(foreign.arguments)
    parameters = [] if function.template is None else parts(function.template)
    if count > len(parameters):
        reason = f"`{foreign.entry}` has {len(parameters)} template parameters, {count} arguments are given"
        raise Refused(Problem(reason, site))
    if function.template is None:
        return
    with lowering.names.inside(function.scope):
        given = tuple(
            _argument(lowering, each, site) if isinstance(each, str) else each
            for each in template_arguments(foreign.arguments)
        )
    with lowering.names.inside(scope):
        try:
            everything = bound_arguments(lowering, function.template, given, function.template)
        except Refused as refused:
            reason = "" if refused.problem is None else f": {refused.problem.reason}"
            expected = f"`{foreign.entry}` is a template of {len(parameters)} parameters, {count} arguments are given"
            raise Refused(Problem(expected + reason, site)) from None
        bind(lowering, scope, function.template, everything)


def _argument(lowering: Lowering, written: str, site: Place) -> TemplateArgument:
    """A template argument as it is written: a type, an integer that is known, the name of a function."""
    root = parse(f"int written = f<{written}>(0);".encode())
    lists = [node for node in walk(root) if node.type == "template_argument_list"]
    given = parts(lists[0]) if lists and not root.has_error else []
    if len(given) != 1:
        raise Refused(Problem(f"`{written}` is not a template argument that is supported here", site))
    try:
        return argument(lowering, given[0])
    except Refused:
        raise Refused(Problem(f"the template argument `{written}` is not known in the source", site)) from None


# ------------------------------------------------------------------------------------------------------------- program


def _program(emitter: Emitter) -> Program:
    """The program with what is computed once in front."""
    builder, by = emitter.builder, len(emitter.prologue)
    made = builder.program()
    code = (*emitter.prologue, *(_later(instruction, by) for instruction in made.code))
    loops = tuple(Loop(loop.head + by, loop.end + by, loop.place) for loop in made.loops)
    return replace(made, code=code, loops=loops)


def _later(instruction: Instruction, by: int) -> Instruction:
    match instruction:
        case Jump():
            return replace(instruction, target=instruction.target + by)
        case Branch():
            return replace(instruction, otherwise=instruction.otherwise + by)
        case _:
            return instruction
