"""Pictures: ``compute`` gives the numbers, ``draw(data, ax)`` puts them on axes, ``style`` holds the one look."""
