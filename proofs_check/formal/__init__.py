"""The statements as theorems of Coq with Mathematical Components, for chains of every size, without axioms.

`make proofs` (``python -m proofs_check.formal``) compiles every ``.v`` file of this folder, asks Coq what each theorem
rests on and writes the ledger. The theorem of a statement carries its slug: ``theorem-1`` is ``theorem_1``; the
negation of a refuted claim is ``lemma_value_bound_refuted``.

>>> from proofs_check.formal.catalog import theorem_names
>>> theorem_names("theorem-1")
('theorem_1', 'theorem_1_refuted')
"""
