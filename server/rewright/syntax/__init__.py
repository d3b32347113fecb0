"""Text, spans, the tree and the typed nodes of the language; parsing never fails, and names mean nothing here.

    text = Text.of(uri, "rule a { X => X }")
    parsed = parse(text)                  # or parse(text, previous): what did not change is taken over
    parsed.file.declarations              # `nodes.Placed`: a declaration, where it starts, its digest and its problems
    parsed.problems, parsed.outside         # all syntax errors of the file, and those outside any declaration
    tokens(parsed)                        # for semantic highlighting, piece by piece
    outline(parsed), folds(parsed)        # for the editor's outline and folding

Each stands in the module of its name (`text`, `parsed`, `tokens`, `outline`); nothing is loaded with the package, for
the parser takes time to load and a text is often enough.

Spans inside a declaration count from its start (see `rewright.syntax.nodes`); those of problems, symbols and
folds are of the file. A declaration that an edit did not touch is the same object afterwards. What problems
say is in `rewright.verdict.diagnostics.syntax`.
"""
