"""What each page of the teaching app shows, as values and drawings that need no browser."""
