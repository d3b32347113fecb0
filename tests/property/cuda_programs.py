"""Random CUDA functions of integers and floats whose every operation is defined."""

from __future__ import annotations

from random import Random

STRUCT = """
struct Part { int a; unsigned char b; short c; float d;
  __device__ Part(int x) : a(x), b(x), c(x + 1), d(x * 0.5f) {}
  __device__ int both(int by) { a += by; return a + b; }
  __device__ int &first() { return a; } };
"""
TYPES = (
    "char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long long",
    "unsigned long long",
    "bool",
)
ASSIGNMENTS = ("=", "+=", "-=", "*=", "&=", "|=", "^=")


class Program:
    """One function under way: the variables in scope by their types, and how deep it is nested."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.integers: list[str] = []
        self.floats: list[str] = []
        self.fixed: list[str] = []
        self.depth = self.count = 0
        self.helpers: list[tuple[str, str]] = []
        self.wide: list[str] = []
        self.parts: list[str] = []
        self.bound = "in[t]"

    def function(self, name: str) -> str:
        """The text of a function that writes all its variables in the end."""
        helpers = [self.helper() for _ in range(3)]
        lines = [self.declared(f"in[{i} + t]") for i in range(3)] + self.objects()
        lines += [self.declared(f"in[{i} + t]") for i in range(3)]
        lines += [f"float {self.named(self.floats)} = in[{i} + t] * 0.25f;" for i in range(2)]
        lines += [f"double {self.named(self.floats)} = in[{i} + t] / 3.0;" for i in range(1)]
        lines += self.statements(10)
        digest = " * 31 + ".join(f"(unsigned)({each})" for each in self.integers)
        written = [f"out[{i}] = (int)({each});" for i, each in enumerate(self.integers[:15])]
        written += [f"out[15] = {digest};"]
        written += [f"real[{i}] = {each};" for i, each in enumerate(self.floats[:16])]
        body = "\n  ".join((*lines, *written))
        head = f"__global__ void {name}(int *ints, float *reals, const int *in, int n)"
        own = "int t = threadIdx.x; int *out = ints + t * 16; float *real = reals + t * 16;"
        return f"{STRUCT}{''.join(helpers)}{head} {{\n  {own}\n  {body}\n}}\n"

    def objects(self) -> list[str]:
        """Variables whose address is taken, arrays, structs, references; their parts count as variables."""
        lines = ["int w1 = in[t], w2 = t; int *p1 = &w1;", "Part s1(in[t + 1]), s2 = s1; Part s3[2] = {Part(3), s1};"]
        lines += ["unsigned char list[4] = {1, 2, 250}; short grid[2][3] = {{1, -2, 3}, {in[t]}};"]
        lines += ["int &r1 = w2; int &r2 = s2.a; Part &r3 = s3[t & 1]; float4 f4 = {1, 2, 3, in[t] * 0.5f};"]
        self.integers += ["w1", "(*p1)", "s1.a", "s1.b", "s2.c", "r1", "r2", "r3.b", "s3[1].a", "s2.first()"]
        self.integers += ["list[2]", "grid[1][t % 3]"]
        self.floats += ["s1.d", "f4.y", "f4.w"]
        self.wide += ["w1", "w2", "s1.a", "r1", "r2", "s3[0].a"]
        self.parts += ["s1", "s2", "r3", "s3[0]"]
        return lines

    def helper(self) -> str:
        """A device function: parameters by value and by reference, perhaps an early return."""
        self.count += 1
        name, kind = f"help{self.count}", self.random.choice(TYPES)
        kept = self.integers, self.floats, self.depth
        self.integers, self.floats, self.depth = ["a", "b", "c"], ["d"], 2
        self.bound = "a"
        early = f"if ({self.integer(2)}) return {self.integer(2)};" if self.random.random() < 0.6 else ""
        body = " ".join((self.statement(), self.statement(), early, self.statement()))
        text = f"__device__ {kind} {name}(int a, int &b, const Part &p, {self.random.choice(TYPES[:6])} c = 3) {{"
        text += f" float d = p.d + p.a; {body} return {self.integer(2)}; }}\n"
        self.integers, self.floats, self.depth = kept
        self.bound = "in[t]"
        self.helpers.append((name, kind))
        return text

    def called(self) -> str:
        """A statement with a call, whose arguments do not depend on what it changes."""
        target, (name, _) = self.random.choice(self.integers[:6]), self.random.choice(self.helpers)
        kind = self.random.randrange(6)
        if kind == 0:
            return f"{target} = {self.random.choice(self.parts)}.both({self.integer(1)});"
        if kind == 1:
            left, right = self.random.sample(self.parts, 2)
            return f"{left} = {right};"
        if kind == 2:
            return f"{self.random.choice(self.parts)} = Part({self.integer(1)});"
        last = f", {self.integer(1)}" if self.random.random() < 0.5 else ""
        given = f"{self.integer(2)}, {self.random.choice(self.wide)}, {self.random.choice(self.parts)}{last}"
        return f"{target} = {name}({given});"

    def declared(self, value: str) -> str:
        """The declaration of a new integer variable; the names of truths end with an underscore."""
        kind, name = self.random.choice(TYPES), self.named(self.integers)
        if kind == "bool":
            self.integers[-1] = name = f"{name}_"
        return f"{kind} {name} = {value};"

    def named(self, variables: list[str]) -> str:
        """A new variable."""
        self.count += 1
        variables.append(f"v{self.count}")
        return variables[-1]

    def statements(self, count: int) -> list[str]:
        """Statements in a row."""
        return [self.statement() for _ in range(count)]

    def statement(self) -> str:
        """One statement."""
        kind = self.random.randrange(10) if self.depth < 3 else 0
        free = [each for each in self.integers if each not in self.fixed]
        if kind == 4 and self.helpers and self.wide:
            return self.called()
        if kind < 5:
            if self.random.random() < 0.2:
                return (
                    f"{self.random.choice(self.floats)} {self.random.choice(('=', '+=', '-=', '*='))} {self.real(2)};"
                )
            operator = self.random.choice(ASSIGNMENTS)
            return f"{self.random.choice(free)} {operator} {self.integer(3)};"
        if kind == 5:
            return f"{self.random.choice(('++{}', '{}++', '--{}', '{}--')).format(self.number())};"
        if kind == 6:
            otherwise = f" else {self.block()}" if self.random.random() < 0.5 else ""
            return f"if ({self.integer(2)}) {self.block()}{otherwise}"
        if kind == 7:
            return self.loop()
        if kind == 8:
            return self.switch()
        leave = self.random.choice(("break", "continue"))
        index = f"w{self.depth}{self.count}"
        return f"for (int {index} = 0; {index} < 3; {index}++) {{ if ({self.integer(2)}) {leave}; {self.statement()} }}"

    def number(self) -> str:
        """An integer variable that is no counter and no truth."""
        return self.random.choice([each for each in self.integers if each not in self.fixed and each[-1] != "_"])

    def block(self) -> str:
        """Statements in braces, with variables of their own."""
        self.depth += 1
        kept = list(self.integers), list(self.floats)
        value = self.integer(2)
        lines = [self.declared(value)] if self.depth < 3 else []
        lines += self.statements(self.random.randrange(1, 4))
        self.integers, self.floats = kept
        self.depth -= 1
        return "{ " + " ".join(lines) + " }"

    def loop(self) -> str:
        """A loop that ends."""
        self.count += 1
        counter = f"c{self.count}"
        self.fixed.append(counter)
        self.integers.append(counter)
        body = self.block()
        self.integers.remove(counter)
        if self.random.random() < 0.5:
            return f"for (int {counter} = 0; {counter} < ({self.bound} & 3); {counter}++) {body}"
        return f"{{ int {counter} = 0; do {body} while (++{counter} < 3); }}"

    def switch(self) -> str:
        """A switch, some of whose cases fall through."""
        cases = []
        for value in self.random.sample(range(-2, 4), 3):
            leave = " break;" if self.random.random() < 0.6 else ""
            cases.append(f"case {value}: {self.block()}{leave}")
        if self.random.random() < 0.5:
            cases.insert(self.random.randrange(4), f"default: {self.block()} break;")
        return f"switch ((int)({self.integer(2)}) % 4) {{ {' '.join(cases)} }}"

    def integer(self, depth: int) -> str:
        """An expression of some integer type."""
        if depth == 0 or self.random.random() < 0.15:
            literal = self.random.choice(("0", "1", "-1", "7", "200u", "0x7fff", "3LL", "'a'", "true", "4000000000"))
            return self.random.choice((literal, self.random.choice(self.integers), self.random.choice(self.integers)))
        kind = self.random.randrange(12)
        left, right = self.integer(depth - 1), self.integer(depth - 1)
        if kind < 5:
            return f"({left} {self.random.choice(('+', '-', '*', '&', '|', '^'))} {right})"
        if kind == 5:
            return f"({left} {self.random.choice(('/', '%'))} (({right} & 7) + 1))"
        if kind == 6:
            return f"({left} {self.random.choice(('<<', '>>'))} ({right} & 7))"
        if kind == 7:
            return f"({left} {self.random.choice(('<', '<=', '>', '>=', '==', '!='))} {right})"
        if kind == 8:
            return f"{self.random.choice(('-', '~', '!', '+'))}({left})"
        if kind == 9:
            return f"(({self.random.choice(TYPES)})({left}))"
        if kind == 10:
            return f"({left} {self.random.choice(('&&', '||'))} {right})"
        return f"({self.integer(1)} ? {left} : {right})"

    def real(self, depth: int) -> str:
        """An expression of a floating-point type."""
        if depth == 0 or self.random.random() < 0.2:
            return self.random.choice(("0.5f", "-2.0", "3", "1e-2f", self.random.choice(self.floats), self.number()))
        left, right = self.real(depth - 1), self.real(depth - 1)
        kind = self.random.randrange(6)
        if kind < 3:
            return f"({left} {self.random.choice(('+', '-', '*'))} {right})"
        if kind == 3:
            return f"({self.integer(1)} ? {left} : {right})"
        if kind == 4:
            return f"(({self.random.choice(('float', 'double'))})({left}))"
        return f"({left} < {right})"
