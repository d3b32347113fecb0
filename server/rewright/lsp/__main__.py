"""`python -m rewright.lsp`."""

from rewright.lsp.main import main

main()
