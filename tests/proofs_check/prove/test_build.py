"""The stored certificates are what the derivations find, and small enough to be read."""

import pytest

from proofs_check.prove import check_certificate, load_certificate
from proofs_check.prove.build import build_certificate
from proofs_check.prove.proof import certificate_text
from proofs_check.prove.theorems import THEOREMS
from tabular_krope.errors import KropeError


@pytest.mark.parametrize("slug", THEOREMS)
def test_what_is_stored_is_what_is_found(slug):
    assert load_certificate(slug) == build_certificate(slug)


@pytest.mark.parametrize("slug", THEOREMS)
def test_checking_takes_milliseconds(slug):
    assert min(check_certificate(load_certificate(slug)).seconds for _ in range(2)) < 1.0
    assert len(certificate_text(load_certificate(slug))) < 80_000


def test_an_unknown_certificate_is_named():
    with pytest.raises(KropeError, match="theorem-1"):
        load_certificate("theorem-11")
