import subprocess
import sys
from importlib import import_module

import pytest

import proofs_check as pc
from proofs_check.statements.registry import STATEMENTS, SUBJECTS


@pytest.mark.parametrize("subject", SUBJECTS)
def test_a_subject_has_the_statements_that_are_listed_for_it(subject):
    claims = import_module(f"proofs_check.statements.{subject}.claims")
    assert tuple(statement.slug for statement in claims.STATEMENTS) == SUBJECTS[subject]


def test_the_registry_is_a_mapping_in_the_order_of_the_tables():
    assert list(STATEMENTS) == [slug for slugs in SUBJECTS.values() for slug in slugs]
    assert len(STATEMENTS) == len(set(STATEMENTS)) >= 40
    assert pc.STATEMENTS is STATEMENTS
    assert "nobody" not in STATEMENTS
    with pytest.raises(KeyError, match="nobody"):
        STATEMENTS["nobody"]


def loaded_by(code):
    show = "; import sys; print(*[name for name in sys.modules if name.startswith('proofs_check.')])"
    done = subprocess.run([sys.executable, "-c", code + show], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_one_statement_loads_one_subject_and_not_the_language():
    loaded = loaded_by("import proofs_check as pc; pc.check('theorem-1', examples=2)")
    subjects = {
        name.split(".")[2] for name in loaded if name.startswith("proofs_check.statements.") and name.count(".") > 2
    }
    assert subjects == {"stability"}
    assert not [name for name in loaded if name.startswith("proofs_check.conjectures")]


def test_strategies_load_neither_the_language_nor_the_provers():
    loaded = loaded_by("import proofs_check.strategies")
    assert not [
        name for name in loaded if name.split(".")[1] in ("conjectures", "prove", "formal", "search", "statements")
    ]
