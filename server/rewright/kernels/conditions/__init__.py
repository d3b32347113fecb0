"""What must hold of sizes, parameters and contents that are not stated, so that a kernel is right.

`provenance` says what a run rests on that was chosen, `vocabulary` which conditions there are, `realistic` what people
launch, `trials` what goes wrong in that, `inferring` under which conditions nothing does, and `judging` which of the
errors refute a kernel.
"""
