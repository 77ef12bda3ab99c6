"""``python -m tabular_krope.cli`` is ``krope``."""

from tabular_krope.cli import main

main()
