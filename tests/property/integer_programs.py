"""Random programs in the subset of C that is run, each a function whose operations say which elements they access.

No number in one overflows, and no loop or recursion is endless: what they do is defined in C.
"""

from __future__ import annotations

from random import Random

VARIABLES = ("a", "b", "c", "d")


def drawn(random: Random, name: str) -> str:
    """The text of a function `name` with a helper of its own."""
    drawing = _Drawing(random, f"{name}_helper")
    helper = (
        f"static int {name}_helper(int n, int a, int t[8], double A[1], double B[1]) {{\n  int b = a, c = n, d = 1;\n"
        f"  if (n <= 0) return {drawing.expression(2)};\n"
        f"{drawing.block(1, 2)}"
        f"  return (a + {name}_helper(n - 1, ({drawing.expression(1)}) % 100, t, A, B)) % 1000;\n}}\n"
    )
    drawing.may_call = True
    first = ", ".join(f"{each} = {random.randint(-9, 9)}" for each in VARIABLES)
    body = drawing.block(1, 9)
    array = "  int t[8] = {3, -1, 4, -1, 5};\n"
    return (
        f"{helper}void {name}(int N, double A[N], double B[N]) {{\n  int {first};\n{array}{body}  S(a, t[d & 7]);\n}}\n"
    )


class _Drawing:
    def __init__(self, random: Random, helper: str) -> None:
        self.random = random
        self.helper = helper
        self.may_call = False
        self.loops = 0

    def block(self, depth: int, many: int) -> str:
        return "".join(self._statement(depth) for _ in range(self.random.randint(1, many)))

    def _statement(self, depth: int) -> str:
        pad = "  " * depth
        kinds = ["set", "set", "count", "operation", "operation", "operation", "element"]
        if self.may_call:
            kinds.append("call")
        if depth < 4:
            kinds += ["if", "if", "for", "while", "do", "shadow"]
        match self.random.choice(kinds):
            case "set":
                name, sign = self.random.choice(VARIABLES), self.random.choice(["=", "=", "+=", "-="])
                return f"{pad}{name} {sign} ({self.expression(2)}) % 1000;\n{pad}{name} %= 1000;\n"
            case "count":
                return f"{pad}{self.random.choice(VARIABLES)}{self.random.choice(['++', '--'])};\n"
            case "operation" if self.random.random() < 0.2:
                name, sign = self.random.choice(VARIABLES), self.random.choice(["++", "--"])
                return f"{pad}S({self.random.choice([name + sign, sign + name])}, t[2]);\n"
            case "operation":
                return f"{pad}S({self.expression(2)}, {self.expression(1)});\n"
            case "element":
                return f"{pad}t[({self.expression(1)}) & 7] = ({self.expression(2)}) % 1000;\n"
            case "call":
                # Alone, since C says not in which order operands are evaluated, and a call changes `t`.
                given = f"({self.expression(1)}) & 3, ({self.expression(1)}) % 100, t, A, B"
                return f"{pad}{self.random.choice(VARIABLES)} = {self.helper}({given}) % 1000;\n"
            case "if":
                other = f" else {{\n{self.block(depth + 1, 2)}{pad}}}" if self.random.random() < 0.5 else ""
                return f"{pad}if ({self.expression(2)}) {{\n{self.block(depth + 1, 2)}{pad}}}{other}\n"
            case "shadow":
                name = self.random.choice(VARIABLES)
                first = f"int {name} = {self.random.randint(-5, 5)};"
                return f"{pad}{{\n{pad}  {first}\n{self.block(depth + 1, 2)}{pad}}}\n"
            case loop:
                return self._loop(loop, depth)

    def _loop(self, kind: str, depth: int) -> str:
        pad = "  " * depth
        self.loops += 1
        counter = f"k{self.loops}"
        leaving = self.random.choice(["", "", "break;", "continue;"])
        inside = f"{pad}  if ({self.expression(1)}) {leaving}\n" if leaving else ""
        inside += self.block(depth + 1, 2)
        many = self.random.randint(1, 4)
        match kind:
            case "for":
                heads = (
                    f"{counter} = 0; {counter} < {many}; {counter}++",
                    f"{counter} = {many}; {counter} > 0; {counter} -= 2",
                )
                return f"{pad}for (int {self.random.choice(heads)}) {{\n{inside}{pad}}}\n"
            case "while":
                if self.random.random() < 0.5:
                    test = self.random.choice([f"{counter}-- > 0", f"--{counter} >= 0 && {self.expression(1)}"])
                    return f"{pad}int {counter} = {many};\n{pad}while ({test}) {{\n{inside}{pad}}}\n"
                head = f"{pad}int {counter} = {many};\n{pad}while ({counter} > 0) {{\n"
                return f"{head}{pad}  {counter}--;\n{inside}{pad}}}\n"
            case _:
                head = f"{pad}int {counter} = {many};\n{pad}do {{\n{pad}  {counter}--;\n"
                return f"{head}{inside}{pad}}} while ({counter} > 0 && {self.expression(1)});\n"

    def expression(self, depth: int) -> str:
        """A number between -100,000 and 100,000 or so."""
        if depth == 0 or self.random.random() < 0.2:
            leaves = [*VARIABLES, str(self.random.randint(0, 9)), f"(-{self.random.randint(1, 9)})", "t[2]", "t[a & 7]"]
            return self.random.choice(leaves)
        one, other = self.expression(depth - 1), self.expression(depth - 1)
        number = self.random.choice(["2", "3", "7", "(-2)", "(-3)", "(-5)"])
        sign = self.random.choice(["+", "-", "<", "<=", ">", ">=", "==", "!=", "&&", "||", "&", "|", "^"])
        forms = [
            f"({one} {sign} {other})",
            f"({one} {sign} {other})",
            f"(({one}) % 50 * ({other} % 40))",
            f"({one} / {number})",
            f"({one} % {number})",
            f"(({one} & 255) << 2)",
            f"({one} >> 1)",
            f"(({one}) ? ({other}) : ({number}))",
            f"(!{one})",
            f"(-({one}))",
            f"(~{one})",
            f"min({one}, {other})",
            f"max({one}, {other})",
            f"abs({one})",
        ]
        return self.random.choice(forms)
