"""Every statement, by slug: the paper's first, then the sharper ones, then the refuted ones."""

from collections.abc import Mapping
from types import MappingProxyType

from proofs_check.statements import (
    completeness,
    covariance,
    distance,
    feature_space,
    metrics,
    operator,
    printed_lemma,
    reward_kernel,
    spectrum,
    stability,
    truncation,
    value_bounds,
)
from proofs_check.statements.statement import Statement

FAMILIES = (
    operator,
    reward_kernel,
    distance,
    printed_lemma,
    value_bounds,
    stability,
    spectrum,
    truncation,
    feature_space,
    completeness,
    metrics,
    covariance,
)

STATEMENTS: Mapping[str, Statement] = MappingProxyType(
    {statement.slug: statement for family in FAMILIES for statement in family.STATEMENTS}
)
