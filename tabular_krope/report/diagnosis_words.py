"""A diagnosis in words: what happens, why, what helps; numbers only where they are the message."""

import numpy as np

from tabular_krope.evaluation.value_estimate import FEW_REWARDS
from tabular_krope.report.counted import counted, percent
from tabular_krope.report.cures import Cure
from tabular_krope.report.diagnosis import COLLAPSED, DIVERGES, ROUNDS_BADLY, SHIFT, STABLE, Diagnosis
from tabular_krope.report.digits import three

#: Share of steps to pairs without data from which the reader is warned.
NOTICEABLE = 0.005
#: Fewer transitions than this, or than so many for each direction of the features, are called few.
FEWEST_ROWS, FEWEST_FOR_EACH = 20, 10


def words(diagnosis: Diagnosis) -> tuple[str, ...]:
    """One paragraph each on the verdict, the causes, the cure, and what to keep in mind."""
    paragraphs = [_verdict(diagnosis), *(_cause(diagnosis, cause) for cause in diagnosis.causes), _cure(diagnosis)]
    p = diagnosis.problem
    if diagnosis.routes[0].caveat:
        paragraphs.append(f"Keep in mind: {diagnosis.routes[0].caveat}.")
    paragraphs.append(_few(diagnosis))
    paragraphs.append(_rests_on_few(diagnosis))
    if p.uncovered is not None and p.uncovered >= NOTICEABLE:
        paragraphs.append(
            f"Keep in mind: {percent(p.uncovered)} of the target policy's steps lead to pairs of which there are no "
            "data. Their value is extrapolated by the features (with one-hot features it counts as 0), and no interval "
            "shows that."
        )
    return tuple(text for text in paragraphs if text)


def _few(d: Diagnosis) -> str:
    """A word on the size of the sample where it is small: another one might get another verdict."""
    rows, rank = d.facts.transitions, d.facts.rank
    if rows >= max(FEWEST_ROWS, FEWEST_FOR_EACH * rank):
        return ""
    return (
        f"Keep in mind: {counted(rows, 'transition')} for {counted(rank, 'direction')} of features "
        f"{'is' if rows == 1 else 'are'} few. All of this is about these data as they are; another sample of this size "
        "may well get another verdict, and the interval is too narrow."
    )


def _rests_on_few(d: Diagnosis) -> str:
    """A word on values that hang on a handful of rewards."""
    count = d.estimate.rewards
    if count >= FEW_REWARDS:
        return ""
    if count == 0:
        return (
            "Keep in mind: every reward that reaches the value is zero. If the data missed others, the interval does "
            "not show it."
        )
    return (
        f"Keep in mind: the value rests on few rewards, as if on {count:.2g} of equal share. The interval may "
        "be too narrow: it knows nothing of rewards that the data happened to miss."
    )


def _verdict(d: Diagnosis) -> str:
    radius = d.routes[0].spectral_radius
    rho = three(radius)
    if d.verdict == DIVERGES:
        return (
            f"DIVERGES. LSPE on these features and this data has no limit: each step multiplies an error by {rho} "
            "(spectral radius). This is not rounding: it would do so in exact arithmetic."
        )
    if d.verdict == ROUNDS_BADLY:
        names = ", ".join(route.name for route in d.failing)
        return (
            f"ONLY ROUNDS BADLY. LSPE on these features and this data is stable (spectral radius {rho} < 1), but "
            f"not in every arithmetic: {names} {'fails' if len(d.failing) == 1 else 'fail'}."
        )
    if d.verdict == STABLE:
        return (
            f"STABLE. LSPE on these features and this data converges (spectral radius {rho} < 1), in float32 and "
            "float64, by singular values and by the covariance."
        )
    return (
        f"UNDECIDED. The spectral radius is {radius:.10g}, but changing LSPE's matrix by {d.facts.margin:.2g} would "
        f"put an eigenvalue on the unit circle, and rounding in float64 may have changed it by {d.facts.rounding:.2g}."
    )


def _cause(d: Diagnosis, cause: str) -> str:
    facts, gamma = d.facts, d.problem.gamma
    if cause == SHIFT:
        limit = 1 / gamma**2 if gamma else float("inf")
        return (
            f"Cause: distribution shift. In some direction the successors under the target policy have features "
            f"{three(facts.growth)} times as large as those of the data (mean square). On the target policy's own data "
            f"this factor is about 1, and LSPE cannot diverge unless it exceeds 1/gamma^2 = {three(limit)}."
        )
    if cause == COLLAPSED and d.verdict == STABLE:
        return (
            f"Note: the {facts.d} features span only {counted(facts.rank, 'dimension')} on this data. That does no "
            "harm here, but they distinguish no more than that."
        )
    if cause == COLLAPSED:
        return (
            f"{'Also' if d.causes[0] != COLLAPSED else 'Cause'}: collapsed features. The {facts.d} features span only "
            f"{counted(facts.rank, 'dimension')} on this data; the rest is rounding, and the covariance inverts it."
        )
    return (
        f"Cause: rounding. The features are ill-conditioned on this data (condition number {facts.condition:.2g}), and "
        f"the covariance squares that to {np.square(facts.condition):.2g}; float32 carries 7 digits, float64 16."
    )


def _cure(d: Diagnosis) -> str:
    if d.verdict == STABLE:
        return "No cure is needed."
    working = d.working
    if not working:
        return "Cure: none of those tried works on these features; the table says why. Other features are needed."
    first, rest = working[0], working[1:]
    more = f" These work too: {', '.join(_called(cure) for cure in rest)}." if rest else ""
    other = [cure.name for cure in d.cures if cure.works and cure not in working]
    but = f" Stable, but with another value than LSPE's: {', '.join(other)}." if other else ""
    return f"Cure: {_called(first)} works ({first.words}).{more}{but}"


def _called(cure: Cure) -> str:
    names = {"svd": "the SVD instead of the covariance"}
    return names.get(cure.name, cure.name)
