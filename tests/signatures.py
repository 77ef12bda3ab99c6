"""What public functions and classes take where the caller says nothing."""

import inspect


def defaults(part):
    """Numbers and words among the defaults of something that can be called; neither NaN nor empty words."""
    try:
        parameters = inspect.signature(part).parameters.values()
    except (TypeError, ValueError):
        return {}
    given = {p.name: p.default for p in parameters if isinstance(p.default, bool | int | float | str)}
    return {name: value for name, value in given.items() if str(value) not in ("", "nan")}


def public_defaults(package):
    """Those of the public names of a package and of the methods of its classes, by name, where there are any."""
    found = {}
    for name in package.__all__:
        whole = getattr(package, name)
        methods = [part for part in vars(whole) if not part.startswith("_")] if inspect.isclass(whole) else []
        parts = {name: whole} | {f"{name}.{part}": getattr(whole, part) for part in methods}
        found |= {name: defaults(part) for name, part in parts.items() if callable(part)}
    return {name: values for name, values in found.items() if values}
