"""`rewright-lsp`, and `python -m rewright.lsp`: loads the server and runs it."""

import gc


def main() -> None:
    """Runs the server. What is loaded before it serves lives to the end: it is not looked through for garbage."""
    gc.disable()
    from rewright.lsp.main import main as run

    run()


if __name__ == "__main__":
    main()
