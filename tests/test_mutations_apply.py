"""Each mutation of ``make mutants`` still fits the source it breaks and names tests that exist."""

from collections import Counter
from pathlib import Path

import pytest

from tests.mutants.mutation import DoesNotApply, Mutation
from tests.mutants.mutations import MUTATIONS

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.name)
def test_occurs_once_and_still_compiles(mutation):
    assert mutation.mutated(ROOT) != (ROOT / mutation.file).read_text(encoding="utf-8")


@pytest.mark.parametrize("path", sorted({path for mutation in MUTATIONS for path in mutation.tests}))
def test_named_tests_exist(path):
    file, _, function = path.partition("::")
    assert f"def {function}(" in (ROOT / file).read_text(encoding="utf-8") if function else (ROOT / file).exists()


def test_there_are_at_least_thirty_with_names_of_their_own():
    assert len(MUTATIONS) >= 30
    assert max(Counter(mutation.name for mutation in MUTATIONS).values()) == 1


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("b", "c", "'b' must occur exactly once in f.py; got 0 times"),
        ("a", "b", "'a' must occur exactly once in f.py; got 2 times"),
        ("x =", "x =", "new must differ from old; got 'x =' twice"),
        ("x =", "x = (", "must leave f.py valid Python"),
    ],
)
def test_a_mutation_that_does_not_fit_is_refused(old, new, message):
    with pytest.raises(DoesNotApply, match=message.replace("(", r"\(")):
        Mutation("name", "f.py", old, new, ()).mutate("x = a + a\n")
