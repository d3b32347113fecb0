"""Random programs for a C preprocessor: definitions of all kinds, conditions, uses that nest and reach over lines."""

from __future__ import annotations

from random import Random

NAMES = ("A", "B", "C", "F", "G", "H")
OPERATORS = ("+", "-", "*", "/", "%", "<<", ">>", "<", ">", "<=", ">=", "==", "!=", "&", "|", "^", "&&", "||")
PLAIN = ("+", "-", "1", "(", ")", ",", "<", "a.b", "1.5f", '"s"', "'c'", "->", "/* c */")
TRICKY = ("// c A", "/* A\n F(1) */", '"A"', "'A'", "1'000 A", "1.A", "x.A", "1e+A", "A\\\nB", 'R"(A)"', '"a\\"A"')


def program(random: Random) -> str:
    """A program; a compiler need not take it."""
    lines: list[str] = []
    depth = 0
    for _ in range(random.randint(2, 14)):
        line, change = _line(random, depth)
        lines.append(line)
        depth += change
    return "\n".join([*lines, *["#endif"] * depth]) + "\n"


def _line(random: Random, depth: int) -> tuple[str, int]:
    chance = random.random()
    if chance < 0.15:
        return f"#define {random.choice(NAMES)} {_body(random, [], quotes=False)}", 0
    if chance < 0.4:
        return _function_like(random), 0
    if chance < 0.45:
        return f"#undef {random.choice(NAMES)}", 0
    if chance < 0.52:
        return f"#if {_condition(random, 0)}", 1
    if chance < 0.55:
        return f"#{random.choice(['ifdef', 'ifndef'])} {random.choice(NAMES)}", 1
    if chance < 0.65 and depth:
        return random.choice([(f"#elif {_condition(random, 0)}", 0), ("#endif", -1)])
    if chance < 0.68:
        return random.choice(TRICKY), 0
    parts = [_use(random, 0) if random.random() < 0.7 else random.choice([*NAMES, "+", "z"]) for _ in range(3)]
    return " ".join(parts[: random.randint(1, 3)]) + ";", 0


def _function_like(random: Random) -> str:
    parameters = ["x", "y"][: random.randint(0, 2)]
    rest = ["..."] if random.random() < 0.3 else []
    used = [*parameters, *(["__VA_ARGS__"] if rest else [])]
    return f"#define {random.choice(NAMES)}({','.join([*parameters, *rest])}) {_body(random, used, quotes=True)}"


def _body(random: Random, parameters: list[str], quotes: bool) -> str:
    made = []
    for _ in range(random.randint(0, 6)):
        chance = random.random()
        if parameters and chance < 0.4:
            made.append(random.choice(parameters))
        elif quotes and parameters and chance < 0.47:
            made.append("#" + random.choice(parameters))
        elif chance < 0.55:
            made.append(f"{random.choice(['a', 'b', 'x1'])} ## {random.choice([*(parameters or ['c']), '7'])}")
        elif chance < 0.72:
            made.append(random.choice(NAMES))
        elif chance < 0.85:
            given = [random.choice([*parameters, *NAMES, "1", "z", ""]) for _ in range(random.randint(1, 3))]
            made.append(f"{random.choice(NAMES)}({','.join(given)})")
        else:
            made.append(random.choice(PLAIN))
    return " ".join(made)


def _use(random: Random, depth: int) -> str:
    given = [_argument(random, depth) for _ in range(random.randint(0, 3))]
    space = random.choice(["", " ", "\n" if depth == 0 else ""])
    return f"{random.choice(NAMES)}{space}({','.join(given)})"


def _argument(random: Random, depth: int) -> str:
    made = []
    for _ in range(random.randint(0, 3)):
        chance = random.random()
        if chance < 0.4:
            made.append(random.choice(NAMES))
        elif chance < 0.6 and depth < 2:
            made.append(_use(random, depth + 1))
        elif chance < 0.7:
            made.append(random.choice(["(a,b)", "(1)", "()"]))
        else:
            made.append(random.choice(["1", "a", "+", "-", '"q\\n"', "'x'", "b.c", "\n"]))
    return " ".join(made)


def _condition(random: Random, depth: int) -> str:
    chance = random.random()
    if depth > 3 or chance < 0.25:
        name = random.choice(NAMES)
        atoms = ["0", "1", "2", "7u", "0x10", "'a'", "10L", "-1", "~0", *NAMES, f"defined({name})", f"defined {name}"]
        return random.choice(atoms)
    if chance < 0.8:
        operator = random.choice(OPERATORS)
        return f"{_condition(random, depth + 1)} {operator} {_condition(random, depth + 1)}"
    if chance < 0.9:
        return f"({_condition(random, depth + 1)})"
    if chance < 0.95:
        return f"!{_condition(random, depth + 1)}"
    three = [_condition(random, depth + 1) for _ in range(3)]
    return f"({three[0]} ? {three[1]} : {three[2]})"
