"""Proofs for chains of every size: certificates in a free *-algebra, and a decision procedure on small models."""

from proofs_check.prove.proof import Proof, check_certificate, load_certificate
from proofs_check.prove.search import find_certificate

__all__ = ["Proof", "check_certificate", "find_certificate", "load_certificate"]
