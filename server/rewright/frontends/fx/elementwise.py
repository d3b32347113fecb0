"""ATen's operators that act element by element, as StableHLO's. Each raises `NotTaken` for a case that is not taken."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from types import MappingProxyType

from rewright.frontends.fx.emitting import FxOperations, Value, joined
from rewright.frontends.fx.written import Call, PythonName, Written
from rewright.frontends.tensor_programs.program import TensorType
from rewright.frontends.tensor_programs.values import NotTaken

Lowering = Callable[[FxOperations, Call], Value]
"""From a call to the value that it gives."""

_UNARY: Mapping[str, str] = MappingProxyType(
    {"exp": "exponential", "expm1": "exponential_minus_one", "log": "log", "log1p": "log_plus_one", "tanh": "tanh"}
    | {"sigmoid": "logistic", "neg": "negate", "abs": "abs", "sqrt": "sqrt", "rsqrt": "rsqrt", "sin": "sine"}
    | {"cos": "cosine", "sign": "sign", "floor": "floor", "ceil": "ceil"}
)
_BINARY: Mapping[str, str] = MappingProxyType(
    {"mul": "multiply", "div": "divide", "true_divide": "divide", "maximum": "maximum", "minimum": "minimum"}
)
_COMPARED = ("ge", "gt", "le", "lt", "eq", "ne")

_ELEMENTS: Mapping[str, str] = MappingProxyType(
    {"float32": "f32", "float": "f32", "float64": "f64", "double": "f64", "float16": "f16", "half": "f16"}
    | {"bfloat16": "bf16", "int64": "i64", "long": "i64", "int32": "i32", "int": "i32", "bool": "i1"}
)
"""Element types, by what torch calls them."""

_TANH_CUBE, _TANH_SCALE = Fraction("0.044715"), Fraction("0.7978845608028654")
"""The two numbers in torch's approximation of GELU by `tanh`; the second is the square root of 2/pi as a float."""


def _unary(name: str) -> Lowering:
    return lambda emitter, call: emitter.pointwise(name, emitter.tensor(call.at(0, "self")))


def _binary(name: str) -> Lowering:
    def lowered(emitter: FxOperations, call: Call) -> Value:
        if call.keyed.get("rounding_mode") is not None:
            raise NotTaken("it rounds")
        return emitter.pointwise(name, emitter.tensor(call.at(0, "self")), emitter.tensor(call.at(1, "other")))

    return lowered


def _linear(name: str, *, swapped: bool = False) -> Lowering:
    """A sum or difference, of which the second operand may have a factor, `alpha`."""

    def lowered(emitter: FxOperations, call: Call) -> Value:
        one, other = emitter.tensor(call.at(0, "self")), emitter.tensor(call.at(1, "other"))
        if swapped:
            one, other = other, one
        other = times(emitter, other, call.at(2, "alpha", Fraction(1)))
        return emitter.pointwise(name, one, other)

    return lowered


def times(emitter: FxOperations, value: str, factor: Written) -> str:
    """A value times a number."""
    if factor == Fraction(1):
        return value
    return emitter.pointwise("multiply", value, emitter.number(factor))


def _compared(direction: str) -> Lowering:
    def lowered(emitter: FxOperations, call: Call) -> Value:
        one, other = emitter.tensor(call.at(0, "self")), emitter.tensor(call.at(1, "other"))
        shape = joined([emitter.shape(each) for each in (one, other)])
        given = [emitter.spread(each, shape) for each in (one, other)]
        words = {"comparison_direction": direction.upper()}
        return emitter.emit("stablehlo.compare", given, TensorType("i1", shape), words)

    return lowered


def relu(emitter: FxOperations, call: Call) -> Value:
    """What is above 0, else 0."""
    return emitter.pointwise("maximum", emitter.tensor(call.at(0, "self")), emitter.number(Fraction(0)))


def clamp(emitter: FxOperations, call: Call) -> Value:
    """No less than one number and no more than another, where they are given."""
    value = emitter.tensor(call.at(0, "self"))
    for place, key, name in ((1, "min", "maximum"), (2, "max", "minimum")):
        bound = call.at(place, key)
        value = value if bound is None else emitter.pointwise(name, value, emitter.tensor(bound))
    return value


def reciprocal(emitter: FxOperations, call: Call) -> Value:
    """1 divided by each element."""
    return emitter.pointwise("divide", emitter.number(Fraction(1)), emitter.tensor(call.at(0, "self")))


def silu(emitter: FxOperations, call: Call) -> Value:
    """Each element times its logistic function."""
    value = emitter.tensor(call.at(0, "self"))
    return emitter.pointwise("multiply", value, emitter.pointwise("logistic", value))


def gelu(emitter: FxOperations, call: Call) -> Value:
    """By the error function, or by `tanh` where that is said."""
    value = emitter.tensor(call.at(0, "self"))
    half = times(emitter, value, Fraction(1, 2))
    if call.at(1, "approximate", "none") == "tanh":
        cube = emitter.pointwise("multiply", emitter.pointwise("multiply", value, value), value)
        inner = emitter.pointwise("add", value, times(emitter, cube, _TANH_CUBE))
        bent = emitter.pointwise("tanh", times(emitter, inner, _TANH_SCALE))
    else:
        scaled = emitter.pointwise("multiply", value, emitter.pointwise("rsqrt", emitter.number(Fraction(2))))
        bent = emitter.emit("chlo.erf", (scaled,), emitter.types[scaled])
    return emitter.pointwise("multiply", half, emitter.pointwise("add", bent, emitter.number(Fraction(1))))


def power(emitter: FxOperations, call: Call) -> Value:
    """A small whole power as products, any other as it is."""
    value, exponent = emitter.tensor(call.at(0, "self")), call.at(1, "exponent")
    if isinstance(exponent, Fraction) and exponent in (2, 3):
        square = emitter.pointwise("multiply", value, value)
        return square if exponent == 2 else emitter.pointwise("multiply", square, value)
    return emitter.pointwise("power", value, emitter.tensor(exponent))


def same(emitter: FxOperations, call: Call) -> Value:
    """What leaves its operand as it is."""
    return emitter.tensor(call.at(0, "self"))


def dropout(emitter: FxOperations, call: Call) -> Value:
    """What leaves its operand as it is where nothing is dropped. Raises `NotTaken`."""
    if call.at(1, "p") != Fraction(0) and call.at(2, "train") is not False:
        raise NotTaken("what it drops is drawn at random")
    return emitter.tensor(call.at(0, "input"))


def converted(emitter: FxOperations, call: Call) -> Value:
    """The same in another element type, where one is said."""
    value = emitter.tensor(call.at(0, "self"))
    given = call.keyed.get("dtype", call.at(1, "dtype"))
    if given is None or (isinstance(given, PythonName) and given.text.startswith("device")):
        return value
    element = element_type(given)
    if element == emitter.types[value].element:
        return value
    return emitter.emit("stablehlo.convert", (value,), TensorType(element, emitter.shape(value)))


def element_type(written: Written) -> str:
    """The element type that `torch.float32` names. Raises `NotTaken`."""
    name = written.text.removeprefix("torch.") if isinstance(written, PythonName) else ""
    if name not in _ELEMENTS:
        raise NotTaken(f"it gives `{name}`" if name else "its element type cannot be read")
    return _ELEMENTS[name]


def where(emitter: FxOperations, call: Call) -> Value:
    """One tensor or another, by a mask."""
    mask, one, other = (emitter.tensor(call.at(k, key)) for k, key in enumerate(("condition", "self", "other")))
    return chosen(emitter, mask, one, other)


def masked_fill(emitter: FxOperations, call: Call) -> Value:
    """A number in the place of elements that a mask marks."""
    value, mask = emitter.tensor(call.at(0, "self")), emitter.tensor(call.at(1, "mask"))
    return chosen(emitter, mask, emitter.tensor(call.at(2, "value")), value)


def chosen(emitter: FxOperations, mask: str, one: str, other: str) -> Value:
    """One value where a mask is true, else another. Raises `NotTaken`."""
    shape = joined([emitter.shape(each) for each in (mask, one, other)])
    given = [emitter.spread(each, shape) for each in (mask, one, other)]
    real = next((each for each in (one, other) if emitter.shape(each)), one)
    return emitter.emit("stablehlo.select", given, emitter.like(real, shape))


def tanh_backward(emitter: FxOperations, call: Call) -> Value:
    """The gradient times one less the square of what `tanh` gave."""
    return _backward(emitter, call, squared=True)


def sigmoid_backward(emitter: FxOperations, call: Call) -> Value:
    """The gradient times what the logistic function gave, times one less it."""
    return _backward(emitter, call, squared=False)


def _backward(emitter: FxOperations, call: Call, *, squared: bool) -> Value:
    gradient, given = emitter.tensor(call.at(0, "grad_output")), emitter.tensor(call.at(1, "output"))
    lost = emitter.pointwise("multiply", given, given) if squared else given
    slope = emitter.pointwise("subtract", emitter.number(Fraction(1)), lost)
    slope = slope if squared else emitter.pointwise("multiply", given, slope)
    return emitter.pointwise("multiply", gradient, slope)


ELEMENTWISE: Mapping[str, Lowering] = MappingProxyType(
    {name: _unary(meant) for name, meant in _UNARY.items()}
    | {name: _binary(meant) for name, meant in _BINARY.items()}
    | {name: _compared(name) for name in _COMPARED}
    | {"add": _linear("add"), "sub": _linear("subtract"), "rsub": _linear("subtract", swapped=True)}
    | {"relu": relu, "clamp": clamp, "reciprocal": reciprocal, "silu": silu, "gelu": gelu, "pow": power}
    | {"where": where, "masked_fill": masked_fill, "dropout": dropout}
    | {"tanh_backward": tanh_backward, "sigmoid_backward": sigmoid_backward}
    | dict.fromkeys(("_to_copy", "to", "convert_element_type", "type_as"), converted)
    | dict.fromkeys(("clone", "contiguous", "detach", "alias", "lift_fresh_copy", "wait_tensor"), same)
)
"""Those that are taken, by their names without their overloads."""
