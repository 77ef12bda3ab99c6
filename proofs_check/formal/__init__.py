"""The statements as theorems of Coq with Mathematical Components, for chains of every size, without axioms.

`make proofs` (``python -m proofs_check.formal``) compiles every ``.v`` file of this folder, asks Coq what each theorem
rests on and writes the ledger. The theorem of a statement carries its slug, ``theorem_1`` for ``theorem-1``; that of a
refuted claim proves the negation.

>>> from proofs_check.formal.catalog import theorem_name
>>> theorem_name("theorem-1")
'theorem_1'
"""
