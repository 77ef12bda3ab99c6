"""Instances in serialized form: plain dictionaries with every number as a fraction string.

``{"P_pi": [["3/4", "1/4"], ["0", "1"]], "r": ["0", "1"], "gamma": "9/10"}``, and where they matter ``end``,
``weights``, ``reward_range`` and the arrays of ``given``. A refutation is verified from this form alone.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from proofs_check.arithmetic.linear_algebra import floats, rationals
from proofs_check.chains.case import Case
from tabular_krope.exact.rationals import rational

#: Entries of ``given`` that are counted, not measured: they stay integers.
INTEGERS = ("blocks", "pair")


def case_from_witness(witness: Mapping[str, Any]) -> Case:
    """The rational instance that a witness describes.

    >>> case_from_witness({"P_pi": [["1"]], "r": ["1/2"], "gamma": "1/3"}).q
    array([3/4], dtype=object)
    """
    own = ("P_pi", "r", "gamma", "end", "weights", "reward_range")
    given = {name: _array(name, value) for name, value in witness.items() if name not in own}
    limits = witness.get("reward_range")
    case = Case.from_matrix(
        rationals(witness["P_pi"]),
        rationals(witness["r"]),
        rational(witness["gamma"]),
        end=rationals(witness["end"]) if "end" in witness else None,
        weights=rationals(witness["weights"]) if "weights" in witness else None,
        reward_range=None if limits is None else (rational(limits[0]), rational(limits[1])),
        given=given,
    )
    case.exact_mrp()  # the door: rows that do not sum to 1 are refused
    return case


def float_case(witness: Mapping[str, Any]) -> Case:
    """The instance that a witness describes, rounded to floats.

    >>> float_case({"P_pi": [["1"]], "r": ["1/2"], "gamma": "1/3"}).q
    array([0.75])
    """
    case = case_from_witness(witness)
    return Case.from_matrix(
        floats(case.P_pi),
        floats(case.r),
        float(floats(case.gamma)),
        end=floats(case.end),
        weights=floats(case.weights),
        reward_range=None if case.reward_range is None else tuple(float(v) for v in floats(case.reward_range)),
        given={name: value if name in INTEGERS else floats(value) for name, value in case.given.items()},
    )


def witness_from_case(case: Case) -> dict[str, Any]:
    """The serialized form of a rational instance.

    >>> witness_from_case(case_from_witness({"P_pi": [["1"]], "r": ["0.5"], "gamma": "1/3"}))["r"]
    ['1/2']
    """
    out: dict[str, Any] = {
        "P_pi": _strings(case.P_pi),
        "r": _strings(case.r),
        "gamma": str(case.gamma),
        "weights": _strings(case.weights),
    }
    if not case.conservative:
        out["end"] = _strings(case.end)
    if case.reward_range is not None:
        out["reward_range"] = [str(v) for v in case.reward_range]
    for name, value in case.given.items():
        out[name] = np.asarray(value).tolist() if name in INTEGERS else _strings(value)
    return out


def rational_case(case: Case) -> Case:
    """A float instance read as rationals, rows and weights renormalized.

    >>> rational_case(Case.from_matrix(np.array([[1.0]]), np.array([0.25]), 0.5)).q
    array([1/2], dtype=object)
    """
    P, Pi, end, weights = (rationals(part) for part in (case.P, case.Pi, case.end, case.weights))
    totals = P.sum(axis=1) + end
    return Case(
        P / totals[:, None],
        Pi / Pi.sum(axis=1)[:, None],
        rationals(case.r),
        rational(case.gamma),
        end / totals,
        weights / weights.sum(),
        None if case.reward_range is None else (rational(case.reward_range[0]), rational(case.reward_range[1])),
        {name: value if name in INTEGERS else rationals(value) for name, value in case.given.items()},
    )


def _array(name: str, value: Any) -> Any:
    return np.asarray(value) if name in INTEGERS else rationals(value)


def _strings(value: Any) -> Any:
    array = np.asarray(value, dtype=object)
    return [_strings(row) for row in array] if array.ndim else str(array[()])
