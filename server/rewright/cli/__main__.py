"""`python -m rewright.cli`."""

from rewright.cli.main import main

main()
