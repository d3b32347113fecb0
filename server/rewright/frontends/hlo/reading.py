"""From a text of HLO to the tensor program that it prints: computations, tuples taken apart, lines of the model.

What cannot be read is said, at its place; what stands around it is read all the same.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct, field

from rewright.frontends.hlo.instructions import attributes_of, meshes_of, name_of
from rewright.frontends.hlo.lines import HloInstruction, instruction
from rewright.frontends.tensor_programs.program import (
    Attribute,
    Function,
    Misread,
    ModelLine,
    Region,
    TensorOperation,
    TensorParameter,
    TensorProgram,
    TensorType,
)

_HEADER = re.compile(r"(?P<entry>ENTRY )?%?(?P<name>[\w.\-]+)(?: \(.*\) -> .*)? \{$")
_SECTIONS = ("FileNames", "FunctionNames", "FileLocations", "StackFrames")

STARTS = ("all-gather-start", "collective-permute-start")
"""Instructions that give their operand and their result."""

MOST_MISREAD = 5
"""Lines of which it is said that they cannot be read."""

MOST_RESULTS = 100_000
"""Parts of tuples that are followed, of all instructions together."""


def read_program(text: str) -> TensorProgram:
    """What a text prints, as far as it can be read."""
    return _Reading(text).program()


class _Computation(Struct):
    """A computation while it is read."""

    name: str
    is_entry: bool
    start: int
    end: int
    lines: list[tuple[HloInstruction, int, int]] = field(default_factory=list)


class _Reading(Struct):
    """One text while it is read; `frames` are the lines of the model by the numbers of stack frames."""

    text: str
    misread: list[Misread] = field(default_factory=list)
    frames: dict[str, ModelLine] = field(default_factory=dict)
    left: int = MOST_RESULTS

    def program(self) -> TensorProgram:
        head, found = self._computations()
        partitions = re.search(r"num_partitions=(\d+)", head)
        replicas = re.search(r"replica_count=(\d+)", head)
        regions = {each.name: _region(each) for each in found}
        functions = {each.name: self._function(each, regions) for each in found}
        entry = next((each.name for each in found if each.is_entry), None)
        if not found:
            self.misread.append(Misread("there is no computation here", 0, min(len(self.text.encode()), 1)))
        meshes = meshes_of(head)
        ranks = max((_product(each) for each in meshes.values()), default=1)
        return TensorProgram(
            functions,
            entry,
            meshes,
            int(partitions[1]) if partitions else ranks,
            int(replicas[1]) if replicas else 1,
            tuple(self.misread[:MOST_MISREAD]),
            is_partitioned="is_scheduled=true" in head and partitions is not None and int(partitions[1]) > 1,
        )

    def _computations(self) -> tuple[str, list[_Computation]]:
        """The head of the module, and what is read of each computation."""
        head, found, section = "", [], ""
        current: _Computation | None = None
        tables: dict[str, dict[str, str]] = {name: {} for name in _SECTIONS}
        offset = 0
        for line in self.text.split("\n"):
            start, stripped = offset, line.strip()
            offset += len(line.encode("utf-8", "surrogateescape")) + 1
            if not stripped or stripped.startswith("//"):
                section = section if stripped else ""
            elif stripped.startswith("HloModule"):
                head = stripped
            elif stripped in _SECTIONS:
                section = stripped
            elif section:
                number, _, rest = stripped.partition(" ")
                tables[section][number] = rest
            elif current is None:
                header = _HEADER.match(stripped)
                if header is not None:
                    current = _Computation(header["name"], header["entry"] is not None, start, start + len(stripped))
                    found.append(current)
                else:
                    self._misread(line, start)
            elif stripped == "}" or stripped.startswith("}, "):
                current = None
            else:
                made = instruction(line)
                indent = len(line) - len(line.lstrip())
                if made is None:
                    self._misread(line, start)
                else:
                    end = len(line[: made.end].encode("utf-8", "surrogateescape"))
                    current.lines.append((made, start + indent, start + end))
        if current is not None:
            size = len(self.text.encode("utf-8", "surrogateescape"))
            self.misread.append(Misread("the text ends here before it is complete", max(size - 1, 0), size))
        self._learn(tables)
        return head, found

    def _misread(self, line: str, start: int) -> None:
        stripped = line.strip()
        begin = start + len(line[: len(line) - len(line.lstrip())].encode())
        size = len(stripped.encode("utf-8", "surrogateescape"))
        self.misread.append(Misread(f"`{stripped[:40]}` cannot be read", begin, begin + size))

    def _learn(self, tables: Mapping[str, Mapping[str, str]]) -> None:
        """The lines of the model that stack frames speak of."""
        files = {number: name.strip('"') for number, name in tables["FileNames"].items()}
        places: dict[str, ModelLine] = {}
        for number, text in tables["FileLocations"].items():
            given = dict(re.findall(r"(\w+)=(\d+)", text))
            file = files.get(given.get("file_name_id", ""))
            if file is not None and given.get("line", "0") != "0":
                places[number] = ModelLine(file, int(given["line"]), int(given.get("column", "0")))
        for number, text in tables["StackFrames"].items():
            place = places.get(dict(re.findall(r"(\w+)=(\d+)", text)).get("file_location_id", ""))
            if place is not None:
                self.frames[number] = place

    def _function(self, computation: _Computation, regions: Mapping[str, Region]) -> Function:
        parts: dict[str, tuple[str, ...]] = {}
        operations: list[TensorOperation] = []
        parameters: dict[int, TensorParameter] = {}
        returned: tuple[str, ...] | None = None
        end = (computation.start, computation.end)
        for made, start, stop in computation.lines:
            given = [part for each in made.operands for part in parts.get(each, (each,))]
            own = self._own(made)
            line = self._line(made)
            if made.opcode == "parameter":
                number = int(made.literal) if made.literal.isdecimal() else len(parameters)
                keyed: dict[str, Attribute] = {}
                if "sharding" in made.attributes:
                    keyed["mhlo.sharding"] = made.attributes["sharding"]
                shape = made.types[0] if made.types and not made.is_tuple else TensorType("tuple", (None,))
                shown = _called(made)
                parameters[number] = TensorParameter(made.name, shape, shown, keyed, start, stop)
                parts[made.name] = own
            elif made.opcode.endswith("-done"):
                # The operands of what was started, its results, and then what only the machine needs.
                parts[made.name] = tuple(given[1:2] if len(given) > 1 else given)
            elif made.opcode == "tuple":
                parts[made.name] = tuple(given)
            elif made.opcode == "get-tuple-element":
                index = made.attributes.get("index", "")
                within = parts.get(made.operands[0] if made.operands else "", ())
                known = index.isdecimal() and int(index) < len(within)
                parts[made.name] = (within[int(index)],) if known else (f"{made.name}?",)
            else:
                parts[made.name] = own
                operations.append(self._operation(made, tuple(given), own, (start, stop, line, regions)))
            if made.is_root:
                returned, end = parts[made.name], (start, stop)
        if returned is not None:
            operations.append(TensorOperation("func.return", returned, (), (), {}, (), *end))
        ordered = tuple(parameters[number] for number in sorted(parameters))
        return Function(computation.name, ordered, tuple(operations), computation.start, computation.end)

    def _own(self, made: HloInstruction) -> tuple[str, ...]:
        """The names of what an instruction gives, the parts of a tuple by their numbers."""
        if not made.is_tuple:
            return (made.name,)
        self.left -= len(made.types)
        return tuple(f"{made.name}#{number}" for number in range(len(made.types) if self.left > 0 else 0))

    def _operation(
        self,
        made: HloInstruction,
        given: tuple[str, ...],
        own: tuple[str, ...],
        place: tuple[int, int, ModelLine | None, Mapping[str, Region]],
    ) -> TensorOperation:
        start, stop, line, regions = place
        applied = made.attributes.get("to_apply", "").removeprefix("%")
        inner = (regions[applied],) if applied in regions and name_of(made) != "func.call" else ()
        name, types = name_of(made), made.types
        if made.opcode in STARTS:
            name, own, types = name.removesuffix("_start"), own[1:2], types[1:2]
        return TensorOperation(name, given, own, types, attributes_of(made), inner, start, stop, line)

    def _line(self, made: HloInstruction) -> ModelLine | None:
        metadata = made.attributes.get("metadata", "")
        frame = re.search(r"stack_frame_id=(\d+)", metadata)
        if frame is not None and frame[1] in self.frames:
            return self.frames[frame[1]]
        file, number = re.search(r'source_file="([^"]+)"', metadata), re.search(r"source_line=(\d+)", metadata)
        return ModelLine(file[1], int(number[1]), 0) if file is not None and number is not None else None


def _called(made: HloInstruction) -> str:
    """What a parameter is called in the model, else in the text."""
    named = re.search(r'op_name="([A-Za-z_][\w.\[\]\']*)"', made.attributes.get("metadata", ""))
    return named[1] if named is not None else re.sub(r"\.\d+$", "", made.name)


def _region(computation: _Computation) -> Region:
    """A computation as what a reduction applies."""
    given = [(made.name, made.types[0]) for made, *_ in computation.lines if made.opcode == "parameter" and made.types]
    inner = tuple(
        TensorOperation(name_of(made), made.operands, (made.name,), made.types, {}, (), 0, 0)
        for made, *_ in computation.lines
        if made.opcode != "parameter"
    )
    roots = [made.name for made, *_ in computation.lines if made.is_root]
    end = TensorOperation("func.return", tuple(roots), (), (), {}, (), 0, 0)
    return Region(tuple(given), (*inner, end))


def _product(mesh: tuple[tuple[str, int], ...]) -> int:
    found = 1
    for _, size in mesh:
        found *= size
    return found
