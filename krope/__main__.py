"""``python -m krope`` is ``krope``."""

from krope import main

main()
