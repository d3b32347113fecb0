"""ATen's operators that are formulas of others: products with a bias, softmax, norms, attention.

Each raises `NotTaken` for a case that is not taken.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType

from rewright.frontends.fx.elementwise import Lowering, times
from rewright.frontends.fx.emitting import FxOperations, Value
from rewright.frontends.fx.shaping import variance
from rewright.frontends.fx.written import Call, PythonName, Written
from rewright.frontends.tensor_programs.values import NotTaken

EPSILON = Fraction("1e-05")
"""What norms add to a variance where nothing else is said."""


# ----------------------------------------------------------------------------------------------------------- products


def product(emitter: FxOperations, call: Call) -> Value:
    """`matmul`: of matrices, of stacks of matrices, with a vector on the right."""
    return _product(emitter, emitter.tensor(call.at(0, "self")), emitter.tensor(call.at(1, "other")))


def _product(emitter: FxOperations, left: str, right: str) -> str:
    one, other = emitter.shape(left), emitter.shape(right)
    if not one or not other:
        raise NotTaken("its operands are numbers")
    if len(other) <= 2:
        return emitter.contracted(left, right, (), ((len(one) - 1, 0),))
    if len(one) != len(other) or one[:-2] != other[:-2]:
        raise NotTaken("its operands are not stacks of one shape")
    batch = [(d, d) for d in range(len(one) - 2)]
    return emitter.contracted(left, right, batch, ((len(one) - 1, len(one) - 2),))


def added_product(emitter: FxOperations, call: Call) -> Value:
    """A tensor and a product, each with a factor: `addmm`, `baddbmm`."""
    bias, left, right = (emitter.tensor(call.at(k, key)) for k, key in enumerate(("self", "mat1", "mat2")))
    found = times(emitter, _product(emitter, left, right), call.keyed.get("alpha", Fraction(1)))
    factor = call.keyed.get("beta", Fraction(1))
    return found if factor == 0 else emitter.pointwise("add", times(emitter, bias, factor), found)


def linear(emitter: FxOperations, call: Call) -> Value:
    """A product with a transposed weight, and a bias if there is one."""
    value, weight = emitter.tensor(call.at(0, "input")), emitter.tensor(call.at(1, "weight"))
    found = emitter.contracted(value, weight, (), ((len(emitter.shape(value)) - 1, len(emitter.shape(weight)) - 1),))
    bias = call.at(2, "bias")
    return found if bias is None else emitter.pointwise("add", found, emitter.tensor(bias))


# ------------------------------------------------------------------------------------------------------------ softmax


def softmax(emitter: FxOperations, call: Call) -> Value:
    """Exponentials divided by their sum along a dimension, after the maximum is taken off."""
    value = emitter.tensor(call.at(0, "self"))
    return _softmax(emitter, value, emitter.dimension(call.at(1, "dim"), len(emitter.shape(value))))


def _softmax(emitter: FxOperations, value: str, along: int) -> str:
    powers = emitter.pointwise("exponential", _lowered(emitter, value, along))
    return emitter.pointwise("divide", powers, emitter.reduced("add", powers, (along,), kept=True))


def _lowered(emitter: FxOperations, value: str, along: int) -> str:
    """A value less its maximum along a dimension."""
    return emitter.pointwise("subtract", value, emitter.reduced("maximum", value, (along,), kept=True))


def log_softmax(emitter: FxOperations, call: Call) -> Value:
    """The logarithm of `softmax`."""
    value = emitter.tensor(call.at(0, "self"))
    along = emitter.dimension(call.at(1, "dim"), len(emitter.shape(value)))
    lowered = _lowered(emitter, value, along)
    total = emitter.reduced("add", emitter.pointwise("exponential", lowered), (along,), kept=True)
    return emitter.pointwise("subtract", lowered, emitter.pointwise("log", total))


def softmax_backward(emitter: FxOperations, call: Call) -> Value:
    """What `softmax` gave, times the gradient less its mean under it."""
    gradient, given = emitter.tensor(call.at(0, "grad_output")), emitter.tensor(call.at(1, "output"))
    along = emitter.dimension(call.at(2, "dim"), len(emitter.shape(given)))
    weighed = emitter.pointwise("multiply", gradient, given)
    total = emitter.reduced("add", weighed, (along,), kept=True)
    return emitter.pointwise("subtract", weighed, emitter.pointwise("multiply", given, total))


# -------------------------------------------------------------------------------------------------------------- norms


def layer_norm(emitter: FxOperations, call: Call) -> Value:
    """The last dimensions less their mean, over the root of their variance, with weight and bias if there are."""
    return _layer_norm(emitter, call)[0]


def native_layer_norm(emitter: FxOperations, call: Call) -> Value:
    """The same, with the mean and what the rest is multiplied by."""
    return _layer_norm(emitter, call)


def _layer_norm(emitter: FxOperations, call: Call) -> tuple[str, str, str]:
    value = emitter.tensor(call.at(0, "input"))
    along = _last(emitter, value, call.at(1, "normalized_shape"))
    apart, spread = variance(emitter, value, along)
    root = _root(emitter, spread, call.at(4, "eps", EPSILON))
    mean = emitter.pointwise("subtract", value, apart)
    mean = emitter.sliced(mean, along[0], 0, 1) if len(along) == 1 else mean
    return _weighed(emitter, emitter.pointwise("multiply", apart, root), call), mean, root


def rms_norm(emitter: FxOperations, call: Call) -> Value:
    """The last dimensions over the root of their mean square, with a weight if there is one. Raises `NotTaken`."""
    value = emitter.tensor(call.at(0, "input"))
    along = _last(emitter, value, call.at(1, "normalized_shape"))
    squares = emitter.pointwise("multiply", value, value)
    count = 1
    for d in along:
        count *= emitter.shape(value)[d]
    mean = emitter.pointwise(
        "divide", emitter.reduced("add", squares, along, kept=True), emitter.number(Fraction(count))
    )
    epsilon = call.at(3, "eps")
    if epsilon is None:
        raise NotTaken("what it adds is that of the element type")
    found = emitter.pointwise("multiply", value, _root(emitter, mean, epsilon))
    weight = call.at(2, "weight")
    return found if weight is None else emitter.pointwise("multiply", found, emitter.tensor(weight))


def _last(emitter: FxOperations, value: str, written: Written) -> tuple[int, ...]:
    rank, sizes = len(emitter.shape(value)), written if isinstance(written, tuple) else (written,)
    if not 0 < len(sizes) <= rank:
        raise NotTaken("its sizes are not those of its operand")
    return tuple(range(rank - len(sizes), rank))


def _root(emitter: FxOperations, value: str, epsilon: Written) -> str:
    return emitter.pointwise("rsqrt", emitter.pointwise("add", value, emitter.number(epsilon)))


def _weighed(emitter: FxOperations, value: str, call: Call) -> str:
    for place, key, name in ((2, "weight", "multiply"), (3, "bias", "add")):
        given = call.at(place, key)
        value = value if given is None else emitter.pointwise(name, value, emitter.tensor(given))
    return value


# ---------------------------------------------------------------------------------------------------------- attention


def attention(emitter: FxOperations, call: Call) -> Value:
    """Values weighed by the softmax of scaled products of queries and keys; a mask is added. Raises `NotTaken`."""
    query, key, value = (emitter.tensor(call.at(k, name)) for k, name in enumerate(("query", "key", "value")))
    if call.at(4, "dropout_p", Fraction(0)) != 0:
        raise NotTaken("what it drops is drawn at random")
    if call.at(5, "is_causal", default=False) is not False or call.keyed.get("enable_gqa") not in (None, False):
        raise NotTaken("it is causal, or groups queries")
    rank = len(emitter.shape(query))
    batch = [(d, d) for d in range(rank - 2)]
    scores = emitter.contracted(query, key, batch, ((rank - 1, rank - 1),))
    scale = call.at(6, "scale")
    if scale is None or isinstance(scale, PythonName):
        width = emitter.number(Fraction(emitter.shape(query)[-1]))
        scores = emitter.pointwise("multiply", scores, emitter.pointwise("rsqrt", width))
    else:
        scores = times(emitter, scores, scale)
    mask = call.at(3, "attn_mask")
    if mask is not None:
        added = emitter.tensor(mask)
        if emitter.types[added].element == "i1":
            raise NotTaken("its mask is of truth values")
        scores = emitter.pointwise("add", scores, added)
    return _product(emitter, _softmax(emitter, scores, rank - 1), value)


COMPOSED: Mapping[str, Lowering] = MappingProxyType(
    dict.fromkeys(("mm", "bmm", "matmul", "mv", "dot"), product)
    | {"addmm": added_product, "baddbmm": added_product, "linear": linear}
    | {"softmax": softmax, "_softmax": softmax, "log_softmax": log_softmax, "_log_softmax": log_softmax}
    | {"_softmax_backward_data": softmax_backward, "scaled_dot_product_attention": attention}
    | {"layer_norm": layer_norm, "native_layer_norm": native_layer_norm, "rms_norm": rms_norm}
)
"""Those that are taken, by their names without their overloads."""
