"""The models of this folder, and how their texts are printed: `python models.py` writes them (extra `xla`, jax 0.10.2).

Nothing is run: JAX lowers each function for the shapes of its arguments.
"""

import os
import re
import sys
from pathlib import Path

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh
from jax.sharding import PartitionSpec as P

TP = Mesh(np.array(jax.devices()[:2]), ("tp",))
SP = Mesh(np.array(jax.devices()[:4]), ("sp",))
HEADS, SIZE = 4, 8


def mlp(x, a, b):
    return jnp.maximum(x @ a, 0.0) @ b


def mlp_of_rank(x, a, b):
    hidden = jnp.maximum(x @ a, 0.0)
    return jax.lax.psum(hidden @ b, "tp")


def mlp_of_rank_without_psum(x, a, b):
    hidden = jnp.maximum(x @ a, 0.0)
    return hidden @ b


def normed(x, g):
    mean = x.mean(-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(variance + 1e-5) * g


def heads(x, wq, wk, wv, count):
    rows = x.shape[0]
    q, k, v = ((x @ w).reshape(rows, count, SIZE).transpose(1, 0, 2) for w in (wq, wk, wv))
    scores = jnp.einsum("hqd,hkd->hqk", q, k) * (1.0 / np.sqrt(SIZE))
    mixed = jnp.einsum("hqk,hkd->hqd", jax.nn.softmax(scores, axis=-1), v)
    return mixed.transpose(1, 0, 2).reshape(rows, count * SIZE)


def attention(x, g, wq, wk, wv, wo):
    return x + heads(normed(x, g), wq, wk, wv, HEADS) @ wo


def attention_of_rank(x, g, wq, wk, wv, wo):
    rows = jax.lax.all_gather(normed(x, g), "tp", axis=0, tiled=True)
    out = heads(rows, wq, wk, wv, HEADS // 2) @ wo
    return x + jax.lax.psum_scatter(out, "tp", scatter_dimension=0, tiled=True)


def loss(w, x, y):
    return jnp.mean((x @ w - y) ** 2)


def step(w, x, y):
    return jax.value_and_grad(loss)(w, x, y)


def step_of_rank(w, x, y):
    value, gradient = step(jax.lax.pcast(w, "tp", to="varying"), x, y)
    return jax.lax.pmean(value, "tp"), jax.lax.pmean(gradient, "tp")


def two_steps(w, x0, x1, y0, y1):
    (l0, g0), (l1, g1) = step(w, x0, y0), step(w, x1, y1)
    return (l0 + l1) / 2, (g0 + g1) / 2


def two_steps_summed(w, x0, x1, y0, y1):
    (l0, g0), (l1, g1) = step(w, x0, y0), step(w, x1, y1)
    return l0 + l1, g0 + g1


def rotary(x, c, s):
    half = x.shape[1] // 2
    return x * c + jnp.concatenate([-x[:, half:], x[:, :half]], axis=1) * s


def rotary_of_rank(x, c, s):
    rows = x.shape[0]
    start = jax.lax.axis_index("sp") * rows
    own = [jax.lax.dynamic_slice_in_dim(each, start, rows, 0) for each in (c, s)]
    return rotary(x, *own)


def rotary_of_rank_from_zero(x, c, s):
    rows = x.shape[0]
    return rotary(x, c[:rows], s[:rows])


def embedding(w, tokens):
    return jnp.take(w, tokens, axis=0, mode="clip")


def embedding_of_rank(w, tokens):
    first = jax.lax.axis_index("tp") * w.shape[0]
    own = (tokens >= first) & (tokens < first + w.shape[0])
    rows = jnp.take(w, jnp.where(own, tokens - first, 0), axis=0, mode="clip")
    return jax.lax.psum(jnp.where(own[..., None], rows, 0.0), "tp")


def embedding_of_rank_clamped(w, tokens):
    first = jax.lax.axis_index("tp") * w.shape[0]
    own = (tokens >= first) & (tokens < first + w.shape[0])
    rows = jnp.take(w, tokens - first, axis=0, mode="clip")
    return jax.lax.psum(rows * own[..., None], "tp")


def embedding_of_rank_without_mask(w, tokens):
    first = jax.lax.axis_index("tp") * w.shape[0]
    return jax.lax.psum(jnp.take(w, tokens - first, axis=0, mode="clip"), "tp")


def embedding_of_rank_with_one_more(w, tokens):
    first = jax.lax.axis_index("tp") * w.shape[0]
    own = (tokens >= first) & (tokens <= first + w.shape[0])
    rows = jnp.take(w, tokens - first, axis=0, mode="clip")
    return jax.lax.psum(jnp.where(own[..., None], rows, 0.0), "tp")


def embedding_by_brackets(w, tokens):
    return w[tokens]


def embedding_of_rank_by_brackets(w, tokens):
    first = jax.lax.axis_index("tp") * w.shape[0]
    own = (tokens >= first) & (tokens < first + w.shape[0])
    rows = w[jnp.where(own, tokens - first, 0)]
    return jax.lax.psum(jnp.where(own[..., None], rows, 0.0), "tp")


def embedding_of_rank_from_the_end(w, tokens):
    first = jax.lax.axis_index("tp") * w.shape[0]
    own = (tokens >= first) & (tokens < first + w.shape[0])
    rows = w[jnp.where(own, tokens - first - 1, 0)]
    return jax.lax.psum(jnp.where(own[..., None], rows, 0.0), "tp")


def embedding_of_columns(w, tokens):
    return jax.lax.all_gather(jnp.take(w, tokens, axis=0, mode="clip"), "tp", axis=2, tiled=True)


def sharded(function, mesh, given, out, checked=True):
    return jax.shard_map(function, mesh=mesh, in_specs=given, out_specs=out, check_vma=checked)


def shapes(*each, type_=jnp.float32):
    return [jax.ShapeDtypeStruct(shape, type_) for shape in each]


MLP = shapes((8, 16), (16, 32), (32, 16))
ATTENTION = shapes((16, 32), (32,), *[(32, 32)] * 4)
STEP, STEPS = shapes((16, 4), (8, 16), (8, 4)), shapes((16, 4), *[(4, 16)] * 2, *[(4, 4)] * 2)
ROTARY = shapes((16, 8), (16, 8), (16, 8))
EMBEDDING = [*shapes((8, 4)), *shapes((2, 3), type_=jnp.int32)]
BY_HIDDEN = (P(), P(None, "tp"), P("tp", None))
BY_HEADS = (P("tp", None), P(), *[P(None, "tp")] * 3, P("tp", None))
BY_VOCABULARY = (P("tp", None), P())
BY_ROWS = (P("sp", None), P(), P())

TEXTS = {
    "mlp": (mlp, MLP),
    "mlp_tp": (sharded(mlp_of_rank, TP, BY_HIDDEN, P()), MLP),
    "mlp_without_psum": (sharded(mlp_of_rank_without_psum, TP, BY_HIDDEN, P(), checked=False), MLP),
    "attention": (attention, ATTENTION),
    "attention_sp": (sharded(attention_of_rank, TP, BY_HEADS, P("tp", None)), ATTENTION),
    "step": (step, STEP),
    "step_dp": (sharded(step_of_rank, TP, (P(), P("tp", None), P("tp", None)), (P(), P())), STEP),
    "two_steps": (two_steps, STEPS),
    "two_steps_summed": (two_steps_summed, STEPS),
    "embedding": (embedding, EMBEDDING),
    "embedding_tp": (sharded(embedding_of_rank, TP, BY_VOCABULARY, P()), EMBEDDING),
    "embedding_tp_clamped": (sharded(embedding_of_rank_clamped, TP, BY_VOCABULARY, P()), EMBEDDING),
    "embedding_tp_without_mask": (sharded(embedding_of_rank_without_mask, TP, BY_VOCABULARY, P()), EMBEDDING),
    "embedding_tp_with_one_more": (sharded(embedding_of_rank_with_one_more, TP, BY_VOCABULARY, P()), EMBEDDING),
    "embedding_by_brackets": (embedding_by_brackets, EMBEDDING),
    "embedding_tp_by_brackets": (sharded(embedding_of_rank_by_brackets, TP, BY_VOCABULARY, P()), EMBEDDING),
    "embedding_tp_from_the_end": (sharded(embedding_of_rank_from_the_end, TP, BY_VOCABULARY, P()), EMBEDDING),
    "embedding_of_columns": (sharded(embedding_of_columns, TP, (P(None, "tp"), P()), P(), checked=False), EMBEDDING),
    "rotary": (rotary, ROTARY),
    "rotary_sp": (sharded(rotary_of_rank, SP, BY_ROWS, P("sp", None)), ROTARY),
    "rotary_from_zero": (sharded(rotary_of_rank_from_zero, SP, BY_ROWS, P("sp", None)), ROTARY),
}
HLO = (
    *("mlp", "mlp_tp", "attention", "attention_sp", "step", "two_steps_summed"),
    *("embedding", "embedding_tp", "embedding_tp_with_one_more"),
)
OPTIMIZED = ("mlp_tp", "step_dp", "embedding_tp")


def relative(text):
    """The text with this file named as it is called beside it."""
    return re.sub(r'"[^"\n]*/models\.py"', '"models.py"', text)


def main(folder):
    for name, (function, arguments) in TEXTS.items():
        lowered = jax.jit(function).lower(*arguments)
        (folder / f"{name}.mlir").write_text(relative(lowered.as_text(debug_info=True)))
        if name in HLO:
            (folder / f"{name}.hlo.txt").write_text(relative(lowered.as_text(dialect="hlo")))
        if name in OPTIMIZED:
            (folder / f"{name}.optimized.hlo.txt").write_text(relative(lowered.compile().as_text()))


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
