"""Instances with one number in them made wrong: what a step of a proof is supposed to notice."""

from copy import copy
from dataclasses import fields, is_dataclass, replace

import numpy as np
from flint import fmpq

from proofs_check.arithmetic.linear_algebra import is_exact
from proofs_check.search.trials import draw, judge_relations

SMALL = "1/1000000"
#: Steps that are false, in the paper or in a claim that is refuted.
FALSE = {
    "prop-distance-identity": ["self-similarity"],
    "lemma-value-bound": ["last-equality"],
    "d-pseudometric": ["triangle"],
    "theorem-1": ["printed-eigenvalues"],
    "remark-nonexpansive": ["printed-reason"],
    "theorem-2-without-injectivity": ["definite", "group-laws"],
    "truncation-unweighted-stable": ["stable"],
    "independent-features-unique": ["never-one"],
}


def instances(statement, step, exact, count, tries=16):
    """Up to ``count`` instances on which the premise is met and the step says something."""
    cases = draw(statement.instances, statement.slug, tries, 3, exact)
    found = (case for case in cases if statement.premise(case) and list(step.sides(case)))
    return [case for case, _ in zip(found, range(count), strict=False)]


def holds(statement, step, case):
    return judge_relations(list(step.sides(case)), 0.0 if case.exact else statement.tolerance(case))[1]


def wrong_instances(case, size):
    """Copies with one cached quantity, one given array or one part of the chain changed by ``size``; the rest stays."""
    for name, value in case._cache.items():
        yield from (_remembering(case, {name: other}) for other in changed(value, size))
    for name, value in case.given.items():
        yield from (_remembering(replace(case, given={**case.given, name: v}), {}, case) for v in changed(value, size))
    for part in ("r", "gamma", "weights", "P"):
        values = changed(getattr(case, part), size)
        yield from (_remembering(replace(case, **{part: v}), {}, case) for v in values)


def changed(value, size):
    """The value with an entry, all entries or its diagonal moved; of a record one field of it."""
    if isinstance(value, fmpq | float):
        yield value + amount(isinstance(value, fmpq), size)
    elif isinstance(value, np.ndarray) and value.size:
        yield from _changed_array(value, size)
    elif isinstance(value, list | tuple) and value:
        for i in {0, len(value) - 1}:
            yield from (type(value)([*value[:i], other, *value[i + 1 :]]) for other in changed(value[i], size))
    elif is_dataclass(value):
        for part in fields(value):
            yield from (replace(value, **{part.name: v}) for v in changed(getattr(value, part.name), size))
    elif hasattr(value, "__dict__"):
        for name, part in vars(value).items():
            for other in changed(part, size):
                twin = copy(value)
                setattr(twin, name, other)
                yield twin


def amount(exact, size):
    return fmpq(*(int(v) for v in (size.split("/") if "/" in size else (size, 1)))) if exact else _number(size)


def _number(size):
    over, _, under = size.partition("/")
    return float(over) / float(under or 1)


def _changed_array(value, size):
    if value.dtype.kind in "ib":
        yield np.zeros_like(value)
        yield np.arange(value.size).reshape(value.shape) if value.dtype.kind == "i" else ~value
        return
    step = amount(is_exact(value), size)
    corners = [(0,) * value.ndim, (-1,) * value.ndim, (0,) * (value.ndim - 1) + (-1,)]
    for index in np.ndindex(value.shape) if value.size <= 9 else corners:
        other = value.copy()
        other[index] = other[index] + step
        yield other
    yield value + step
    yield 0 * value
    if value.ndim == 1:
        other = value.copy()
        other[0] = 0 * other[0]
        yield other
    if value.ndim == 2 and value.shape[0] == value.shape[1]:
        yield value + step * np.eye(len(value), dtype=int)


def _remembering(case, new, old=None):
    twin = replace(case)
    twin._cache.update((old or case)._cache)
    twin._cache.update(new)
    return twin
