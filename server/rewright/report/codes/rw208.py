"""RW208: an example is no input of its rule."""

from rewright.report.codes import Code

CODE = Code(
    code="RW208",
    title="example without an input",
    message=lambda _: "no input with these values was found that satisfies the preconditions and makes the rule apply",
    page="""
An `example` pins values of an instance, and what it leaves open is chosen, so that the rule can be replayed on it. Here
nothing was found to complete it: a precondition does not hold, a size does not fit the contents that are given, or the
side that the claim starts from is invalid. The search is bounded (small sizes and attributes). The verdict is not
changed.

**What to do.** Pin more values, or correct those that contradict the preconditions.
""",
)
