"""The way in: loads the commands and says how the program ends where no command does.

Invariant: whatever the streams are (closed, full, in another encoding) and whenever Ctrl-C is pressed, no traceback is
printed for it.
"""

from __future__ import annotations

import gc
import sys

INTERRUPTED = 130
"""The exit status of what Ctrl+C ended: 128 and the number of the signal."""


def main() -> None:
    """Runs the command line."""
    try:
        # Loading takes a moment, in which a Ctrl-C is as likely as later.
        from rewright.cli.commands import app

        app(prog_name="rewright")
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    finally:
        gc.freeze()  # the interpreter's end would look through everything several times, which takes 40 ms
