"""The teaching app: numbers and drawings in ``tours``, pages for the browser in ``pages``."""
